#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "components/application/profile/part.hpp"

namespace hockney::profile {

/// CPU use of this process and of the thread that called MPI_Init. Reads getrusage(2), the thread's
/// CPU clock and its schedstat, whose second number is its time on the run queue. It opens files
/// for each reading and closes them again: the program may close any descriptor. Readings are as
/// far apart as keeps their cost at one thousandth of the time, so their cost does not grow with
/// the number of calls. Safe in signal handlers, except for begin().
class CpuMeter {
 public:
  /// Measures the cost of a reading and takes the first one. Call on the thread to be measured.
  /// `ticks_of`: Ticks::now.
  void begin(std::int64_t (*ticks_of)());

  /// Whether this thread is the measured one, and a reading is due at this time.
  [[nodiscard]] bool is_due(std::int64_t now) const {
    return is_measured_ && now - last_ticks_ >= period_ticks_;
  }
  /// Adds a call of the measured thread to the time in MPI since the last reading.
  void add_call(std::int64_t ticks) {
    if (is_measured_) inside_ticks_ += ticks;
  }
  /// Takes a reading. Divides the CPU time since the last one between MPI and the rest by their
  /// wall time. `region`: the innermost region of that time, or 0.
  void read(std::int64_t now, std::uint32_t region);

  /// Takes the last reading, and adds the sums to a header.
  void finish(std::int64_t now, std::uint32_t region, std::int64_t inside_ticks,
              PartHeader& header);

  [[nodiscard]] std::span<const CpuRow> rows() const { return {rows_.data(), used_}; }

 private:
  static constexpr std::size_t most_rows = 128;  ///< rows of later regions go to the first two
  static constexpr std::size_t most_groups = 3;  ///< own control group and those above it

  struct Reading {
    std::int64_t cpu_ns = 0;
    std::int64_t queue_ns = -1;  ///< -1: this kernel has no schedstat
  };

  [[nodiscard]] Reading reading() const;
  void find_groups();
  [[nodiscard]] std::int64_t throttled_ns() const;
  /// Longest time on the run queue of any other thread that was ready to run for most of the time;
  /// -1 if there is none.
  [[nodiscard]] std::int64_t most_queue_ns() const;
  CpuRow& row(std::uint32_t region, std::uint32_t inside);

  // NOLINTNEXTLINE(*-avoid-non-const-global-variables,readability-identifier-naming): of a thread
  static inline thread_local bool is_measured_ __attribute__((tls_model("initial-exec"))) = false;

  bool is_begun_ = false;
  int thread_ = 0;  ///< as numbered by the kernel
  std::int64_t begin_ns_ = 0;
  std::int64_t period_ticks_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_ticks_ = 0;
  std::int64_t inside_ticks_ = 0;
  Reading first_;
  Reading last_;
  std::int64_t throttled_first_ = -1;
  std::int64_t readings_ = 0;
  std::int64_t reading_ns_ = 0;  ///< cost of one
  std::array<std::int64_t, 6> used_first_{};
  std::array<CpuRow, most_rows> rows_{};
  std::size_t used_ = 0;
  std::array<std::array<char, 512>, most_groups> groups_{};  ///< paths of their cpu.stat
};

}  // namespace hockney::profile
