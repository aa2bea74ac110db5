#include "report/progress.hpp"

#include <unistd.h>

#include "core/durations.hpp"

namespace hockney {
namespace {

constexpr const char* clear_line = "\r\033[K";

std::string place(int position, int total, const std::string& name) {
  return "launch " + std::to_string(position) + "/" + std::to_string(total) + " " + name;
}

}  // namespace

void Progress::begin(int position, int total, const std::string& name,
                     std::optional<Seconds> remaining) {
  if (style_ == ProgressStyle::lines) return;
  out_ << clear_line << place(position, total, name);
  if (remaining) out_ << ", " << format_duration(*remaining) << " left";
  out_ << std::flush;
}

void Progress::end(int position, int total, const std::string& name, Seconds duration,
                   const std::string& trouble) {
  if (style_ == ProgressStyle::terminal && trouble.empty()) return;
  if (style_ == ProgressStyle::terminal) out_ << clear_line;
  out_ << place(position, total, name) << (trouble.empty() ? " done in " : " failed after ")
       << format_duration(duration);
  if (!trouble.empty()) out_ << " (" << trouble << ")";
  out_ << std::endl;
}

void Progress::finish() {
  if (style_ == ProgressStyle::terminal) out_ << clear_line << std::flush;
}

ProgressStyle style_of_stderr() {
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::terminal : ProgressStyle::lines;
}

}  // namespace hockney
