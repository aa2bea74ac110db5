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

/// What a rank does between a nonblocking call and its completion.
enum class Work {
  none,   ///< waits: the pure time
  alone,  ///< the work without any call: its pure time
  during  ///< the work, and MPI_Test in between
};

constexpr auto words_of(std::type_identity<Work>) {
  return std::to_array<std::string_view>({"none", "alone", "during"});
}

inline constexpr Parameter<Work> work_parameter{hockney::work_parameter};
/// The calls of MPI_Test in the work.
inline constexpr Parameter<int> tests_parameter{hockney::tests_parameter};

/// A nonblocking operation with work beside it, or a rank that works while others operate on it.
/// Before it is told how much work, there is none, and every call is a pure one.
class Overlap {
 public:
  explicit Overlap(const Point& point)
      : work_(point.parameters[work_parameter]), tests_(point.parameters[tests_parameter]) {}

  /// So many rounds of spin() in each call.
  void set_rounds(double rounds);

  /// Whether no call is made, so that no data arrive.
  [[nodiscard]] bool only_works() const { return work_ == Work::alone && rounds_ > 0; }

  /// `start` begins the operation of the request it is given.
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

  /// The work without any call.
  void work() const;

  /// The work where some is to be done during a call, with as many calls of `test` in it as the
  /// point says, at equal distances.
  template <class Test>
  void work_during(Test test) const {
    if (work_ != Work::during || rounds_ == 0) return;
    // The same rounds whatever the number of tests: the last slice takes what is left.
    const std::int64_t slice = rounds_ / (tests_ + 1);
    for (int i = 0; i < tests_; ++i) {
      spin(slice);
      test();
    }
    spin(rounds_ - tests_ * slice);
  }

  /// Whether work goes on during a call.
  [[nodiscard]] bool works_during() const { return work_ == Work::during && rounds_ > 0; }

 private:
  Work work_;
  int tests_;
  std::int64_t rounds_ = 0;
};

/// What the other ranks of a group do while the first one works.
enum class NeighbourWork {
  idle,       ///< they sleep
  computing,  ///< arithmetic that keeps a core's issue slots full
  streaming   ///< passes over memory that no cache holds
};

constexpr auto words_of(std::type_identity<NeighbourWork>) {
  return std::to_array<std::string_view>({"idle", "computing", "streaming"});
}

/// On which pages data are.
enum class PageChoice {
  same,   ///< those that it had since the launch began
  moved,  ///< others for every sample, which have been touched
  fresh   ///< others for every pass, which are touched in it for the first time
};

constexpr auto words_of(std::type_identity<PageChoice>) {
  return std::to_array<std::string_view>({"same", "moved", "fresh"});
}

inline constexpr Parameter<NeighbourWork> neighbours_parameter{"neighbours"};
inline constexpr Parameter<PageChoice> pages_parameter{"pages"};

/// Why a point cannot be measured by an operation that has its memory for itself: it would be at
/// another place, of another kind, of elements, or less than a cache line. nullopt when it can.
std::optional<std::string> own_memory_obstacle(const Point& point);

/// Goes over the memory once: adds 1 to the first word of every cache line and returns the sum of
/// these words, so that nothing of the pass can be left out.
std::uint64_t go_over(std::span<std::byte> memory);

/// The sum that go_over returns when every word was 0 before, and it is called for the n-th time.
std::uint64_t sum_after(std::span<const std::byte> memory, std::int64_t passes);

/// Sets the words that go_over counts in to 0.
void clear_counts(std::span<std::byte> memory);

/// Has every rank do the same piece of work again and again for so many seconds, all at the same
/// time, and says on rank 0 what happened to each rank's core meanwhile; nothing elsewhere.
/// Collective.
std::vector<CoreNoise> record_noise(MPI_Comm comm, double seconds);

}  // namespace hockney::benchmarks
