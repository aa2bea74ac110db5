#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/point.hpp"
#include "core/noise.hpp"

namespace hockney::benchmarks {

/// Computation of a rank between a nonblocking call and its completion.
enum class Work {
  none,   ///< none: only waits
  alone,  ///< only the computation, without a call
  during  ///< computation with MPI_Test calls in it
};

constexpr auto words_of(std::type_identity<Work>) {
  return std::to_array<std::string_view>({"none", "alone", "during"});
}

inline constexpr Parameter<Work> work_parameter{hockney::work_parameter};
/// Number of MPI_Test calls in the computation.
inline constexpr Parameter<int> tests_parameter{hockney::tests_parameter};

/// A nonblocking operation with computation beside it, or a rank that computes while others operate
/// on it. There is no computation before set_rounds().
class Overlap {
 public:
  explicit Overlap(const Point& point)
      : work_(point.parameters[work_parameter]), tests_(point.parameters[tests_parameter]) {}

  /// Sets the computation in each call to `rounds` rounds of spin().
  void set_rounds(double rounds);

  /// Whether no call is made, so that no data arrive.
  [[nodiscard]] bool only_works() const { return work_ == Work::alone && rounds_ > 0; }

  /// `start` begins the operation and sets its request.
  template <class Start>
  void run(Start start) {
    if (only_works()) return work();
    MPI_Request request = MPI_REQUEST_NULL;
    start(&request);
    work_during([&] {
      int is_done = 0;
      MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    });
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

  /// The computation without a call.
  void work() const;

  /// The computation during a call, if the point has one, with its number of calls of `test` at
  /// equal distances.
  template <class Test>
  void work_during(Test test) const {
    if (work_ != Work::during || rounds_ == 0) return;
    // The rounds do not depend on the number of tests: the last slice has the remainder.
    const std::int64_t slice = rounds_ / (tests_ + 1);
    for (int i = 0; i < tests_; ++i) {
      spin(slice);
      test();
    }
    spin(rounds_ - tests_ * slice);
  }

  /// Whether there is computation during a call.
  [[nodiscard]] bool works_during() const { return work_ == Work::during && rounds_ > 0; }

 private:
  Work work_;
  int tests_;
  std::int64_t rounds_ = 0;
};

/// What the other ranks of a group do while the first one is measured.
enum class NeighbourWork {
  idle,       ///< sleep
  computing,  ///< arithmetic that keeps a core's issue slots full
  streaming   ///< passes over memory larger than all caches
};

constexpr auto words_of(std::type_identity<NeighbourWork>) {
  return std::to_array<std::string_view>({"idle", "computing", "streaming"});
}

/// Which pages contain the data.
enum class PageChoice {
  same,   ///< the same pages in the whole launch
  moved,  ///< other pages for every sample, touched before
  fresh   ///< other pages for every pass, touched for the first time in it
};

constexpr auto words_of(std::type_identity<PageChoice>) {
  return std::to_array<std::string_view>({"same", "moved", "fresh"});
}

inline constexpr Parameter<NeighbourWork> neighbours_parameter{"neighbours"};
inline constexpr Parameter<PageChoice> pages_parameter{"pages"};

/// Why an operation with private memory cannot be measured at a point. The point has another cache
/// state, another kind of memory or a datatype, or less than a cache line. nullopt if it can.
std::optional<std::string> own_memory_obstacle(const Point& point);

/// Passes over the memory once: adds 1 to the first word of every cache line and returns the sum of
/// these words, so that the compiler cannot remove any of it.
std::uint64_t go_over(std::span<std::byte> memory);

/// The sum that the n-th call of go_over returns if every word was 0 before the first.
std::uint64_t sum_after(std::span<const std::byte> memory, std::int64_t passes);

/// Sets the words that go_over changes to 0.
void clear_counts(std::span<std::byte> memory);

/// Has every rank repeat one piece of work for `seconds`, all at the same time. Returns the
/// interruptions of each rank's core on rank 0, and nothing on the others. Collective.
std::vector<CoreNoise> record_noise(MPI_Comm comm, double seconds);

}  // namespace hockney::benchmarks
