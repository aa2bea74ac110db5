#include "benchmarks/harness/time_limit.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <string_view>

#include "benchmarks/harness/point_under_way.hpp"
#include "core/error.hpp"
#include "core/time.hpp"

namespace hockney::benchmarks {
namespace {

constexpr double silent_seconds = 2;  // longer, so that the rank that prints ends first

int limit_signal() { return SIGRTMAX - 2; }  // not that of end_with_parent()

using FixedText = std::array<char, 512>;

/// All that the handler needs, which may neither take memory nor locks.
struct Watch {
  timer_t timer;
  bool is_set;
  bool speaks;
  double grace_seconds;
  std::atomic<bool> has_passed;
  FixedText subject;  ///< that has the limit
  FixedText limit;    ///< in words
  FixedText file;     ///< that keeps what was measured; empty: none
};

Watch& watch() {
  static constinit Watch only{};
  return only;
}

void put(const std::string& text, FixedText& place) {
  const std::size_t length = std::min(text.size(), place.size() - 1);
  std::copy_n(text.begin(), length, place.begin());
  place[length] = '\0';
}

void print(std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (::write(STDERR_FILENO, part.data(), part.size()) < 0) return;
  }
}

void end_process() {
  if (watch().speaks) {
    const std::string_view point = point_under_way();
    const std::string_view file = watch().file.data();
    print({watch().subject.data(), " takes longer than its limit of ", watch().limit.data(),
           " (it is still", point.empty() ? " between two points" : " at ", point, ") ",
           file.empty() ? "nothing is kept without -o" : "what was measured is in '", file,
           file.empty() ? "\n" : "'\n"});
  }
  ::_exit(static_cast<int>(ExitCode::run_failed));
}

void on_signal(int) {
  if (watch().has_passed.exchange(true)) end_process();
}

timespec span_of(double seconds) {
  constexpr double shortest = 1e-3;  // 0 would stop the timer
  const double some = std::max(shortest, seconds);
  const double whole = std::floor(some);
  timespec span{};
  span.tv_sec = static_cast<time_t>(whole);
  span.tv_nsec = static_cast<long>((some - whole) * 1e9);
  return span;
}

void set_timer(Seconds limit) {
  const itimerspec times{.it_interval = span_of(watch().grace_seconds),
                         .it_value = span_of(limit.value)};
  ::timer_settime(watch().timer, 0, &times, nullptr);
}

void begin(Seconds limit, const std::string& subject) {
  watch().has_passed = false;
  put(subject, watch().subject);
  put(format_duration(limit), watch().limit);
  set_timer(limit);
}

}  // namespace

TimeLimit::TimeLimit(Seconds limit, Speaker speaker, Seconds grace) {
  Watch& only = watch();
  only.speaks = speaker == Speaker::yes;
  only.grace_seconds = grace.value + (only.speaks ? 0 : silent_seconds);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = limit_signal();
  if (::sigaction(limit_signal(), &action, nullptr) != 0) return;
  only.is_set = ::timer_create(CLOCK_MONOTONIC, &event, &only.timer) == 0;
  if (only.is_set) begin(limit, "the launch");
}

TimeLimit::~TimeLimit() {
  if (watch().is_set) ::timer_delete(watch().timer);
  watch().is_set = false;
}

void TimeLimit::restart(Seconds limit, const std::string& subject) {
  if (watch().is_set) begin(limit, subject);
}

void TimeLimit::spare() {
  constexpr Seconds minute{60};
  if (watch().is_set) set_timer(minute);
}

void TimeLimit::keeps(const std::string& file) { put(file, watch().file); }

bool TimeLimit::has_passed() { return watch().has_passed; }

std::string TimeLimit::words() {
  return std::string(watch().subject.data()) + " took longer than its limit of " +
         watch().limit.data();
}

}  // namespace hockney::benchmarks
