#include "components/application/library/cpu_meter.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <ctime>
#include <span>
#include <string>
#include <string_view>

#include "components/application/library/thread_list.hpp"

namespace hockney::profile {
namespace {

/// Enough for the lines of schedstat and cpu.stat that are read. The alternate stack of a signal
/// handler may have only 8 KiB.
using Letters = std::array<char, 768>;

/// The beginning of a file; empty if it cannot be read. System calls alone: this library replaces
/// read(), and signal handlers may allocate nothing.
std::string_view text_of(const char* path, std::span<char> letters) {
  const long file = ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const long length = ::syscall(SYS_read, file, letters.data(), letters.size());
  ::syscall(SYS_close, file);
  return {letters.data(), length > 0 ? static_cast<std::size_t>(length) : 0};
}

/// The number at the begin of a text; -1 if there is none.
std::int64_t number_in(std::string_view text) {
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : -1;
}

/// The first two numbers of a schedstat: time on a CPU and on the run queue [ns]; -1 if there are
/// none.
struct Schedstat {
  std::int64_t run = -1;
  std::int64_t queue = -1;
};

Schedstat schedstat_in(const char* path) {
  Letters letters{};
  const std::string_view text = text_of(path, letters);
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return {};
  return {number_in(text), number_in(text.substr(blank + 1))};
}

using Path = std::array<char, 64>;

Path schedstat_of(int thread) {
  Path path{};
  constexpr std::string_view head = "/proc/self/task/";
  constexpr std::string_view tail = "/schedstat";
  char* next = std::copy(head.begin(), head.end(), path.data());
  next = std::to_chars(next, path.data() + path.size() - tail.size() - 1, thread).ptr;
  std::copy(tail.begin(), tail.end(), next);
  return path;
}

std::int64_t nanoseconds_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::int64_t nanoseconds_of(const timeval& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1000;
}

std::int64_t monotonic_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return nanoseconds_of(time);
}

/// User and system time [ns], involuntary and voluntary context switches, minor and major faults.
std::array<std::int64_t, 6> use_of_process() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  // NOLINTBEGIN(cppcoreguidelines-pro-type-union-access): as glibc declares these members
  return {nanoseconds_of(use.ru_utime),
          nanoseconds_of(use.ru_stime),
          use.ru_nivcsw,
          use.ru_nvcsw,
          use.ru_minflt,
          use.ru_majflt};
  // NOLINTEND(cppcoreguidelines-pro-type-union-access)
}

/// Time for which a control group was stopped [ns]: throttled_usec of version 2, throttled_time
/// [ns] of version 1; -1 if the file has neither.
std::int64_t throttled_in(const char* path) {
  Letters letters{};
  const std::string_view text = text_of(path, letters);
  const auto after = [&](std::string_view key) {
    const std::size_t at = text.find(key);
    return at == std::string_view::npos ? -1 : number_in(text.substr(at + key.size()));
  };
  if (const std::int64_t microseconds = after("throttled_usec "); microseconds >= 0) {
    return microseconds * 1000;
  }
  return after("throttled_time ");
}

/// The folder of this process's control group that limits CPU time; empty if there is none.
std::string group_folder() {
  std::array<char, 4096> letters{};
  std::string_view rest = text_of("/proc/self/cgroup", letters);
  std::string folder;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string path(line.substr(second + 1));
    const bool is_cpu = (',' + std::string(controllers) + ',').find(",cpu,") != std::string::npos;
    if (is_cpu) return "/sys/fs/cgroup/" + std::string(controllers) + path;
    if (controllers.empty()) folder = "/sys/fs/cgroup" + path;
  }
  return folder;
}

}  // namespace

void CpuMeter::begin(std::int64_t (*ticks_of)()) {
  constexpr int tries = 32;
  constexpr std::int64_t least_share = 1000;  // of the time that readings may take
  constexpr std::int64_t least_period_ns = 1'000'000;
  thread_ = this_thread();
  find_groups();
  first_ = reading();  // warm-up
  const std::int64_t begin_ticks = ticks_of();
  begin_ns_ = monotonic_ns();
  for (int i = 0; i < tries; ++i) last_ = reading();
  const std::int64_t end_ns = monotonic_ns();
  const std::int64_t took_ticks = std::max<std::int64_t>(ticks_of() - begin_ticks, 1);
  const std::int64_t took_ns = std::max<std::int64_t>(end_ns - begin_ns_, 1);
  reading_ns_ = took_ns / tries;
  const std::int64_t period_ns = std::max(least_period_ns, least_share * reading_ns_);
  period_ticks_ =
      static_cast<std::int64_t>(static_cast<double>(period_ns) * static_cast<double>(took_ticks) /
                                static_cast<double>(took_ns));
  row(0, 0);
  row(0, 1);
  throttled_first_ = throttled_ns();
  used_first_ = use_of_process();
  first_ = last_ = reading();
  last_ticks_ = ticks_of();
  is_begun_ = is_measured_ = true;
}

