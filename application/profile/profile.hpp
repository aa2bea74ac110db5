#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/provenance.hpp"
#include "core/text.hpp"

namespace hockney::profile {

/// What a function of MPI does, as far as it matters to who counts.
enum class Kind {
  send,           ///< blocking or not: the message counts at the call
  receive,        ///< blocking
  start_receive,  ///< nonblocking: how much came is known on completion
  send_receive,   ///< two messages, in two buffers
  replace,        ///< two messages, in one buffer
  plan_send,      ///< persistent: the message counts at each start
  plan_receive,
  start,
  start_all,
  wait,
  wait_all,
  wait_any,
  wait_some,
  test,
  test_all,
  test_any,
  test_some,
  probe,
  collective,
  plan_collective,
  one_sided,    ///< put and accumulate; and what brings data back
  synchronise,  ///< of one-sided communication
  file,
  communicator,  ///< makes one
  forget_communicator,
  forget_request,
  window,
  other
};

/// How many bytes a collective hands over at a rank; s and r are its arguments for what is sent and
/// received.
enum class Volume {
  none,
  message,      ///< count × size, on every rank
  block,        ///< count × size for each rank
  counts,       ///< a list of counts × size
  gather,       ///< s; what is received where it is in place
  gather_list,  ///< the same, with a list of r
  scatter,      ///< the root: s for each rank; others: r
  scatter_list,
  all_to_all,  ///< s for each rank
  all_to_all_list,
  all_to_all_types,
  neighbours,  ///< s for each neighbour
  neighbours_all,
  neighbours_list,
  neighbours_types
};

/// Which argument is what, from 0; -1 where there is none.
struct Arguments {
  int count = -1;  ///< of what is sent, or of the only message
  int type = -1;
  int peer = -1;  ///< receiver, source, or target of one-sided calls
  int tag = -1;
  int source = -1;   ///< of what is received, where there is a receiver too
  int receive = -1;  ///< count of what is received
  int receive_type = -1;
  int root = -1;
  int comm = -1;
  int window = -1;
  int made = -1;     ///< the communicator that is made
  int number = -1;   ///< how many requests there are, or partitions
  int request = -1;  ///< the one that is made or completed, or the first of a list
  int found = -1;    ///< index, or how many are complete; indices stand behind it
  int flag = -1;
  int status = -1;   ///< or the list of them
  int message = -1;  ///< handle of a matched probe
  Volume volume = Volume::none;
};

struct Call {
  std::string_view name;  ///< without "MPI_"
  Kind kind = Kind::other;
  Arguments at;
};

/// Every function that is recorded, in the order of application/profile/calls.def.
// NOLINTBEGIN(cppcoreguidelines-macro-usage,*-avoid-c-arrays): of any length
enum class Function : std::uint16_t {
#define HOCKNEY_CALL(name, ...) name,
#include "application/profile/calls.def"
#undef HOCKNEY_CALL
  count
};

inline constexpr Call call_table[] = {
#define HOCKNEY_CALL(name, ...) {#name, __VA_ARGS__},
#include "application/profile/calls.def"
#undef HOCKNEY_CALL
};

// NOLINTEND(cppcoreguidelines-macro-usage,*-avoid-c-arrays)

constexpr const Call& describe(Function function) {
  return call_table[static_cast<std::size_t>(function)];
}

/// By its whole name, such as "MPI_Send".
constexpr std::optional<Function> find_call(std::string_view name) {
  if (!name.starts_with("MPI_")) return std::nullopt;
  name.remove_prefix(4);
  const auto* const found = std::ranges::find(call_table, name, &Call::name);
  if (found == std::end(call_table)) return std::nullopt;
  return static_cast<Function>(found - std::begin(call_table));
}

/// Of a job: more than any machine has, and lists of them fit in memory.
inline constexpr int most_ranks = 1 << 24;

/// Of numbers that are not below 0; the largest number there is where it would be more.
constexpr std::int64_t capped_sum(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return a > most - b ? most : a + b;
}

/// How the processes of a program ended, as far as a profile knows.
enum class End { finalized, exited, aborted, signalled };

constexpr auto words_of(std::type_identity<End>) {
  return std::to_array<std::string_view>({"finalized", "exited", "aborted", "signalled"});
}

/// One rank and how its time was spent, from the end of MPI_Init to the beginning of MPI_Finalize.
struct Rank {
  int rank = 0;  ///< in MPI_COMM_WORLD
  std::string host;
  std::vector<int> cpus;             ///< that it may run on, numbers of the operating system
  double seconds = 0;                ///< of which:
  double mpi_seconds = 0;            ///< inside MPI, without files
  double mpi_io_seconds = 0;         ///< inside MPI_File_*
  double io_seconds = 0;             ///< reading, writing and flushing files outside of MPI
  std::int64_t io_bytes = 0;         ///< read or written outside of MPI
  std::int64_t calls = 0;            ///< of MPI
  std::int64_t folded_calls = 0;     ///< counted by their name alone, since the memory was full
  std::int64_t folded_messages = 0;  ///< counted without their receiver, for the same reason
  End end = End::finalized;
  int signal = 0;  ///< that ended it, 0 for none

