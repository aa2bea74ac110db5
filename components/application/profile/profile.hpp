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

/// Kind of an MPI function, as far as counting depends on it.
enum class Kind {
  send,           ///< blocking or not: the message counts in this call
  receive,        ///< blocking
  start_receive,  ///< nonblocking: the received size is known on completion
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
  one_sided,    ///< put and accumulate; and get, which brings data back
  synchronise,  ///< of one-sided communication
  file,
  communicator,  ///< makes one
  forget_communicator,
  forget_request,
  window,
  other
};

/// Bytes of a collective on one rank. s and r are its arguments for sending and receiving.
enum class Volume {
  none,
  message,      ///< count × size, on every rank
  block,        ///< count × size for each rank
  counts,       ///< a list of counts × size
  gather,       ///< s; r if the call is in place
  gather_list,  ///< the same, with a list for r
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

/// Position of each argument, from 0; -1: the function lacks it.
struct Arguments {
  int count = -1;  ///< of the data sent, or of the only message
  int type = -1;
  int peer = -1;  ///< receiver, source, or target of one-sided calls
  int tag = -1;
  int source = -1;   ///< source of the received data, if there is a receiver, too
  int receive = -1;  ///< count of the received data
  int receive_type = -1;
  int root = -1;
  int comm = -1;
  int window = -1;
  int made = -1;     ///< the new communicator
  int number = -1;   ///< number of requests, or of partitions
  int request = -1;  ///< the request made or completed, or the first of a list
  int found = -1;    ///< index of the completed one, or number of them; their indices follow it
  int flag = -1;
  int status = -1;   ///< or the list of statuses
  int message = -1;  ///< handle of a matched probe
  Volume volume = Volume::none;
};

struct Call {
  std::string_view name;  ///< without "MPI_"
  Kind kind = Kind::other;
  Arguments at;
};

/// Every recorded function, in the order of components/application/profile/calls.def.
// NOLINTBEGIN(cppcoreguidelines-macro-usage,*-avoid-c-arrays): of any length
enum class Function : std::uint16_t {
#define HOCKNEY_CALL(name, ...) name,
#include "components/application/profile/calls.def"
#undef HOCKNEY_CALL
  count
};

inline constexpr Call call_table[] = {
#define HOCKNEY_CALL(name, ...) {#name, __VA_ARGS__},
#include "components/application/profile/calls.def"
#undef HOCKNEY_CALL
};

// NOLINTEND(cppcoreguidelines-macro-usage,*-avoid-c-arrays)

constexpr const Call& describe(Function function) {
  return call_table[static_cast<std::size_t>(function)];
}

/// Finds a function by its whole name, such as "MPI_Send".
constexpr std::optional<Function> find_call(std::string_view name) {
  if (!name.starts_with("MPI_")) return std::nullopt;
  name.remove_prefix(4);
  const auto* const found = std::ranges::find(call_table, name, &Call::name);
  if (found == std::end(call_table)) return std::nullopt;
  return static_cast<Function>(found - std::begin(call_table));
}

/// Limit on the ranks of a job. It exceeds every machine, and lists of this length fit in memory.
inline constexpr int most_ranks = 1 << 24;

/// Sum of two numbers from 0 on; saturates at the largest int64.
constexpr std::int64_t capped_sum(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return a > most - b ? most : a + b;
}

/// How the processes of a program ended, if the profile has it.
enum class End { finalized, exited, aborted, signalled };

constexpr auto words_of(std::type_identity<End>) {
  return std::to_array<std::string_view>({"finalized", "exited", "aborted", "signalled"});
}

/// CPU use of one rank. Waiting: ready to run, but on the run queue of a CPU that others have
/// (schedstat of Linux); of the thread that called MPI_Init.
struct CpuUse {
  double user_seconds = 0;  ///< of all threads, like the next five
  double system_seconds = 0;
  std::int64_t involuntary_switches = 0;  ///< while ready to run; sched_yield() counts, too
  std::int64_t voluntary_switches = 0;    ///< into sleep
  std::int64_t minor_faults = 0;          ///< page faults without I/O
  std::int64_t major_faults = 0;
  double mpi_cpu_seconds = 0;  ///< of that thread in MPI
  /// CPU time outside of MPI: of that thread, or of the others if it is more. nullopt: threads do
  /// not call MPI at the same time (below MPI_THREAD_MULTIPLE), so `mpi_seconds` says it.
  std::optional<double> computing_cpu_seconds{};
  std::optional<double> waiting_seconds;        ///< nullopt: this kernel does not count it
  std::optional<double> mpi_waiting_seconds;    ///< of that, in MPI
  std::optional<double> other_waiting_seconds;  ///< most of any other thread
  std::optional<double> throttled_seconds;      ///< a limit stopped its control group
  double reading_seconds = 0;                   ///< cost of all readings of this rank

