#include "components/application/analysis/cpu_use.hpp"

#include <algorithm>
#include <cmath>
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

/// Time in which another thread than the first was ready to run. Threads of MPI itself wait some
/// milliseconds for their first time slice; that is no starvation of the program.
double other_waiting(const profile::CpuUse& use) {
  constexpr double least_seconds = 0.01;
  const double seconds = use.other_waiting_seconds.value_or(0);
  return seconds < least_seconds ? 0 : seconds;
}

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

/// CPUs of a rank, each divided by the number of ranks that may run on it.
double cpus_of(const profile::Profile& profile, const profile::Rank& rank) {
  double cpus = 0;
  for (const int cpu : rank.cpus) {
    cpus += 1.0 / static_cast<double>(std::ranges::count_if(profile.ranks, [&](const auto& other) {
              return other.host == rank.host && std::ranges::binary_search(other.cpus, cpu);
            }));
  }
  return cpus;
}

/// Whether the threads of a rank need more CPUs than it has, whoever else runs there: the time in
/// which they ran or were ready to run exceeds that of its CPUs.
bool shares_with_itself(const profile::Rank& rank, const profile::CpuUse& use, double cpus) {
  constexpr double beyond = 1.2;
  constexpr double least = 0.05;  // of the time
  const double used = cpu_seconds(use);
  const double first_thread = rank.seconds - use.waiting_seconds.value_or(0);  // at most
  const bool has_others =
      used - first_thread > least * rank.seconds || other_waiting(use) > least * rank.seconds;
  const double ready = use.waiting_seconds.value_or(0) + other_waiting(use);
  return has_others && cpus > 0 && used + ready >= beyond * cpus * rank.seconds;
}

/// CPUs of a host; 0 if not known.
double cpus_of_host(const profile::Profile& profile, const std::string& name) {
  const auto& hosts = profile.provenance.hosts;
  const auto found = std::ranges::find(hosts, name, &Host::name);
  return found == hosts.end() ? 0 : found->cpus;
}

/// Threads of a rank that share its CPUs: of its parallel regions, or as many as use its CPU time
/// if each has as much as the starved one.
int threads_of(const profile::Profile& profile, const profile::Rank& rank,
               const profile::CpuUse& use, double cpus) {
  int threads = 0;
  for (const profile::ParallelRegion& region : profile.parallel_regions) {
    threads = std::max(threads, region.threads);
  }
  if (threads > cpus) return threads;
  constexpr double most = 1024;
  const double scheduled = rank.seconds - not_scheduled(rank).value_or(NotScheduled{}).seconds();
  const double estimated = cpu_seconds(use) / std::max(scheduled, rank.seconds / most);
  const double least = std::floor(cpus) + 1;
  const double all = std::max(least, cpus_of_host(profile, rank.host));
  return static_cast<int>(std::lround(std::clamp(estimated, least, all)));
}

/// CPUs that a rank needs for its threads; 0 if own threads had less than half of the CPU time that
/// ranks waited for.
int cpus_for_threads(const profile::Profile& profile, double waiting_seconds) {
  double by_threads = 0;
  int threads = 0;
  for (const profile::Rank& rank : profile.ranks) {
    if (!rank.cpu || rank.cpus.empty()) continue;
    const double cpus = cpus_of(profile, rank);
    if (!shares_with_itself(rank, *rank.cpu, cpus)) continue;
    by_threads += not_scheduled(rank).value_or(NotScheduled{}).seconds();
    threads = std::max(threads, threads_of(profile, rank, *rank.cpu, cpus));
  }
  return 2 * by_threads > waiting_seconds ? threads : 0;
}

ContentionSource contention_source(const profile::Profile& profile, double waiting_seconds) {
  double throttled = 0;
  for (const profile::Rank& rank : profile.ranks) {
    // Ranks of one group all count the stops of that group.
    if (!rank.cpu) continue;
    throttled += std::min(rank.cpu->throttled_seconds.value_or(0), rank.seconds);
  }
  constexpr double most = 0.5;
  if (throttled > most * waiting_seconds) return ContentionSource::cpu_limit;
  if (shares_cpus(profile)) return ContentionSource::other_ranks;
  return cpus_for_threads(profile, waiting_seconds) > 0 ? ContentionSource::own_threads
                                                        : ContentionSource::other_processes;
}

}  // namespace

double computing_at_least(const profile::Rank& rank) {
  if (!rank.cpu || !rank.cpu->computing_cpu_seconds) return 0;
  const double waiting =
      rank.cpu->waiting_seconds.value_or(0) - rank.cpu->mpi_waiting_seconds.value_or(0);
  return std::min(*rank.cpu->computing_cpu_seconds + std::max(0.0, waiting), rank.seconds);
}

std::optional<NotScheduled> not_scheduled(const profile::Rank& rank) {
  if (!rank.cpu) return std::nullopt;
  const profile::CpuUse& use = *rank.cpu;
  const double mpi =
      std::min(rank.seconds - computing_at_least(rank), rank.mpi_seconds + rank.mpi_io_seconds);
  const double outside = rank.seconds - mpi;
  if (!use.waiting_seconds) {
    const double seconds = estimated_seconds(rank, use);
    const double share = rank.seconds > 0 ? mpi / rank.seconds : 0;
    return NotScheduled{(1 - share) * seconds, share * seconds, true};
  }
  const double in_mpi = std::min(use.mpi_waiting_seconds.value_or(0), *use.waiting_seconds);
  const double computing = *use.waiting_seconds - in_mpi;
  // A thread that computes for the rank may be starved while its first thread waits for it.
  const double other = other_waiting(use);
  return NotScheduled{std::min(outside, std::max(computing, other - in_mpi)), std::min(mpi, in_mpi),
                      false};
}

std::optional<CpuSummary> cpu_summary(const profile::Profile& profile) {
  CpuSummary summary;
  double used = 0;
  double waited = 0;
  double ran = 0;
  for (const profile::Rank& rank : profile.ranks) {
    const auto lost = not_scheduled(rank);
    if (!lost) return std::nullopt;
    const double cpu =
        std::min(cpu_seconds(*rank.cpu), std::max(0.0, rank.seconds - lost->seconds()));
    summary.per_rank.push_back(rank.seconds > 0 ? cpu / rank.seconds : 0);
    summary.is_estimated = summary.is_estimated || lost->is_estimated;
    used += cpu;
    waited += lost->seconds();
    ran += rank.seconds;
  }
  if (!(ran > 0)) return std::nullopt;
  summary.fraction = used / ran;
  summary.not_scheduled_share = waited / ran;
  summary.source = contention_source(profile, waited);
  if (summary.source == ContentionSource::own_threads)
    summary.threads = cpus_for_threads(profile, waited);
  return summary;
}

}  // namespace hockney::applications
