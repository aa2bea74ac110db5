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

/// Lets the core go for so long; nothing for a time that is not positive. Under a simulator it is
/// simulated time: its mpi.h replaces the call of the system, but only where that is written out.
/// std::this_thread::sleep_for is a copy in every file that uses it, of which the linker keeps any,
/// and that may be one that really sleeps.
void sleep_for(std::chrono::nanoseconds time);

/// The ranks of a communicator, which the group duplicates so that its own traffic never meets the
/// traffic of the operations.
class MpiRankGroup final : public RankGroup {
 public:
  explicit MpiRankGroup(MPI_Comm comm);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void barrier() override;
  void pass(int to, int from) override;
  std::int64_t from_first(std::int64_t value) override;
  void maximum(std::span<double> values) override;

  /// The communicator for the operations themselves.
  [[nodiscard]] MPI_Comm operations() const { return operations_; }

 private:
  MPI_Comm operations_;
  UniqueComm control_;
  int rank_;
  int size_;
};

/// A barrier whose waiting ranks sleep, so that they leave their core to ranks that measure. Under
/// a simulator a plain barrier: there waiting costs nothing, and polling would cost everything.
void quiet_barrier(MPI_Comm comm);

/// Whether all ranks of `comm` call this within ten seconds; those that wait sleep.
bool all_come(MPI_Comm comm);

/// Where a rank is among groups of ranks that are near to each other.
struct GroupPlace {
  int group = 0;  ///< its number, which is the rank in every lane
  int local = 0;  ///< rank in the group, and number of the lane
};

/// The ranks of a context in groups of equal size, for collectives in two levels: the nodes; where
/// all ranks are on one node, its first and its second half; where these differ in size, all ranks
/// in one group. A lane holds the ranks with one place in all groups, in order of groups; lane 0
/// are the leaders. Construction is collective.
class RankGroups {
 public:
  explicit RankGroups(const Context& context);

  [[nodiscard]] MPI_Comm group() const { return group_.get(); }  ///< of this rank
  [[nodiscard]] MPI_Comm lane() const { return lane_.get(); }    ///< of this rank
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

/// Why a reduction cannot go through groups: they need not be in the order of ranks, which matters
/// to the point's operator. nullopt when it can.
std::optional<std::string> order_obstacle(const Point& point);

/// A communicator in which each rank has its position as its rank. Collective.
UniqueComm in_order_of_positions(MPI_Comm comm, const std::vector<int>& positions);

}  // namespace hockney::benchmarks

/// What it costs to make a communicator, and to free it. A way of making one is a struct with
/// - `words`: what it says of itself;
/// - a constructor from a Context, which makes all that the call needs;
/// - `make(comm)`: the call, and its return code;
/// - `is_right(comm)`: whether what was made has the ranks and the topology that were asked for;
/// - `obstacle(point)`, if there is one, as that of operations.
namespace hockney::benchmarks {

/// What a way of making communicators says of itself.
struct CommWords {
  std::string_view name;
  std::string_view function;  ///< of MPI, and what it makes
};

/// Whether the ranks of `made` are these of `parent`, in this order, and it is another communicator
/// than `parent`. Local.
bool has_ranks(MPI_Comm made, MPI_Comm parent, const std::vector<int>& ranks);

/// 0 .. size-1.
std::vector<int> ranks_in_order(int size);

/// Whether the ranks of `made` can communicate: the sum of their numbers is right. Collective over
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

/// Of calls in a row each would find the communicators of those before it.
template <class Way>
std::optional<std::string> obstacle(const Point& point) {
  if (point.parameters[cadence_parameter] == Cadence::streaming) {
    return "communicators are made and freed one by one";
  }
  if constexpr (requires { Way::obstacle(point); }) return Way::obstacle(point);
  return std::nullopt;
}

}  // namespace created

/// Making a communicator. It is freed before the next one is made, untimed.
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

/// Freeing a communicator that was made, untimed, just before.
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

  /// Where calls follow each other without ready(), as they do before anything is timed, there is
  /// nothing left to free.
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

/// Whether the threads of a rank tell their messages apart by tags or by communicators.
enum class ThreadCommunicators {
  shared,  ///< one communicator for all, and tags of its own for each
  each     ///< a communicator for each
};

constexpr auto words_of(std::type_identity<ThreadCommunicators>) {
  return std::to_array<std::string_view>({"shared", "each"});
}

/// Threads of each rank, at least 1, and their communicators.
inline constexpr Parameter<int> threads_parameter{"threads", 1};
inline constexpr Parameter<ThreadCommunicators> communicators_parameter{"communicators",
                                                                        ThreadCommunicators::each};
inline int threads_of(const Point& point) { return point.parameters[threads_parameter]; }

/// Threads of a rank at most: as many as there are tags for in every MPI (MPI_TAG_UB is at least
/// 32767).
inline constexpr int most_threads = 32767 / tags_of_thread;

/// "MPI_THREAD_SINGLE" and so on.
std::string thread_level_name(int level);

/// Why threads cannot call MPI at the same time in this process; nullopt when they can.
std::optional<std::string> thread_level_obstacle();

/// Why threads cannot run an operation as a point says: they may not call MPI, or its buffers
/// rotate. nullopt when they can.
std::optional<std::string> thread_obstacle(const Point& point);

/// The seed of the data of one thread, so that the message of one is not that of another.
inline std::uint64_t thread_seed(std::uint64_t seed, int thread) {
  return seed + static_cast<std::uint64_t>(thread) * 0xD1B54A32D192ED03U;
}

/// The threads of this rank at a point, each bound to its CPU where the context has some for them.
/// RunError when one cannot be bound. Threads that share CPUs, or whose CPUs are not known, let go
/// of theirs while they wait for each other.
ThreadTeam make_team(const Context& context, int threads);

/// What the threads of a rank work with: the context of an operation for each of them.
class ThreadContexts {
 public:
  /// Collective over the context's communicator, which is duplicated for each thread but the first
  /// where each has one.
  ThreadContexts(const Context& context, const Point& point);

  [[nodiscard]] Context of(int thread) const;

 private:
  Context context_;
  std::vector<UniqueComm> comms_;  ///< of threads 1, 2, ...; none where it is shared
};

}  // namespace hockney::benchmarks