  friend bool operator==(const CpuUse&, const CpuUse&) = default;
};

/// One rank and its time between the end of MPI_Init and the begin of MPI_Finalize.
struct Rank {
  int rank = 0;  ///< in MPI_COMM_WORLD
  std::string host;
  std::vector<int> cpus;             ///< allowed CPUs, as numbered by the operating system
  double seconds = 0;                ///< total
  double mpi_seconds = 0;            ///< inside MPI, without files
  double mpi_io_seconds = 0;         ///< inside MPI_File_*
  double io_seconds = 0;             ///< reading, writing and flushing files outside of MPI
  std::int64_t io_bytes = 0;         ///< read or written outside of MPI
  std::int64_t calls = 0;            ///< MPI calls
  std::int64_t folded_calls = 0;     ///< counted by function only, as the memory was full
  std::int64_t folded_messages = 0;  ///< counted without their receiver, as the memory was full
  End end = End::finalized;
  int signal = 0;               ///< that ended it; 0: none
  std::optional<CpuUse> cpu{};  ///< nullopt: the profile is older, or simulated

  friend bool operator==(const Rank&, const Rank&) = default;
};

/// A communicator, identified by its world ranks and the number of equal ones made earlier.
struct Communicator {
  std::string name;      ///< "MPI_COMM_WORLD", "MPI_COMM_SELF" or the call that made it
  std::string identity;  ///< hash of its ranks, and its number among communicators of equal ranks
  int size = 0;          ///< ranks; of an inter-communicator, those of both sides

  friend bool operator==(const Communicator&, const Communicator&) = default;
};

/// Place of a call in the program's code.
struct Site {
  std::string module;       ///< path of the executable or library
  std::int64_t offset = 0;  ///< of the return address in the module [B]
  std::string function;     ///< if the module exports its name, else empty

  friend bool operator==(const Site&, const Site&) = default;
};

/// A region that the program has named.
struct Region {
  std::string name;
  std::int64_t entered = 0;  ///< over all ranks
  double seconds = 0;        ///< inside it and nested regions; summed over ranks
  /// CPU time of the thread that called MPI_Init, without nested regions; summed over ranks.
  std::optional<double> cpu_seconds{};
  std::optional<double> waiting_seconds{};  ///< of CpuUse

  friend bool operator==(const Region&, const Region&) = default;
};

/// Calls of one function from one place, on one communicator, with data of one size class. Sums
/// over all ranks. Size classes: 0, 1, 2 to 3, 4 to 7, ... bytes.
struct Calls {
  std::string call;                 ///< "MPI_Isend"
  std::optional<int> communicator;  ///< index; nullopt for calls without one
  std::optional<int> site;          ///< index
  std::optional<int> region;        ///< index of the innermost region
  std::int64_t count = 0;
  std::int64_t bytes = 0;  ///< sent or received: see docs/explanation/program-time.md
  std::int64_t min_bytes = 0;
  std::int64_t max_bytes = 0;
  double seconds = 0;      ///< inside all calls, summed over ranks
  double min_seconds = 0;  ///< of the shortest call
  double max_seconds = 0;
  int ranks = 0;               ///< number of ranks that made them
  int slowest_rank = 0;        ///< the rank with the most time in them
  double slowest_seconds = 0;  ///< of that rank