void CpuMeter::find_groups() {
  std::string folder = group_folder();
  for (auto& path : groups_) {
    if (folder.size() < std::strlen("/sys/fs/cgroup") || folder.size() + 16 > path.size()) return;
    const bool is_root = folder.ends_with('/');
    const std::string file = folder + (is_root ? "cpu.stat" : "/cpu.stat");
    std::copy(file.begin(), file.end(), path.begin());
    folder.resize(std::min(folder.rfind('/'), folder.size()));
  }
}

CpuMeter::Reading CpuMeter::reading() const {
  Reading found;
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  found.cpu_ns = nanoseconds_of(used);
  found.queue_ns = schedstat_in(schedstat_of(thread_).data()).queue;
  return found;
}

std::int64_t CpuMeter::throttled_ns() const {
  std::int64_t most = -1;
  for (const auto& path : groups_) {
    if (path.front() != '\0') most = std::max(most, throttled_in(path.data()));
  }
  return most;
}

std::int64_t CpuMeter::most_queue_ns() const {
  const std::int64_t elapsed = monotonic_ns() - begin_ns_;
  std::int64_t most = -1;
  for_each_thread([&](int thread) {
    if (thread == thread_) return;
    const Schedstat found = schedstat_in(schedstat_of(thread).data());
    // Threads that sleep most of the time, such as those of MPI libraries, do not hold up a rank.
    const bool is_busy = found.run + found.queue > elapsed / 2;
    if (is_busy) most = std::max(most, found.queue);
  });
  return most;
}

CpuRow& CpuMeter::row(std::uint32_t region, std::uint32_t inside) {
  for (std::size_t i = 0; i < used_; ++i) {
    if (rows_[i].region == region && rows_[i].inside == inside) return rows_[i];
  }
  if (used_ == most_rows) return rows_[inside];
  rows_[used_] = CpuRow{.region = region, .inside = inside};
  return rows_[used_++];
}

void CpuMeter::read(std::int64_t now, std::uint32_t region) {
  const Reading next = reading();
  const std::int64_t whole = std::max<std::int64_t>(now - last_ticks_, 1);
  const std::int64_t inside = std::clamp<std::int64_t>(inside_ticks_, 0, whole);
  const std::int64_t cpu = std::max<std::int64_t>(next.cpu_ns - last_.cpu_ns, 0);
  const std::int64_t queue =
      next.queue_ns < 0 ? 0 : std::max<std::int64_t>(next.queue_ns - last_.queue_ns, 0);
  const double share = static_cast<double>(inside) / static_cast<double>(whole);
  const auto part = [&](std::int64_t sum) {
    return static_cast<std::int64_t>(share * static_cast<double>(sum));
  };
  CpuRow& in_mpi = row(region, 1);
  in_mpi.ticks += inside;
  in_mpi.cpu_ns += part(cpu);
  in_mpi.queue_ns += part(queue);
  CpuRow& outside = row(region, 0);
  outside.ticks += whole - inside;
  outside.cpu_ns += cpu - part(cpu);
  outside.queue_ns += queue - part(queue);
  last_ = next;
  last_ticks_ = now;
  inside_ticks_ = 0;
  ++readings_;
}

void CpuMeter::finish(std::int64_t now, std::uint32_t region, std::int64_t inside_ticks,
                      PartHeader& header) {
  if (!is_begun_) return;
  if (is_measured_) {  // a signal may have come on another thread
    add_call(inside_ticks);
    read(now, region);
  }
  const std::array<std::int64_t, 6> used = use_of_process();
  CpuSums& sums = header.cpu;
  sums.is_known = 1;
  sums.user_ns = used[0] - used_first_[0];
  sums.system_ns = used[1] - used_first_[1];
  sums.involuntary = used[2] - used_first_[2];
  sums.voluntary = used[3] - used_first_[3];
  sums.minor_faults = used[4] - used_first_[4];
  sums.major_faults = used[5] - used_first_[5];
  sums.queue_ns = last_.queue_ns < 0 ? -1 : last_.queue_ns - first_.queue_ns;
  sums.other_queue_ns = most_queue_ns();
  const std::int64_t throttled = throttled_ns();
  if (throttled >= 0 && throttled_first_ >= 0) sums.throttled_ns = throttled - throttled_first_;
  sums.readings = readings_;
  sums.reading_ns = reading_ns_;
}

}  // namespace hockney::profile
