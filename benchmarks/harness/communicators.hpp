#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/thread_team.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/mpi_objects.hpp"

namespace hockney::benchmarks {

/// Sleeps for `time`; returns at once if it is not positive. Under a simulator it is simulated
/// time: its mpi.h replaces the system call, but only in the source that contains it.
/// std::this_thread::sleep_for is inline: the linker keeps any of its copies, perhaps one that
/// really sleeps.
void sleep_for(std::chrono::nanoseconds time);

/// The ranks of a communicator. The group duplicates it, so that control messages never mix with
/// those of the operations.
class MpiRankGroup final : public RankGroup {
 public:
  explicit MpiRankGroup(MPI_Comm comm);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void barrier() override;
  void pass(int to, int from) override;
  std::int64_t from_first(std::int64_t value) override;
  void maximum(std::span<double> values) override;

  /// The communicator for the operations.
  [[nodiscard]] MPI_Comm operations() const { return operations_; }

 private:
  MPI_Comm operations_;
  UniqueComm control_;
  int rank_;
  int size_;
};

/// A barrier whose waiting ranks sleep, so that measuring ranks have the cores. Under a simulator
/// it is a plain barrier: waiting takes no real time there, but polling is slow.
void quiet_barrier(MPI_Comm comm);

/// Whether all ranks of `comm` call this within ten seconds; waiting ranks sleep.
bool all_come(MPI_Comm comm);

/// A rank's place in groups of nearby ranks.
struct GroupPlace {
  int group = 0;  ///< number of the group, which is the rank in every lane
  int local = 0;  ///< rank in the group, which is the number of the lane
};

/// The ranks of a context in groups of equal size, for collectives in two levels. The groups are
/// the nodes; if all ranks are on one node, its first and second half; if sizes differ, one group
/// of all ranks. A lane contains the ranks at one place in all groups, in order of groups; lane 0
/// are the leaders. Construction is collective.
class RankGroups {
 public:
  explicit RankGroups(const Context& context);

  [[nodiscard]] MPI_Comm group() const { return group_.get(); }  ///< of this rank's group
  [[nodiscard]] MPI_Comm lane() const { return lane_.get(); }    ///< of this rank's lane
  [[nodiscard]] const GroupPlace& place(int rank) const {
    return places_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] int group_size() const { return group_size_; }
  [[nodiscard]] int groups() const { return static_cast<int>(places_.size()) / group_size_; }
  /// The rank at a place.
  [[nodiscard]] int rank_at(const GroupPlace& place) const;

 private:
  UniqueComm group_;
  UniqueComm lane_;
  int group_size_ = 1;
  std::vector<GroupPlace> places_;
};

/// Why a reduction cannot use groups: they may change the order of ranks, on which the point's
/// operator depends. nullopt if it can.
std::optional<std::string> order_obstacle(const Point& point);

/// A communicator in which each rank's number is its position. Collective.
UniqueComm in_order_of_positions(MPI_Comm comm, const std::vector<int>& positions);

}  // namespace hockney::benchmarks

/// The time to make and to free a communicator. A way of making one is a struct with
/// - `words`: its descriptions;
/// - a constructor from a Context, which makes everything that the call needs;
/// - `make(comm)`: the call; returns its return code;
/// - `is_right(comm)`: whether the new communicator has the requested ranks and topology;
/// - optionally `obstacle(point)`, like that of operations.
namespace hockney::benchmarks {

/// Descriptions of a way of making communicators.
struct CommWords {
  std::string_view name;
  std::string_view function;  ///< of MPI, and its result
};

/// Whether the ranks of `made` are these of `parent`, in this order, and `made` is not `parent`.
/// Local.
bool has_ranks(MPI_Comm made, MPI_Comm parent, const std::vector<int>& ranks);

/// 0 .. size-1.
std::vector<int> ranks_in_order(int size);

/// Whether the ranks of `made` can communicate: checks the sum of their numbers. Collective over
/// `made`.
bool adds_up(MPI_Comm made);

namespace created {

constexpr Descriptor describe(const FixedText& name, const FixedText& summary) {
  return {.name = name.view(),
          .summary = summary.view(),
          .counts = "nothing, it carries no data",
          .shape = GroupShape::everybody,
          .timing = Timing::last_rank,
          .single = true,
          .sized = false,
          .sizes = "nothing: there is one size, 0",
          .needs_ready = true};
}

/// Calls must not follow each other directly: each would find the communicators of those before it.
template <class Way>
std::optional<std::string> obstacle(const Point& point) {
  if (point.parameters[cadence_parameter] == Cadence::streaming) {
    return "communicators are made and freed one by one";
  }
  if constexpr (requires { Way::obstacle(point); }) return Way::obstacle(point);
  return std::nullopt;
}

}  // namespace created

/// Makes a communicator, and frees it before the next one is made, untimed.
template <class Way>
class CommCreation {
  static constexpr FixedText name{Way::words.name};
  static constexpr FixedText summary{Way::words.function,
                                     ", until the last rank has it; freed untimed"};