  friend bool operator==(const Calls&, const Calls&) = default;
};

/// How data goes from one rank to another.
enum class Carrier { message, put, get };

constexpr auto words_of(std::type_identity<Carrier>) {
  return std::to_array<std::string_view>({"message", "put", "get"});
}

/// Messages of one size class from one rank to another, counted by the sender.
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

/// Overhead of recording one call. The library measures it on this machine when the program begins;
/// values are medians over ranks [s].
struct Overhead {
  double send_seconds = 0;
  double receive_seconds = 0;
  double completion_seconds = 0;  ///< a wait or test for one request
  double other_seconds = 0;
  friend bool operator==(const Overhead&, const Overhead&) = default;
};

/// Log of all calls of all ranks, in order, for replays and timelines.
struct EventLog {
  std::string file;             ///< beside the profile
  std::int64_t events = 0;      ///< over all ranks
  std::int64_t not_logged = 0;  ///< for lack of memory

  friend bool operator==(const EventLog&, const EventLog&) = default;
};

/// An executable or library whose code was sampled.
struct CodeModule {
  std::string path;
  std::string build_id;  ///< hexadecimal; empty: it has none

  friend bool operator==(const CodeModule&, const CodeModule&) = default;
};

/// An instruction: of a sample, or a call that a sample is inside of.
struct Frame {
  std::optional<int> module{};  ///< index; nullopt: in no module, as code made at run time
  std::int64_t offset = 0;      ///< address in the module's file

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// Samples with one stack, by rank.
struct Stack {
  std::vector<int> frames;           ///< indices, innermost first; empty: of stacks beyond a limit
  std::string call;                  ///< the MPI function; empty: outside of MPI
  std::vector<int> ranks;            ///< ascending
  std::vector<std::int64_t> counts;  ///< samples of each of these ranks

  friend bool operator==(const Stack&, const Stack&) = default;
};

/// Samples of the stacks of all threads, one for each period of a thread's CPU time.
struct Samples {
  double period_seconds = 0;
  std::int64_t lost = 0;       ///< samples without memory for their stack
  std::int64_t folded = 0;     ///< samples of stacks beyond the limit of the document
  std::int64_t threads = 0;    ///< over all ranks
  double handler_seconds = 0;  ///< cost of taking them, over all threads
  std::vector<CodeModule> modules;
  std::vector<Frame> frames;
  std::vector<Stack> stacks;

  friend bool operator==(const Samples&, const Samples&) = default;
};

/// A parallel region of OpenMP, from one place in the code. Sums over its executions and all ranks.
struct ParallelRegion {
  std::optional<int> site{};  ///< index
  int threads = 0;            ///< most in one execution
  std::int64_t count = 0;
  double seconds = 0;          ///< from its begin to its end
  double thread_seconds = 0;   ///< the same, times its threads
  double busy_seconds = 0;     ///< of all threads, outside of barriers
  double slowest_seconds = 0;  ///< of the busiest thread of each execution
  int ranks = 0;
  int waiting_rank = 0;        ///< the rank whose threads wait longest
  double waiting_seconds = 0;  ///< of all threads of that rank

  friend bool operator==(const ParallelRegion&, const ParallelRegion&) = default;
};

/// MPI use of one run of a program: document `hockney.profile/1`.
struct Profile {
  std::string written_utc;   ///< ISO 8601
  std::string identity{};    ///< of its world (profile/event_log.hpp); empty in older profiles
  double seconds = 0;        ///< of the longest rank
  int world_ranks = 0;       ///< of the job; ranks without a Rank left no part
  std::string thread_level;  ///< "MPI_THREAD_SINGLE"
  Provenance provenance;     ///< of the program's own command line
  std::vector<std::string> notes;  ///< missing or inexact data, with the reason
  Overhead overhead;
  std::optional<EventLog> log;
  std::vector<Rank> ranks;  ///< in order
  std::vector<Communicator> communicators;
  std::vector<Site> sites;
  std::vector<Region> regions;
  std::vector<Calls> calls;
  std::vector<Messages> messages;
  std::optional<Samples> samples{};  ///< nullopt: not sampled
  std::vector<ParallelRegion> parallel_regions{};

  friend bool operator==(const Profile&, const Profile&) = default;
};

}  // namespace hockney::profile
