#include "application/analysis/cpu_use.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace hockney::applications {
namespace {

double cpu_seconds(const profile::CpuUse& use) { return use.user_seconds + use.system_seconds; }

/// Wall time without CPU time, as far as switches into it were involuntary.
double estimated_seconds(const profile::Rank& rank, const profile::CpuUse& use) {
  const auto involuntary = static_cast<double>(use.involuntary_switches);
  const double switches = involuntary + static_cast<double>(use.voluntary_switches);
  if (!(switches > 0)) return 0;
  return std::max(0.0, rank.seconds - cpu_seconds(use)) * involuntary / switches;
}

}  // namespace

std::optional<NotScheduled> not_scheduled(const profile::Rank& rank) {
  if (!rank.cpu) return std::nullopt;
  const profile::CpuUse& use = *rank.cpu;
  const double mpi = std::min(rank.seconds, rank.mpi_seconds + rank.mpi_io_seconds);
  const double outside = rank.seconds - mpi;
  if (!use.waiting_seconds) {
    const double seconds = estimated_seconds(rank, use);
    const double share = rank.seconds > 0 ? mpi / rank.seconds : 0;
    return NotScheduled{(1 - share) * seconds, share * seconds, true};
  }
  const double in_mpi = std::min(use.mpi_waiting_seconds.value_or(0), *use.waiting_seconds);
  const double computing = *use.waiting_seconds - in_mpi;
  // A thread that computes for the rank may be starved while its first thread waits for it.
  const double other = use.other_waiting_seconds.value_or(0);
  return NotScheduled{std::min(outside, std::max(computing, other - in_mpi)), std::min(mpi, in_mpi),
                      false};
}

namespace {

/// Whether more ranks of a host may run on some CPUs than there are CPUs.
bool shares_cpus(const profile::Profile& profile) {
  std::map<std::pair<std::string, std::vector<int>>, std::size_t> ranks_of_set;
  std::map<std::string, std::set<int>> cpus_of_host;
  std::map<std::string, std::size_t> ranks_of_host;
  for (const profile::Rank& rank : profile.ranks) {
    if (rank.cpus.empty()) continue;
    ++ranks_of_set[{rank.host, rank.cpus}];
    ++ranks_of_host[rank.host];
    cpus_of_host[rank.host].insert(rank.cpus.begin(), rank.cpus.end());
  }
  return std::ranges::any_of(
             ranks_of_set, [](const auto& one) { return one.second > one.first.second.size(); }) ||
         std::ranges::any_of(ranks_of_host, [&](const auto& one) {
           return one.second > cpus_of_host.at(one.first).size();
         });
}

CpuTaker taker_of(const profile::Profile& profile, double waiting_seconds) {
  double throttled = 0;
  for (const profile::Rank& rank : profile.ranks) {
    // Ranks of one group all count the stops of that group.
    if (!rank.cpu) continue;
    throttled += std::min(rank.cpu->throttled_seconds.value_or(0), rank.seconds);
  }
  constexpr double most = 0.5;
  if (throttled > most * waiting_seconds) return CpuTaker::cpu_limit;
  return shares_cpus(profile) ? CpuTaker::other_ranks : CpuTaker::other_processes;
}

}  // namespace

std::optional<CpuSummary> cpu_summary(const profile::Profile& profile) {
  CpuSummary summary;
  double used = 0;
  double waited = 0;
  double ran = 0;
  for (const profile::Rank& rank : profile.ranks) {
    const auto lost = not_scheduled(rank);
    if (!lost) return std::nullopt;
    const double cpu = std::min(cpu_seconds(*rank.cpu), rank.seconds);
    summary.per_rank.push_back(rank.seconds > 0 ? cpu / rank.seconds : 0);
    summary.is_estimated = summary.is_estimated || lost->is_estimated;
    used += cpu;
    waited += lost->seconds();
    ran += rank.seconds;
  }
  if (!(ran > 0)) return std::nullopt;
  summary.fraction = used / ran;
  summary.not_scheduled_share = waited / ran;
  summary.taker = taker_of(profile, waited);
  return summary;
}

}  // namespace hockney::applications
