#include "benchmarks/harness/crash_notice.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "benchmarks/harness/environment.hpp"
#include "core/death_notice.hpp"

namespace hockney::benchmarks {
namespace {

struct CrashSignal {
  int number;
  std::string_view name;
};

constexpr std::array crash_signals{CrashSignal{SIGSEGV, "SIGSEGV"}, CrashSignal{SIGBUS, "SIGBUS"},
                                   CrashSignal{SIGFPE, "SIGFPE"}, CrashSignal{SIGILL, "SIGILL"},
                                   CrashSignal{SIGABRT, "SIGABRT"}};

constexpr int most_frames = 32;

/// All data of the handler, which must neither allocate memory nor take locks.
struct Notice {
  std::array<char, 32> who;
  bool has_leave_out;
  std::array<struct sigaction, crash_signals.size()> before;
};

Notice& notice() {
  static constinit Notice only{};
  return only;
}

/// Text of one write, so that lines of several ranks do not mix.
class NoticeText {
 public:
  NoticeText& operator<<(std::string_view part) {
    const std::size_t length = std::min(part.size(), text_.size() - length_);
    std::copy_n(part.begin(), length, text_.begin() + length_);
    length_ += length;
    return *this;
  }
  void print() const {
    if (::write(STDERR_FILENO, text_.data(), length_) < 0) return;
  }

 private:
  std::array<char, 1400> text_;
  std::size_t length_ = 0;
};

std::string_view file_name(const char* path) {
  const std::string_view whole(path);
  return whole.substr(whole.rfind('/') + 1);  // npos + 1 is 0
}

/// Whether calls into it are not what went wrong: the C library, where raise() and memcpy() are.
bool is_of_system(std::string_view library) {
  return library.starts_with("libc.so") || library.starts_with("libc-") ||
         library.starts_with("libpthread") || library.starts_with("ld-") ||
         library.starts_with("linux-vdso");
}

/// The library that the signal came in; empty if unknown. The first frame is the handler's own.
std::string_view dying_library(void* const* frames, int count) {
  for (int i = 1; i < count; ++i) {
    Dl_info found{};
    if (::dladdr(frames[i], &found) == 0 || found.dli_fname == nullptr) continue;
    const std::string_view name = file_name(found.dli_fname);
    if (!is_of_system(name)) return name;
  }
  return {};
}

void on_death(int number) {
  const auto* const signal = std::ranges::find(crash_signals, number, &CrashSignal::number);
  const std::string_view who(notice().who.data());
  const std::string_view point = current_point();
  NoticeText first;
  first << who << death_words::died_of << signal->name;
  if (point.empty()) {
    first << death_words::between_points;
  } else if (notice().has_leave_out) {
    first << death_words::at << point << death_words::leave_out << point << "'\n";
  } else {
    first << death_words::at << point << ")\n";
  }
  first.print();
  ::sigaction(number, &notice().before[static_cast<std::size_t>(signal - crash_signals.begin())],
              nullptr);
  // May not return if the process died inside the loader or malloc: the first line is out.
  std::array<void*, most_frames> frames{};
  const int count = ::backtrace(frames.data(), most_frames);
  if (const std::string_view library = dying_library(frames.data(), count); !library.empty()) {
    NoticeText second;
    second << who << death_words::died_of << signal->name << death_words::in << library << "\n";
    second.print();
  }
  ::raise(number);  // for the handler of before, once this one returns
}

}  // namespace

CrashNotice::CrashNotice(int rank, bool has_leave_out) {
  if (is_simulated()) return;
  notice().has_leave_out = has_leave_out;
  const std::string who = fmt::format("rank {}", rank);
  std::copy_n(who.c_str(), who.size() + 1, notice().who.begin());
  std::array<void*, 1> first{};
  ::backtrace(first.data(), 1);  // loads libgcc, which takes memory
  struct sigaction action {};
  action.sa_handler = on_death;
  for (std::size_t i = 0; i < crash_signals.size(); ++i) {
    ::sigaction(crash_signals[i].number, &action, &notice().before[i]);
  }
}

CrashNotice::~CrashNotice() {
  if (is_simulated()) return;
  for (std::size_t i = 0; i < crash_signals.size(); ++i) {
    ::sigaction(crash_signals[i].number, &notice().before[i], nullptr);
  }
}

}  // namespace hockney::benchmarks
