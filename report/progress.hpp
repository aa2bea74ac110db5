#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "core/units.hpp"

namespace hockney {

/// Where the lines of progress go: a terminal shows one line that overwrites itself, anything else
/// gets one line for every launch that has ended.
enum class ProgressStyle { terminal, lines };

enum class StepEnd { done, failed, stopped };

/// Tells how a long run gets on.
class Progress {
 public:
  Progress(std::ostream& out, ProgressStyle style) : out_(out), style_(style) {}

  /// Step `position` of `total` has begun.
  void begin(int position, int total, const std::string& name, std::optional<Seconds> remaining);
  /// It has ended, after `duration`; `remark` is empty when there is nothing to say about it.
  void end(int position, int total, const std::string& name, StepEnd how, Seconds duration,
           const std::string& remark);
  /// Leaves the terminal on a fresh line.
  void finish();

 private:
  std::ostream& out_;
  ProgressStyle style_;
};

/// The style for standard error: whether it is a terminal.
ProgressStyle style_of_stderr();

}  // namespace hockney
