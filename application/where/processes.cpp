#include "application/where/processes.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/binding.hpp"

namespace hockney::where {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_command = 40;

std::string text_of(const fs::path& file) {
  const std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What proc(5) has in /proc/PID/stat, from the third field on.
struct Stat {
  std::string command;
  std::vector<std::string> fields;

  [[nodiscard]] std::int64_t number(std::size_t field) const {
    constexpr std::size_t first = 3;
    const std::size_t index = field - first;
    return index < fields.size() ? as_number<std::int64_t>(fields[index]).value_or(0) : 0;
  }
};

/// The name may hold blanks and brackets; what follows its last bracket holds none.
std::optional<Stat> read_stat(const fs::path& file) {
  const std::string text = text_of(file);
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 2 > text.size()) {
    return std::nullopt;
  }
  return Stat{text.substr(open + 1, close - open - 1),
              split(std::string_view(text).substr(close + 2), ' ')};
}

/// Of /proc/PID/status; empty where it tells none.
std::vector<int> allowed_cpus(const fs::path& status) {
  constexpr std::string_view key = "Cpus_allowed_list:";
  for (const std::string& line : split(text_of(status), '\n')) {
    if (!line.starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", key.size());
    try {
      return begin == std::string::npos ? std::vector<int>()
                                        : placement::parse_cpus(line.substr(begin));
    } catch (const InputError&) {
      return {};
    }
  }
  return {};
}

std::optional<ThreadSample> read_thread(const fs::path& folder) {
  constexpr std::size_t user_time = 14;
  constexpr std::size_t system_time = 15;
  constexpr std::size_t processor = 39;
  const auto stat = read_stat(folder / "stat");
  if (!stat) return std::nullopt;
  ThreadSample thread;
  thread.ticks = stat->number(user_time) + stat->number(system_time);
  thread.is_running = !stat->fields.empty() && stat->fields.front() == "R";
  thread.last_cpu = static_cast<int>(stat->number(processor));
  thread.allowed_cpus = allowed_cpus(folder / "status");
  return thread.allowed_cpus.empty() ? std::nullopt : std::optional(thread);
}

std::string owner_of(const fs::path& folder) {
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) != 0) return {};
  const passwd* entry = ::getpwuid(facts.st_uid);
  return entry == nullptr ? std::to_string(facts.st_uid) : std::string(entry->pw_name);
}

/// The name of its program, of which the kernel's own record has 15 characters. No arguments: they
/// may hold what is nobody's business.
std::string command_of(const fs::path& folder, const Stat& stat) {
  const std::string words = text_of(folder / "cmdline");
  const std::string first = words.substr(0, words.find('\0'));
  const std::string name = first.substr(first.rfind('/') + 1);
  return name.empty() ? stat.command : shortened(name, longest_command);
}

/// nullopt for a thread of the kernel and for a process that has ended.
std::optional<ProcessSample> read_process(const fs::path& folder) {
  constexpr std::size_t parent = 4;
  constexpr std::size_t flags = 9;
  constexpr std::int64_t is_of_kernel = 0x00200000;  // PF_KTHREAD
  const auto stat = read_stat(folder / "stat");
  if (!stat || (stat->number(flags) & is_of_kernel) != 0) return std::nullopt;
  ProcessSample process{.parent = static_cast<int>(stat->number(parent)),
                        .command = command_of(folder, *stat),
                        .user = owner_of(folder),
                        .threads = {}};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / "task", error)) {
    const auto number = as_number<int>(entry.path().filename().string());
    if (!number) continue;
    if (const auto thread = read_thread(entry.path())) process.threads.emplace(*number, *thread);
  }
  return process.threads.empty() ? std::nullopt : std::optional(process);
}

/// Ticks that a thread used between two moments; 0 where it was not there before.
std::int64_t ticks_between(const ProcessSample& before, int thread, const ThreadSample& after) {
  const auto found = before.threads.find(thread);
  return found == before.threads.end() ? 0 : after.ticks - found->second.ticks;
}

}  // namespace

ProcessSamples sample_processes(const std::string& proc) {
  ProcessSamples samples;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(proc, error)) {
    const auto pid = as_number<int>(entry.path().filename().string());
    if (!pid) continue;
    if (auto process = read_process(entry.path())) samples.emplace(*pid, std::move(*process));
  }
  return samples;
}