 public:
  static constexpr Descriptor descriptor = created::describe(name, summary);
  static Volume volume(const Point&) { return {.operations = 1}; }
  static std::optional<std::string> obstacle(const Point& point) {
    return created::obstacle<Way>(point);
  }

  CommCreation(const Context& context, const Point&) : way_(context) {}

  void run() { result_ = way_.make(made_.out()); }

  void ready() { made_ = UniqueComm(); }
  void refill(std::uint64_t) {
    ready();
    result_ = MPI_ERR_PENDING;
  }
  void settle() { adds_up_ = made_ && adds_up(made_.get()); }
  [[nodiscard]] bool verify(std::uint64_t) const {
    return result_ == MPI_SUCCESS && adds_up_ && way_.is_right(made_.get());
  }

 private:
  Way way_;
  UniqueComm made_;
  int result_ = MPI_ERR_PENDING;
  bool adds_up_ = false;
};

/// Frees a communicator that was just made, untimed.
template <class Way>
class CommFreeing {
  static constexpr FixedText name{Way::words.name, "-free"};
  static constexpr FixedText summary{"MPI_Comm_free of what was made, untimed, by ",
                                     Way::words.function, "; until the last rank is through"};

 public:
  static constexpr Descriptor descriptor = created::describe(name, summary);
  static Volume volume(const Point&) { return {.operations = 1}; }
  static std::optional<std::string> obstacle(const Point& point) {
    return created::obstacle<Way>(point);
  }

  CommFreeing(const Context& context, const Point&) : way_(context) {}
  CommFreeing(const CommFreeing&) = delete;
  CommFreeing& operator=(const CommFreeing&) = delete;
  CommFreeing(CommFreeing&&) = delete;
  CommFreeing& operator=(CommFreeing&&) = delete;
  ~CommFreeing() {
    if (made_ != MPI_COMM_NULL) MPI_Comm_free(&made_);
  }

  /// Untimed first calls follow each other without ready(); then there is no communicator to free.
  void run() {
    if (made_ == MPI_COMM_NULL && way_.make(&made_) != MPI_SUCCESS) return;
    result_ = MPI_Comm_free(&made_);
  }

  void ready() {
    if (made_ != MPI_COMM_NULL) return;
    is_good_ = way_.make(&made_) == MPI_SUCCESS && way_.is_right(made_) && is_good_;
  }
  void refill(std::uint64_t) {
    is_good_ = true;
    result_ = MPI_ERR_PENDING;
  }
  [[nodiscard]] bool verify(std::uint64_t) const {
    return is_good_ && result_ == MPI_SUCCESS && made_ == MPI_COMM_NULL;
  }

 private:
  Way way_;
  MPI_Comm made_ = MPI_COMM_NULL;
  int result_ = MPI_ERR_PENDING;
  bool is_good_ = true;
};

/// Whether messages of a rank's threads differ by tag or by communicator.
enum class ThreadCommunicators {
  shared,  ///< one communicator for all, separate tags for each
  each     ///< a separate communicator for each
};

constexpr auto words_of(std::type_identity<ThreadCommunicators>) {
  return std::to_array<std::string_view>({"shared", "each"});
}

/// Number of threads of each rank, at least 1, and their communicators.
inline constexpr Parameter<int> threads_parameter{"threads", 1};
inline constexpr Parameter<ThreadCommunicators> communicators_parameter{"communicators",
                                                                        ThreadCommunicators::each};
inline int threads_of(const Point& point) { return point.parameters[threads_parameter]; }

/// Most threads of a rank: every MPI has tags for so many (MPI_TAG_UB is at least 32767).
inline constexpr int most_threads = 32767 / tags_of_thread;

/// Why several threads of this process cannot call MPI at once; nullopt if they can.
std::optional<std::string> thread_level_obstacle();

/// Why threads cannot run an operation at a point: they must not call MPI, or its buffers rotate.
/// nullopt if they can.
std::optional<std::string> thread_obstacle(const Point& point);

/// The seed of the data of one thread; threads send different messages.
inline std::uint64_t thread_seed(std::uint64_t seed, int thread) {
  return seed + static_cast<std::uint64_t>(thread) * 0xD1B54A32D192ED03U;
}

/// The threads of this rank at a point, each bound to its CPU if the context has CPUs for them.
/// RunError if a thread cannot be bound. Threads that share CPUs, or whose CPUs are unknown, yield
/// the CPU while they wait for each other.
ThreadTeam make_team(const Context& context, int threads);

/// The contexts of an operation for the threads of a rank, one for each.
class ThreadContexts {
 public:
  /// Collective over the context's communicator. If each thread has a communicator, it is
  /// duplicated for every thread except the first.
  ThreadContexts(const Context& context, const Point& point);

  [[nodiscard]] Context of(int thread) const;

 private:
  Context context_;
  std::vector<UniqueComm> comms_;  ///< of threads 1, 2, ...; empty if shared
};

}  // namespace hockney::benchmarks
