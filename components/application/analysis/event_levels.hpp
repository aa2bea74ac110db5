#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "components/application/analysis/iterations.hpp"
#include "core/text.hpp"

namespace hockney::applications {

/// What a rank does at one time.
enum class Doing : std::uint8_t {
  computing,
  waiting,   ///< in MPI, for a rank that has not sent, received or entered
  messages,  ///< in calls of point-to-point communication
  collectives,
  other  ///< in files, one-sided communication and the rest of MPI
};

constexpr auto words_of(std::type_identity<Doing>) {
  return std::to_array<std::string_view>(
      {"computing", "waiting", "messages", "collectives", "other MPI"});
}

/// All but computing, which is the rest of a rank's time.
inline constexpr std::size_t doings_in_mpi = 4;

/// A part of the run in which each call is stored [ns since the begin of the run].
struct CallWindow {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct LevelLimits {
  std::size_t bytes = 6'400'000;  ///< of slots and calls together
  std::size_t most_slots = 4096;  ///< a power of 2
};

/// Time lines of all ranks, for people who zoom: slots of equal length with the time by Doing for
/// the whole run, and each call in some windows. Waits are by the hosts' clocks.
///
/// `bytes` is a row of variable-length numbers (7 bits in a byte, lowest first; signed numbers as
/// 2n or -2n-1), except for masks of one byte:
/// - each rank: begin and length of its run [ns]; its time waiting, in messages, in collectives
///   and in other MPI [ns].
/// - each rank, each slot: a mask of these four, then the units of time of each of the mask. Sums
///   are rounded, not slots: the sum over any slots in a row is wrong by one unit at most.
/// - each slot: messages sent in it.
/// - number of different arguments; of each the index into `functions`, its site + 1, receiver and
///   sender (0: none, else 1 + the signed difference to the own rank), bytes sent + 1, received
///   + 1.
/// - each window, each rank: index of the first call, number of calls; of each call the time since
///   the end of the one before, or since the begin of the window (signed) [ns], its time [ns],
///   2 x its arguments + 1 if it waits; then the wait [ns], and the call that it waits for: signed
///   differences of the rank's place and of the index.
/// - each window: number of messages; of each the sender's place, less that of the one before; the
///   call that sends, from the first of the window, less that of the one before if the sender is
///   the same; the receiver's place, less the sender's (signed); its call, from the first.
struct EventLevels {
  std::int64_t nanoseconds = 0;   ///< of the run
  std::int64_t unit = 1;          ///< of slots [ns]
  std::int64_t slot_units = 127;  ///< length of a slot
  std::size_t slots = 0;
  std::vector<int> ranks;
  std::vector<std::string> hosts;         ///< of the ranks
  std::vector<std::string> functions;     ///< "MPI_Recv"
  std::vector<std::optional<int>> sites;  ///< indices into the profile's
  std::vector<Doing> doings;              ///< of the functions
  std::vector<CallWindow> windows;        ///< in order
  std::optional<CallWindow> typical{};    ///< the median iteration
  std::optional<CallWindow> slowest{};
  std::int64_t calls = 0;  ///< of the run
  std::string bytes;
};

/// Stores each call of the whole run if there is room. Else of the slowest and the median
/// iteration, and of others or of parts at even distances.
EventLevels event_levels(const TraceAnalysis& run, const Iterations& iterations,
                         const LevelLimits& limits = {});

}  // namespace hockney::applications
