#include "components/application/analysis/program_report.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "core/error.hpp"

namespace hockney::applications {
namespace {

void add_limits(ProgramReport& report, std::span<const Record> records,
                std::span<const EagerLimits> limits) {
  if (limits.empty()) return;
  report.limits = limit_uses(report.profile, limits);
  for (const Record& record : records) {
    if (!record.protocols.empty()) report.limit_libraries.push_back(record.provenance.mpi.library);
  }
}

/// The profile's site for each site of a trace.
std::vector<std::optional<int>> sites_of(const profile::Profile& profile, const Trace& trace) {
  std::map<std::pair<std::string, std::int64_t>, int> known;
  for (std::size_t i = 0; i < profile.sites.size(); ++i) {
    known[{profile.sites[i].module, profile.sites[i].offset}] = static_cast<int>(i);
  }
  std::vector<std::optional<int>> sites;
  for (const profile::Site& site : trace.sites) {
    const auto found = known.find({site.module, site.offset});
    sites.push_back(found == known.end() ? std::nullopt : std::optional(found->second));
  }
  return sites;
}

/// The profile's region for each region of a trace.
std::vector<std::optional<int>> regions_of(const profile::Profile& profile, const Trace& trace) {
  std::vector<std::optional<int>> regions;
  for (const profile::Region& region : trace.regions) {
    const auto found = std::ranges::find(profile.regions, region.name, &profile::Region::name);
    const auto place = static_cast<int>(found - profile.regions.begin());
    regions.push_back(found == profile.regions.end() ? std::nullopt : std::optional(place));
  }
  return regions;
}

/// Time of each rank of a trace without a CPU. Empty if it is not known, or less than 0.5 % of the
/// run: a second replay would show nothing.
std::vector<NotScheduled> lost_times(const ProgramReport& report, const Trace& trace) {
  constexpr double least = 0.005;  // of the run
  if (!report.cpu || report.cpu->not_scheduled_share < least) return {};
  const auto& ranks = report.profile.ranks;
  std::vector<NotScheduled> lost;
  for (const RankTrace& rank : trace.ranks) {
    const auto found = std::ranges::find(ranks, rank.rank, &profile::Rank::rank);
    const auto seconds = found == ranks.end() ? std::nullopt : not_scheduled(*found);
    if (!seconds) return {};
    lost.push_back(*seconds);
  }
  return lost;
}

/// Replaces the trace's sites and regions by those of the profile.
void rename(ReplaySplit& split, std::span<const std::optional<int>> sites,
            std::span<const std::optional<int>> regions) {
  const auto renamed = [](std::optional<int>& index, std::span<const std::optional<int>> names) {
    if (index) index = names[static_cast<std::size_t>(*index)];
  };
  for (SiteSplit& one : split.sites) {
    renamed(one.site, sites);
    renamed(one.region, regions);
  }
  for (RegionSplit& one : split.regions) renamed(one.region, regions);
}

void add_replay(ProgramReport& report, const TraceAnalysis& run,
                std::span<const EagerLimits> limits, std::span<const NotScheduled> lost) {
  try {
    report.replay = split_by_replay(run, limits, report.profile.provenance.environment, lost);
  } catch (const Error& error) {
    report.doubts.emplace_back(error.what());
    return;
  }
  const auto regions = regions_of(report.profile, run.trace());
  rename(*report.replay, report.trace_sites, regions);
  report.clock_waits = wait_states(run.trace(), run.matching(), run.clocks());
  report.log = log_facts(run, report.trace_sites, regions, lost);
  report.efficiencies.serialisation = report.replay->serialisation();
  report.efficiencies.transfer = report.replay->transfer();
  std::ranges::copy(report.replay->notes, std::back_inserter(report.doubts));
}

void add_log(ProgramReport& report, const TraceAnalysis& run, std::span<const EagerLimits> limits,
             LogDetail detail) {
  const std::vector<NotScheduled> lost = lost_times(report, run.trace());
  report.trace_sites = sites_of(report.profile, run.trace());
  add_replay(report, run, limits, lost);
  TimeLines lines{.iterations = find_iterations(run)};
  if (detail != LogDetail::iterations) lines.activity = activity_line(run, lost);
  if (detail == LogDetail::levels) {
    lines.levels = event_levels(run, lines.iterations);
    lines.levels->sites = report.trace_sites;
  }
  report.lines = std::move(lines);
}

}  // namespace

ProgramReport analyse(profile::Profile profile, const ProgramSources& sources) {
  ProgramReport report;
  report.split = time_split(profile);
  report.efficiencies = report.split.efficiencies();
  report.by_rank = message_matrix(profile);
  report.nodes = nodes_of(profile);
  report.by_node = fused(report.by_rank, report.nodes);
  report.pattern = find_pattern(report.by_rank);
  report.overhead = recording_overhead(profile);
  report.cpu = cpu_summary(profile);
  report.profile = std::move(profile);
  const std::vector<EagerLimits> limits = eager_limits(sources.protocols);
  add_limits(report, sources.protocols, limits);
  if (sources.log != nullptr) add_log(report, *sources.log, limits, sources.detail);
  if (sources.frame_names != nullptr) {
    report.functions = sampled_functions(report.profile, *sources.frame_names);
  }
  report.findings = find_causes(report);
  report.most_by_settings = most_by_settings(report);
  return report;
}

std::vector<std::size_t> sites_of_findings(const ProgramReport& report) {
  std::set<std::size_t> sites;
  const auto add = [&](const std::optional<int>& site) {
    if (site) sites.insert(static_cast<std::size_t>(*site));
  };
  for (const Finding& one : report.findings) add(one.site);
  const profile::ParallelRegion* const waiting = most_waiting_region(report.profile);
  if (waiting != nullptr) add(waiting->site);
  return {sites.begin(), sites.end()};
}

}  // namespace hockney::applications
