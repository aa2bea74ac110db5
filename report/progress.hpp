#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/quantities.hpp"

namespace hockney::report {

/// Output style of progress: a terminal shows one line that overwrites itself; anything else gets
/// one line for each finished launch.
enum class ProgressStyle { terminal, lines };

enum class StepEnd { done, failed, stopped };

constexpr auto words_of(std::type_identity<StepEnd>) {
  return std::to_array<std::string_view>({"done in", "failed after", "stopped after"});
}

/// Prints the progress of a campaign.
class Progress {
 public:
  Progress(std::ostream& out, ProgressStyle style) : out_(out), style_(style) {}

  /// Sets an interim result for the lines of running steps: "widest interval 6.2 %".
  void know(std::string so_far) { so_far_ = std::move(so_far); }
  /// Prints that step `position` of `total` has begun.
  void begin(int position, int total, const std::string& name, std::optional<Seconds> remaining);
  /// Prints the run time so far and the number of blocks measured: on a terminal at once, elsewhere
  /// one line a minute.
  void within(int position, int total, const std::string& name, Seconds elapsed, std::size_t blocks,
              std::optional<Seconds> remaining);
  /// Prints that the step has ended after `duration`; `remark` may be empty.
  void end(int position, int total, const std::string& name, StepEnd how, Seconds duration,
           const std::string& remark);
  /// Leaves the terminal on a fresh line.
  void finish();

 private:
  /// Prints the remaining time and the interim result after a step.
  void notify_rest(std::optional<Seconds> remaining);

  std::ostream& out_;
  ProgressStyle style_;
  std::string so_far_;
  std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

/// Prints the progress of work on many folders: on a terminal one line that overwrites itself,
/// elsewhere a line at most every 30 seconds. The remaining time is added once two folders are
/// done.
class FolderProgress {
 public:
  using Clock = std::chrono::steady_clock;

  FolderProgress(std::ostream& out, ProgressStyle style, std::size_t folders)
      : out_(out), style_(style), folders_(folders) {}

  void begin(const std::string& folder);
  void end() { ++done_; }
  void finish();

 private:
  std::ostream& out_;
  ProgressStyle style_;
  std::size_t folders_;
  std::size_t done_ = 0;
  Clock::time_point started_ = Clock::now();
  Clock::time_point reported_ = Clock::now();
};

/// `terminal` if standard error is a terminal, else `lines`.
ProgressStyle style_of_stderr();

}  // namespace hockney::report
