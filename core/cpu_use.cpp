#include "core/cpu_use.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "core/process_stat.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

/// "cpu3 user nice system idle iowait irq softirq steal ...", without the sum of all CPUs.
void add_cpu(const std::string& line, std::map<int, CpuTicks>& cpus) {
  constexpr std::string_view head = "cpu";
  if (!line.starts_with(head)) return;
  std::istringstream in(line.substr(head.size()));
  int cpu = 0;
  std::vector<std::int64_t> ticks(8);
  if (line.size() == head.size() || line[head.size()] == ' ' || !(in >> cpu)) return;
  for (std::int64_t& one : ticks) in >> one;
  cpus[cpu] = {.busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6], .steal = ticks[7]};
}

std::optional<ProcessTicks> read_process(const std::string& folder) {
  using enum ProcessStat::Field;
  const auto stat = read_process_stat(folder + "/stat");
  if (!stat || stat->fields.size() <= last_cpu - state) return std::nullopt;
  return ProcessTicks{.command = stat->command,
                      .parent = static_cast<int>(stat->number(parent)),
                      .last_cpu = static_cast<int>(stat->number(last_cpu)),
                      .busy = stat->number(user_ticks) + stat->number(system_ticks)};
}

/// The processes and all their ancestors.
std::set<int> with_ancestors(const std::set<int>& processes, const CpuReading& reading) {
  std::set<int> all;
  for (int process : processes) {
    while (process > 1 && all.insert(process).second) {
      const auto known = reading.processes.find(process);
      if (known == reading.processes.end()) break;
      process = known->second.parent;
    }
  }
  return all;
}

/// Ticks of a process since the first reading; all of them if it began later.
std::int64_t ticks_since(const CpuReading& before, int process, const ProcessTicks& now) {
  const auto known = before.processes.find(process);
  const bool is_same = known != before.processes.end() && known->second.busy <= now.busy;
  return now.busy - (is_same ? known->second.busy : 0);
}

}  // namespace

CpuReading read_cpus(const std::string& proc) {
  using std::chrono::steady_clock;
  CpuReading reading{
      .at_seconds = std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count(),
      .cpus = {},
      .processes = {}};
  std::ifstream stat(proc + "/stat");
  for (std::string line; std::getline(stat, line);) add_cpu(line, reading.cpus);
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(proc, none)) {
    const auto process = as_number<int>(entry.path().filename().string());
    if (!process) continue;
    if (auto ticks = read_process(entry.path().string())) {
      reading.processes.emplace(*process, std::move(*ticks));
    }
  }
  return reading;
}

OtherUse use_by_others(const CpuReading& before, const CpuReading& after, const OwnUse& own) {
  const double ticks =
      static_cast<double>(sysconf(_SC_CLK_TCK)) * (after.at_seconds - before.at_seconds);
  OtherUse use;
  if (ticks <= 0) return use;
  const auto is_own_cpu = [&](int cpu) { return own.cpus.empty() || own.cpus.contains(cpu); };
  std::int64_t busy = 0;
  std::int64_t steal = 0;
  for (const auto& [cpu, now] : after.cpus) {
    const auto known = before.cpus.find(cpu);
    if (!is_own_cpu(cpu) || known == before.cpus.end()) continue;
    busy += now.busy - known->second.busy;
    steal += now.steal - known->second.steal;
  }
  const std::set<int> own_processes = with_ancestors(own.processes, after);
  std::map<std::string, std::int64_t> by_command;
  for (const auto& [process, now] : after.processes) {
    const std::int64_t used = ticks_since(before, process, now);
    if (own_processes.contains(process)) {
      busy -= used;
    } else if (is_own_cpu(now.last_cpu)) {
      by_command[now.command] += used;
    }
  }
  use.cpus = std::max(0.0, static_cast<double>(busy) / ticks);
  use.steal_cpus = std::max(0.0, static_cast<double>(steal) / ticks);
  const auto most =
      std::ranges::max_element(by_command, {}, [](const auto& one) { return one.second; });
  if (most == by_command.end() || most->second <= 0) return use;
  use.command = most->first;
  use.command_cpus = std::min(use.cpus, static_cast<double>(most->second) / ticks);
  return use;
}

}  // namespace hockney
