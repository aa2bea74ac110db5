#include "components/application/where/busy_watch.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core/text.hpp"

namespace hockney::where {
namespace {

double cpu_seconds(const ProcessSample& process) {
  std::int64_t ticks = 0;
  for (const auto& [number, thread] : process.threads) ticks += thread.ticks;
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

void BusyWatch::add(const ProcessSamples& samples, Seconds at, const std::set<int>& own) {
  const bool is_first = used_before_.empty();
  if (is_first) begin_ = at;
  end_ = at;
  std::map<int, double> used;
  for (const auto& [pid, process] : samples) {
    const double now = cpu_seconds(process);
    const auto before = used_before_.find(pid);
    const double since = before == used_before_.end() ? now : now - before->second;
    if (!is_first && !own.contains(pid)) used_since_[process.command] += std::max(0.0, since);
    used.emplace(pid, now);
  }
  used_before_ = std::move(used);
}

std::string BusyWatch::text(int cpus, const std::string& program) const {
  constexpr double least = 0.1;  // of a CPU
  constexpr std::size_t most = 2;
  std::vector<std::pair<double, std::string>> all;
  const double seconds = end_.value - begin_.value;
  for (const auto& [command, used] : used_since_) {
    if (used >= least * seconds && seconds > 0 && command != program) {
      all.emplace_back(used / seconds, command);
    }
  }
  std::ranges::sort(all, std::greater<>());
  if (all.size() > most) all.resize(most);
  std::vector<std::string> texts;
  for (const auto& [used, command] : all) {
    texts.push_back(fmt::format("{} ({:.1f}{})", command, used,
                                texts.empty() ? fmt::format(" of {} CPUs", cpus) : ""));
  }
  return join(texts);
}

}  // namespace hockney::where
