#include "health/report/folder_progress.hpp"

#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney {
namespace {

constexpr const char* clear_line = "\r\033[K";
constexpr std::chrono::seconds between_lines{30};
constexpr std::size_t folders_to_judge_by = 2;

}  // namespace

void FolderProgress::begin(const std::string& folder) {
  const bool terminal = style_ == ProgressStyle::terminal;
  const Clock::time_point now = Clock::now();
  if (!terminal && now - told_ < between_lines) return;
  told_ = now;
  out_ << (terminal ? clear_line : "") << "folder " << done_ + 1 << "/" << folders_ << " "
       << inert(folder);
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

}  // namespace hockney
