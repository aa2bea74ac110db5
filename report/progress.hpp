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

/// Where the lines of progress go: a terminal shows one line that overwrites itself, anything else
/// gets one line for every launch that has ended.
enum class ProgressStyle { terminal, lines };

enum class StepEnd { done, failed, stopped };

constexpr auto words_of(std::type_identity<StepEnd>) {
  return std::to_array<std::string_view>({"done in", "failed after", "stopped after"});
}

/// Tells how a long run gets on.
class Progress {
 public:
  Progress(std::ostream& out, ProgressStyle style) : out_(out), style_(style) {}

  /// What is known so far, for the lines of steps under way: "widest interval 6.2 %".
  void know(std::string so_far) { so_far_ = std::move(so_far); }
  /// Step `position` of `total` has begun.
  void begin(int position, int total, const std::string& name, std::optional<Seconds> remaining);
  /// It runs since `elapsed`, and has measured so many blocks. A terminal shows it at once,
  /// anything else gets a line a minute.
  void within(int position, int total, const std::string& name, Seconds elapsed, std::size_t blocks,
              std::optional<Seconds> remaining);
  /// It has ended, after `duration`; `remark` is empty when there is nothing to say about it.
  void end(int position, int total, const std::string& name, StepEnd how, Seconds duration,
           const std::string& remark);
  /// Leaves the terminal on a fresh line.
  void finish();

 private:
  /// Behind the step itself: what remains, and what is known.
  void tell_rest(std::optional<Seconds> remaining);

  std::ostream& out_;
  ProgressStyle style_;
  std::string so_far_;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

/// Tells how work on many folders gets on: on a terminal one line that overwrites itself, elsewhere
/// a line at most every 30 seconds; with the time that is left, once two folders are done.
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
  Clock::time_point told_ = Clock::now();
};

/// The style for standard error: whether it is a terminal.
ProgressStyle style_of_stderr();

}  // namespace hockney::report
