#include "report/progress.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr const char* clear_line = "\r\033[K";

std::string place(int position, int total, const std::string& name) {
  return fmt::format("launch {}/{} {}", position, total, escaped(name));
}

constexpr std::chrono::seconds between_lines{30};
constexpr std::size_t folders_to_judge_by = 2;

}  // namespace

void Progress::notify_rest(std::optional<Seconds> remaining) {
  if (remaining) out_ << ", " << format_duration(*remaining) << " left";
  if (!so_far_.empty()) out_ << ", " << so_far_;
}

void Progress::begin(int position, int total, const std::string& name,
                     std::optional<Seconds> remaining) {
  if (style_ == ProgressStyle::lines) return;
  out_ << clear_line << place(position, total, name);
  notify_rest(remaining);
  out_ << std::flush;
}

void Progress::within(int position, int total, const std::string& name, Seconds elapsed,
                      std::size_t blocks, std::optional<Seconds> remaining) {
  constexpr std::chrono::minutes between_lines{1};
  const bool terminal = style_ == ProgressStyle::terminal;
  const auto now = std::chrono::steady_clock::now();
  if (!terminal && now - reported_ < between_lines) return;
  reported_ = now;
  out_ << fmt::format("{}{} for {}, {}", terminal ? clear_line : "", place(position, total, name),
                      format_duration(elapsed), count_text(blocks, "block"));
  notify_rest(remaining);
  out_ << (terminal ? "" : "\n") << std::flush;
}

void Progress::end(int position, int total, const std::string& name, StepEnd how, Seconds duration,
                   const std::string& remark) {
  // On a terminal the next line overwrites this one; lines with failures or remarks stay.
  if (style_ == ProgressStyle::terminal && how == StepEnd::done && remark.empty()) return;
  if (style_ == ProgressStyle::terminal) out_ << clear_line;
  out_ << fmt::format("{} {} {}", place(position, total, name), word(how),
                      format_duration(duration));
  if (!remark.empty()) out_ << " (" << escaped(remark) << ")";
  out_ << std::endl;
  reported_ = std::chrono::steady_clock::now();
}

void Progress::finish() {
  if (style_ == ProgressStyle::terminal) out_ << clear_line << std::flush;
}

void FolderProgress::begin(const std::string& folder) {
  const bool terminal = style_ == ProgressStyle::terminal;
  const Clock::time_point now = Clock::now();
  if (!terminal && now - reported_ < between_lines) return;
  reported_ = now;
  out_ << fmt::format("{}folder {}/{} {}", terminal ? clear_line : "", done_ + 1, folders_,
                      escaped(folder));
  if (done_ >= folders_to_judge_by) {
    const std::chrono::duration<double> elapsed = now - started_;
    const double each = elapsed.count() / static_cast<double>(done_);
    out_ << ", " << format_duration(Seconds{each * static_cast<double>(folders_ - done_)})
         << " left";
  }
  out_ << (terminal ? "" : "\n") << std::flush;
}

void FolderProgress::finish() {
  if (style_ == ProgressStyle::terminal) out_ << clear_line << std::flush;
}

ProgressStyle style_of_stderr() {
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::terminal : ProgressStyle::lines;
}

}  // namespace hockney::report
