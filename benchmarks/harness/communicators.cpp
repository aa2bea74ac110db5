#include "benchmarks/harness/communicators.hpp"

#include <mpi.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): nanosleep

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <map>
#include <numeric>

#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "placement/machine.hpp"

namespace hockney::benchmarks {

void sleep_for(std::chrono::nanoseconds time) {
  if (time <= std::chrono::nanoseconds::zero()) return;
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(time);
  timespec requested{};
  requested.tv_sec = whole.count();
  requested.tv_nsec = (time - whole).count();
  while (nanosleep(&requested, &requested) != 0 && errno == EINTR) {
  }
}

MpiRankGroup::MpiRankGroup(MPI_Comm comm)
    : operations_(comm), rank_(rank_in(comm)), size_(size_of(comm)) {
  mpi_check(MPI_Comm_dup(comm, control_.out()));
}

void MpiRankGroup::barrier() { mpi_check(MPI_Barrier(control_.get())); }

void MpiRankGroup::pass(int to, int from) {
  constexpr int tag = 0;
  mpi_check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, to, tag, nullptr, 0, MPI_BYTE, from, tag,
                         control_.get(), MPI_STATUS_IGNORE));
}

std::int64_t MpiRankGroup::from_first(std::int64_t value) {
  mpi_check(MPI_Bcast(&value, 1, MPI_INT64_T, 0, control_.get()));
  return value;
}

