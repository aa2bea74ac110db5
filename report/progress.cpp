#include "report/progress.hpp"

#include <unistd.h>

#include <string_view>

#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney {
namespace {

constexpr const char* clear_line = "\r\033[K";

std::string place(int position, int total, const std::string& name) {
  return "launch " + std::to_string(position) + "/" + std::to_string(total) + " " + inert(name);
}

std::string_view word(StepEnd how) {
  switch (how) {
    case StepEnd::done:
      return " done in ";
    case StepEnd::failed:
      return " failed after ";
    case StepEnd::stopped:
      break;
  }
  return " stopped after ";
}

}  // namespace

void Progress::begin(int position, int total, const std::string& name,
                     std::optional<Seconds> remaining) {
  if (style_ == ProgressStyle::lines) return;
  out_ << clear_line << place(position, total, name);
  if (remaining) out_ << ", " << format_duration(*remaining) << " left";
  out_ << std::flush;
}

void Progress::end(int position, int total, const std::string& name, StepEnd how, Seconds duration,
                   const std::string& remark) {
  // On a terminal the next line overwrites this one; only what needs attention stays.
  if (style_ == ProgressStyle::terminal && how == StepEnd::done && remark.empty()) return;
  if (style_ == ProgressStyle::terminal) out_ << clear_line;
  out_ << place(position, total, name) << word(how) << format_duration(duration);
  if (!remark.empty()) out_ << " (" << inert(remark) << ")";
  out_ << std::endl;
}

void Progress::finish() {
  if (style_ == ProgressStyle::terminal) out_ << clear_line << std::flush;
}

ProgressStyle style_of_stderr() {
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::terminal : ProgressStyle::lines;
}

}  // namespace hockney