ProcessSamples sample_family(int process, const std::string& proc) {
  ProcessSamples samples;
  std::vector<int> left{process};
  while (!left.empty()) {
    const int pid = left.back();
    left.pop_back();
    const fs::path folder = fs::path(proc) / std::to_string(pid);
    auto sample = read_process(folder);
    if (!sample || samples.contains(pid)) continue;
    for (const auto& [number, thread] : sample->threads) {
      const std::string children = text_of(folder / "task" / std::to_string(number) / "children");
      for (const std::string& child : split(children, ' ')) {
        if (const auto found = as_number<int>(child)) left.push_back(*found);
      }
    }
    samples.emplace(pid, std::move(*sample));
  }
  return samples;
}

std::set<int> descendants_of(const ProcessSamples& samples, int process) {
  std::set<int> family{process};
  for (std::size_t before = 0; before != family.size();) {
    before = family.size();
    for (const auto& [pid, sample] : samples) {
      if (family.contains(sample.parent)) family.insert(pid);
    }
  }
  return family;
}

std::set<int> ancestors_of(const ProcessSamples& samples, int process) {
  std::set<int> line{process};
  for (auto found = samples.find(process); found != samples.end();) {
    if (!line.insert(found->second.parent).second) break;
    found = samples.find(found->second.parent);
  }
  return line;
}

std::vector<OtherProcess> busy_processes(const ProcessSamples& before, const ProcessSamples& after,
                                         Seconds between, const std::set<int>& own) {
  constexpr double busy_share = 0.2;
  const auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const double least = std::max(1.0, busy_share * between.value * ticks_per_second);
  std::vector<OtherProcess> busy;
  for (const auto& [pid, process] : after) {
    const auto earlier = before.find(pid);
    if (own.contains(pid) || earlier == before.end()) continue;
    std::map<std::vector<int>, std::size_t> threads;  // by where they may go
    for (const auto& [number, thread] : process.threads) {
      const auto used = static_cast<double>(ticks_between(earlier->second, number, thread));
      if (used >= least) ++threads[thread.allowed_cpus];
    }
    for (const auto& [cpus, count] : threads) {
      busy.push_back({pid, process.command, process.user, cpus, count});
    }
  }
  return busy;
}

void ThreadWatch::add(const ProcessSamples& samples, int root) {
  moments_ = std::min(moments_ + 1, window);
  for (auto& [number, seen] : threads_) seen.at_work.push_back(false);
  for (const int pid : descendants_of(samples, root)) {
    const auto process = samples.find(pid);
    if (process == samples.end()) continue;
    for (const auto& [number, thread] : process->second.threads) {
      Seen& seen = threads_[number];
      if (seen.at_work.empty()) seen.at_work.push_back(false);
      seen.at_work.back() = thread.is_running;
      seen.last = thread;
    }
  }
  for (auto& [number, seen] : threads_) {
    if (seen.at_work.size() > window) seen.at_work.erase(seen.at_work.begin());
  }
  if (moments_ < window) return;
  std::vector<ThreadPlace> now = at_work();
  if (now.size() > most_.size()) most_ = std::move(now);
}

std::vector<ThreadPlace> ThreadWatch::at_work() const {
  std::vector<ThreadPlace> places;
  for (const auto& [number, seen] : threads_) {
    const auto times = static_cast<std::size_t>(std::ranges::count(seen.at_work, true));
    if (2 * times <= moments_) continue;
    places.push_back({.allowed_cpus = seen.last.allowed_cpus,
                      .last_cpu = seen.last.last_cpu,
                      .memory_node = std::nullopt});
  }
  return places;
}

std::vector<ThreadPlace> ThreadWatch::most() const {
  if (!most_.empty() || threads_.empty()) return most_;
  std::vector<ThreadPlace> places = at_work();
  if (!places.empty()) return places;
  const ThreadSample& first = threads_.begin()->second.last;
  return {{.allowed_cpus = first.allowed_cpus,
           .last_cpu = first.last_cpu,
           .memory_node = std::nullopt}};
}

}  // namespace hockney::where