// Ranks wait here while others still call on their memory. Intel MPI 2021.18 handles such calls
// rarely inside a blocking collective in shared memory: a put takes 30 us instead of 0.5. The
// simulator has another, slower algorithm for the nonblocking one.
void MpiRankGroup::maximum(std::span<double> values) {
  const int count = static_cast<int>(values.size());
  if (is_simulated()) {
    return mpi_check(
        MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_DOUBLE, MPI_MAX, control_.get()));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Iallreduce(MPI_IN_PLACE, values.data(), count, MPI_DOUBLE, MPI_MAX, control_.get(),
                           &request));
  mpi_check(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

namespace {

constexpr std::chrono::microseconds nap(200);

/// Receives an empty message; false if it does not arrive within ten seconds.
bool receive_soon(MPI_Comm comm, int from, int tag) {
  constexpr std::chrono::seconds patience(10);
  for (std::int64_t naps = 0; naps < patience / nap; ++naps) {
    int is_there = 0;
    mpi_check(MPI_Iprobe(from, tag, comm, &is_there, MPI_STATUS_IGNORE));
    if (is_there != 0) {
      mpi_check(MPI_Recv(nullptr, 0, MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE));
      return true;
    }
    sleep_for(nap);
  }
  return false;
}

/// The lowest rank on the node of each rank.
std::vector<int> node_heads(const Context& context) {
  UniqueComm node;
  mpi_check(MPI_Comm_split_type(context.comm, MPI_COMM_TYPE_SHARED, context.rank, MPI_INFO_NULL,
                                node.out()));
  int head = context.rank;
  mpi_check(MPI_Bcast(&head, 1, MPI_INT, 0, node.get()));
  std::vector<int> heads(static_cast<std::size_t>(context.size));
  mpi_check(MPI_Allgather(&head, 1, MPI_INT, heads.data(), 1, MPI_INT, context.comm));
  return heads;
}

bool are_alike(const std::vector<int>& groups) {
  std::map<int, int> sizes;
  for (const int group : groups) ++sizes[group];
  return std::ranges::all_of(
      sizes, [&](const auto& size) { return size.second == sizes.begin()->second; });
}

/// The group of each rank.
std::vector<int> divide_ranks(const Context& context) {
  std::vector<int> groups = node_heads(context);
  if (std::ranges::count(groups, groups.front()) == std::ssize(groups)) {
    for (int rank = 0; rank < context.size; ++rank) {
      groups[static_cast<std::size_t>(rank)] = 2 * rank < context.size ? 0 : 1;
    }
  }
  if (!are_alike(groups)) std::ranges::fill(groups, 0);
  return groups;
}

UniqueGroup group_of(MPI_Comm comm) {
  UniqueGroup group;
  mpi_check(MPI_Comm_group(comm, group.out()));
  return group;
}

/// "MPI_THREAD_SINGLE" and so on.
std::string thread_level_name(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

}  // namespace

void quiet_barrier(MPI_Comm comm) {
  if (is_simulated()) return mpi_check(MPI_Barrier(comm));
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Ibarrier(comm, &request));
  for (int done = 0;;) {
    mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return;
    sleep_for(nap);
  }
}

/// Uses messages, not a collective: ranks that do not come may be in another collective.
bool all_come(MPI_Comm comm) {
  constexpr int come = 32001;  // tags that no other message has
  constexpr int all_are_here = 32002;
  if (is_simulated()) return true;
  const int size = size_of(comm);
  if (rank_in(comm) != 0) {
    mpi_check(MPI_Send(nullptr, 0, MPI_BYTE, 0, come, comm));
    return receive_soon(comm, 0, all_are_here);
  }
  for (int rank = 1; rank < size; ++rank) {
    if (!receive_soon(comm, rank, come)) return false;
  }
  for (int rank = 1; rank < size; ++rank) {
    mpi_check(MPI_Send(nullptr, 0, MPI_BYTE, rank, all_are_here, comm));
  }
  return true;
}

RankGroups::RankGroups(const Context& context) {
  const std::vector<int> heads = divide_ranks(context);
  std::map<int, int> numbers;  // numbers of the groups, in order of their heads
  for (const int head : heads) numbers.try_emplace(head, 0);
  int next = 0;
  for (auto& [head, number] : numbers) number = next++;
  std::map<int, int> filled;
  for (const int head : heads) {
    places_.push_back({.group = numbers[head], .local = filled[head]++});
  }
  group_size_ = filled.begin()->second;
  const GroupPlace& own = place(context.rank);
  mpi_check(MPI_Comm_split(context.comm, own.group, context.rank, group_.out()));
  mpi_check(MPI_Comm_split(context.comm, own.local, own.group, lane_.out()));
}

int RankGroups::rank_at(const GroupPlace& place) const {
  const auto found = std::ranges::find_if(places_, [&](const GroupPlace& other) {
    return other.group == place.group && other.local == place.local;
  });
  return static_cast<int>(found - places_.begin());
}

std::optional<std::string> order_obstacle(const Point& point) {
  if (operator_of(point).combine != Combine::ordered) return std::nullopt;
  return "its operator needs the ranks in order, and nodes need not hold them so";
}

UniqueComm in_order_of_positions(MPI_Comm comm, const std::vector<int>& positions) {
  const int position = positions.at(static_cast<std::size_t>(rank_in(comm)));
  UniqueComm ordered;
  mpi_check(MPI_Comm_split(comm, 0, position, ordered.out()));
  return ordered;
}

std::vector<int> ranks_in_order(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

bool has_ranks(MPI_Comm made, MPI_Comm parent, const std::vector<int>& ranks) {
  if (made == MPI_COMM_NULL || size_of(made) != static_cast<int>(ranks.size())) return false;
  int relation = MPI_UNEQUAL;
  mpi_check(MPI_Comm_compare(made, parent, &relation));
  if (relation == MPI_IDENT) return false;
  const std::vector<int> own = ranks_in_order(size_of(made));
  std::vector<int> found(own.size(), MPI_UNDEFINED);
  mpi_check(MPI_Group_translate_ranks(group_of(made).get(), size_of(made), own.data(),
                                      group_of(parent).get(), found.data()));
  return found == ranks && found[static_cast<std::size_t>(rank_in(made))] == rank_in(parent);
}

bool adds_up(MPI_Comm made) {
  const std::int64_t own = rank_in(made);
  const std::int64_t size = size_of(made);
  std::int64_t sum = 0;
  mpi_check(MPI_Allreduce(&own, &sum, 1, MPI_INT64_T, MPI_SUM, made));
  return sum == size * (size - 1) / 2;
}

std::optional<std::string> thread_level_obstacle() {
  if (is_simulated()) return "ranks of the simulator are threads of one process already";
  int level = MPI_THREAD_SINGLE;
  mpi_check(MPI_Query_thread(&level));
  if (level >= MPI_THREAD_MULTIPLE) return std::nullopt;
  return fmt::format("MPI gives {}, and threads need MPI_THREAD_MULTIPLE",
                     thread_level_name(level));
}

std::optional<std::string> thread_obstacle(const Point& point) {
  if (auto reason = thread_level_obstacle()) return reason;
  if (!has_rotating_buffers(point)) return std::nullopt;
  return "the buffers of threads stay in one place";
}

ThreadTeam make_team(const Context& context, int threads) {
  const std::vector<int> cpus(context.thread_cpus.begin(), context.thread_cpus.end());
  if (cpus.empty()) return {threads, Waiting::yielding, {}};
  return {threads, context.threads_share_cpus ? Waiting::yielding : Waiting::spinning,
          [cpus, rank = context.rank](int thread) {
            placement::bind_this_thread(cpus.at(static_cast<std::size_t>(thread)),
                                        fmt::format("thread {} of rank {}", thread, rank));
          }};
}

ThreadContexts::ThreadContexts(const Context& context, const Point& point) : context_(context) {
  if (point.parameters[communicators_parameter] == ThreadCommunicators::shared) return;
  for (int thread = 1; thread < threads_of(point); ++thread) {
    mpi_check(MPI_Comm_dup(context.comm, comms_.emplace_back().out()));
  }
}

Context ThreadContexts::of(int thread) const {
  Context made = context_;
  if (comms_.empty()) {
    made.first_tag = thread * tags_of_thread;
  } else if (thread > 0) {
    made.comm = comms_[static_cast<std::size_t>(thread - 1)].get();
  }
  return made;
}

}  // namespace hockney::benchmarks