  friend bool operator==(const Rank&, const Rank&) = default;
};

/// A communicator, by the world ranks that it holds and how many of the same were made before.
struct Communicator {
  std::string name;      ///< "MPI_COMM_WORLD", "MPI_COMM_SELF" or the call that made it
  std::string identity;  ///< hash of its ranks and the number among those of equal ranks
  int size = 0;          ///< ranks; of an inter-communicator, those of both sides

  friend bool operator==(const Communicator&, const Communicator&) = default;
};

/// Where in the program's code a call stands.
struct Site {
  std::string module;       ///< path of the executable or library
  std::int64_t offset = 0;  ///< of the return address in it [B]
  std::string function;     ///< where the module exports its name, else empty

  friend bool operator==(const Site&, const Site&) = default;
};

/// A part of the program that it named itself.
struct Region {
  std::string name;
  std::int64_t entered = 0;  ///< over all ranks
  double seconds = 0;        ///< inside of it, with regions inside; summed over ranks

  friend bool operator==(const Region&, const Region&) = default;
};

/// Calls of one function from one place, on one communicator, with data of one size class (0, 1, 2
/// to 3, 4 to 7, ... bytes), over all ranks.
struct Calls {
  std::string call;                 ///< "MPI_Isend"
  std::optional<int> communicator;  ///< index; nullopt where the call has none
  std::optional<int> site;          ///< index
  std::optional<int> region;        ///< index of the innermost one
  std::int64_t count = 0;
  std::int64_t bytes = 0;  ///< handed over or received: docs/explanation/program-time.md says which
  std::int64_t min_bytes = 0;
  std::int64_t max_bytes = 0;
  double seconds = 0;      ///< inside all of them, summed over ranks
  double min_seconds = 0;  ///< of one call
  double max_seconds = 0;
  int ranks = 0;               ///< that made them
  int slowest_rank = 0;        ///< that spent the most in them
  double slowest_seconds = 0;  ///< of that rank

  friend bool operator==(const Calls&, const Calls&) = default;
};

/// What carries data from one rank to another.
enum class Carrier { message, put, get };

constexpr auto words_of(std::type_identity<Carrier>) {
  return std::to_array<std::string_view>({"message", "put", "get"});
}

/// Messages of one size class from one rank to another, as the sender counted them.
struct Messages {
  int from = 0;           ///< world rank
  std::optional<int> to;  ///< world rank; nullopt outside of the world, or folded
  std::optional<int> communicator;
  Carrier carrier = Carrier::message;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::int64_t min_bytes = 0;
  std::int64_t max_bytes = 0;

  friend bool operator==(const Messages&, const Messages&) = default;
};

/// What recording a call costs, measured by the library on this machine when the program began:
/// the median over ranks [s].
struct Price {
  double send_seconds = 0;
  double receive_seconds = 0;
  double completion_seconds = 0;  ///< of a wait or test for one request
  double other_seconds = 0;

  friend bool operator==(const Price&, const Price&) = default;
};

/// The calls of all ranks in their order, for replays and timelines.
struct EventLog {
  std::string file;             ///< beside the profile
  std::int64_t events = 0;      ///< over all ranks
  std::int64_t not_logged = 0;  ///< since there was no memory for more

  friend bool operator==(const EventLog&, const EventLog&) = default;
};

/// What one run of a program did with MPI: document `hockney.profile/1`.
struct Profile {
  std::string written_utc;  ///< ISO 8601
  std::string
      identity{};      ///< of its world (application/profile/event_log.hpp); empty: of an older one
  double seconds = 0;  ///< the longest of any rank
  int world_ranks = 0;             ///< of the job; those without a Rank left nothing
  std::string thread_level;        ///< "MPI_THREAD_SINGLE"
  Provenance provenance;           ///< of the program's own command line
  std::vector<std::string> notes;  ///< what is missing or counted roughly, and why
  Price price;
  std::optional<EventLog> log;
  std::vector<Rank> ranks;  ///< in order
  std::vector<Communicator> communicators;
  std::vector<Site> sites;
  std::vector<Region> regions;
  std::vector<Calls> calls;
  std::vector<Messages> messages;

  friend bool operator==(const Profile&, const Profile&) = default;
};

}  // namespace hockney::profile
