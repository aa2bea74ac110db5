#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "benchmarks/engine/clock.hpp"

namespace hockney::benchmarks {

/// How the ranks of a group are made to begin together.
enum class StartScheme {
  round_time,    ///< at an agreed time of the common clock, for which every rank spins
  barrier,       ///< after the library's barrier, which ranks leave one after the other
  dissemination  ///< after a barrier of our own, the same under every library
};

/// "round-time", "barrier", "dissemination".
std::string start_name(StartScheme scheme);

/// InputError naming the nearest scheme when there is none called `name`.
StartScheme parse_start(const std::string& name);

/// One start as one rank saw it, in ticks of a clock that the whole group shares.
struct Start {
  std::int64_t begun = 0;              ///< this rank's last reading before it begins
  std::optional<std::int64_t> agreed;  ///< the time agreed on; nullopt after barriers
  bool late = false;                   ///< the agreed time had passed when this rank first looked
  bool jumped = false;  ///< this clock is no longer that of the group: no wait was made
};

/// Starts the operations of one group, again and again.
class StartSynchroniser {
 public:
  virtual ~StartSynchroniser() = default;

  /// Returns when this rank may begin. Collective over the group.
  virtual Start start() = 0;
  /// Told after some starts how many of them were late on any rank, the same on every rank.
  virtual void learn(int starts, int late) = 0;
};

/// A synchroniser for a group. `clock` shows the same time on all its ranks. Collective.
std::unique_ptr<StartSynchroniser> make_start_synchroniser(StartScheme scheme, RankGroup& group,
                                                           TickClock& clock);

/// What one start takes the slowest rank [s], the median of a few; the same on every rank.
/// Collective over the synchroniser's group.
double seconds_of_start(StartSynchroniser& synchroniser, RankGroup& group, TickClock& clock);

}  // namespace hockney::benchmarks
