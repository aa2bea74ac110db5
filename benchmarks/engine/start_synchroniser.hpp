#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "benchmarks/engine/clock.hpp"

namespace hockney::benchmarks {

/// How the ranks of a group start together.
enum class StartScheme {
  round_time,    ///< at an agreed time of the common clock, until which every rank spins
  barrier,       ///< after the library's barrier, which ranks leave one after the other
  dissemination  ///< after hockney's own barrier, the same with every library
};

constexpr auto words_of(std::type_identity<StartScheme>) {
  return std::to_array<std::string_view>({"round-time", "barrier", "dissemination"});
}

/// "round-time", "barrier", "dissemination".
std::string start_name(StartScheme scheme);

/// InputError that names the nearest scheme if none is called `name`.
StartScheme parse_start(const std::string& name);

/// One start from the view of one rank, in ticks of the group's common clock.
struct Start {
  std::int64_t begun = 0;              ///< this rank's last reading before it starts
  std::optional<std::int64_t> agreed;  ///< the agreed time; nullopt after barriers
  bool late = false;                   ///< the agreed time had passed at this rank's first reading
  bool jumped = false;                 ///< this clock left the group's time; the rank did not wait
};

/// Starts the operations of one group.
class StartSynchroniser {
 public:
  virtual ~StartSynchroniser() = default;

  /// Returns when this rank may start. Collective over the group.
  virtual Start start() = 0;
  /// Adapts to the number of starts that were late on any rank; the same arguments on every rank.
  virtual void learn(int starts, int late) = 0;
};

/// Makes a synchroniser for a group. `clock` shows the same time on all its ranks. Collective.
std::unique_ptr<StartSynchroniser> make_start_synchroniser(StartScheme scheme, RankGroup& group,
                                                           TickClock& clock);

/// Duration of one start on the slowest rank [s], median of several; the same on every rank.
/// Collective over the synchroniser's group.
double seconds_of_start(StartSynchroniser& synchroniser, RankGroup& group, TickClock& clock);

}  // namespace hockney::benchmarks
