#include "components/application/analysis/time_split.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "components/application/analysis/communication.hpp"
#include "core/error.hpp"

namespace hockney::applications {

TimeParts time_parts(const profile::Rank& rank) {
  const double elsewhere = rank.mpi_seconds + rank.mpi_io_seconds + rank.io_seconds;
  const double room = rank.seconds - computing_at_least(rank);
  const double scale = elsewhere > room ? room / elsewhere : 1;
  TimeParts parts{.computing_seconds = rank.seconds - scale * elsewhere,
                  .mpi_seconds = scale * rank.mpi_seconds,
                  .mpi_io_seconds = scale * rank.mpi_io_seconds,
                  .io_seconds = scale * rank.io_seconds};
  const NotScheduled lost = not_scheduled(rank).value_or(NotScheduled{});
  const auto take = [&](double& part, double seconds) {
    const double taken = std::min(part, seconds);
    part -= taken;
    parts.not_scheduled_seconds += taken;
  };
  take(parts.computing_seconds, lost.computing_seconds);
  take(parts.mpi_seconds, lost.mpi_seconds);
  return parts;
}

Efficiencies TimeSplit::efficiencies() const {
  if (ranks == 0 || !(seconds > 0)) return {};
  const double mean_outside = mean.outside_mpi();
  return {.parallel = mean_outside / seconds,
          .load_balance = share_of(mean_outside, most_outside_seconds),
          .communication = most_outside_seconds / seconds,
          .serialisation = std::nullopt,
          .transfer = std::nullopt,
          .additive_load_balance = 1 - load_seconds() / seconds,
          .additive_communication = 1 - (seconds - most_outside_seconds) / seconds};
}

TimeSplit time_split(const profile::Profile& profile) {
  TimeSplit split{.seconds = profile.seconds, .mean = {}};
  split.ranks = static_cast<int>(profile.ranks.size());
  if (split.ranks == 0) return split;
  TimeParts sum;
  for (const profile::Rank& rank : profile.ranks) {
    const TimeParts parts = time_parts(rank);
    sum.computing_seconds += parts.computing_seconds;
    sum.mpi_seconds += parts.mpi_seconds;
    sum.mpi_io_seconds += parts.mpi_io_seconds;
    sum.io_seconds += parts.io_seconds;
    sum.not_scheduled_seconds += parts.not_scheduled_seconds;
    split.seconds = std::max(split.seconds, rank.seconds);
    if (parts.outside_mpi() <= split.most_outside_seconds) continue;
    split.most_outside_seconds = parts.outside_mpi();
    split.busiest_rank = rank.rank;
  }
  split.mean = {.computing_seconds = sum.computing_seconds / split.ranks,
                .mpi_seconds = sum.mpi_seconds / split.ranks,
                .mpi_io_seconds = sum.mpi_io_seconds / split.ranks,
                .io_seconds = sum.io_seconds / split.ranks,
                .not_scheduled_seconds = sum.not_scheduled_seconds / split.ranks};
  split.ended_before_seconds = std::max(0.0, split.seconds - split.mean.whole());
  return split;
}

std::optional<TimeShares> time_shares(const TimeSplit& split) {
  const double whole = split.mean.whole();
  if (!(whole > 0)) return std::nullopt;
  const double load = std::clamp(split.load_seconds(), 0.0, split.mean.mpi_seconds);
  return TimeShares{.computing = split.mean.computing_seconds / whole,
                    .load_imbalance = load / whole,
                    .communication = (split.mean.mpi_seconds - load) / whole,
                    .files = (split.mean.mpi_io_seconds + split.mean.io_seconds) / whole,
                    .not_scheduled = split.mean.not_scheduled_seconds / whole};
}

double waiting_seconds(const profile::ParallelRegion& one) {
  return std::max(0.0, one.thread_seconds - one.busy_seconds);
}

const profile::ParallelRegion* most_waiting_region(const profile::Profile& profile) {
  const auto& regions = profile.parallel_regions;
  const auto worst = std::ranges::max_element(regions, {}, waiting_seconds);
  return worst == regions.end() || worst->seconds <= 0 ? nullptr : &*worst;
}

std::optional<double> thread_imbalance(const profile::ParallelRegion& one) {
  const auto threads = share_of(one.thread_seconds, one.seconds);
  const auto mean = share_of(one.busy_seconds, threads.value_or(0));
  return share_of(one.slowest_seconds, mean.value_or(0));
}

namespace {

/// Results of one launch.
struct LaunchSplit {
  TimeSplit split;
  TimeShares shares;
  std::map<std::string, double> call_shares;
  std::optional<CpuSummary> cpu;
};

LaunchSplit launch_of(const profile::Profile& profile) {
  LaunchSplit launch{
      .split = time_split(profile), .shares = {}, .call_shares = {}, .cpu = cpu_summary(profile)};
  launch.shares = time_shares(launch.split).value_or(TimeShares{});
  for (const FunctionCalls& calls : by_function(profile)) {
    const auto share = share_of(calls.sums.seconds, launch.split.time_of_all());
    if (share) launch.call_shares[calls.call] = *share;
  }
  return launch;
}

/// A run and its launches.
struct RunLaunches {
  Run run;
  std::vector<LaunchSplit> launches;

  template <class Value>
  [[nodiscard]] std::vector<double> values(Value value_of) const {
    std::vector<double> values;
    values.reserve(launches.size());
    for (const LaunchSplit& launch : launches) values.push_back(value_of(launch));
    return values;
  }
};

auto identity_of(const Run& run) {
  return std::tie(run.ranks, run.nodes, run.command_line, run.library, run.settings);
}

std::vector<RunLaunches> groups_of(const std::vector<profile::Profile>& profiles) {
  std::vector<RunLaunches> groups;
  for (const profile::Profile& profile : profiles) {
    Run run;
    run.ranks = profile.world_ranks;
    run.nodes = nodes_of(profile).known;
    run.command_line = profile.provenance.command_line;
    run.library = profile.provenance.mpi.library;
    run.settings = profile.provenance.environment;
    // Not settings: where a profile goes, and PSM2_DEVICES. mpirun of Open MPI 4 adds the latter
    // for several ranks on one node.
    std::erase_if(run.settings, [](const auto& one) {
      return one.first.starts_with("HOCKNEY_PROFILE_") || one.first == "PSM2_DEVICES";
    });
    auto group = std::ranges::find_if(groups, [&](const RunLaunches& other) {
      return identity_of(other.run) == identity_of(run);
    });
    if (group == groups.end()) group = groups.insert(groups.end(), RunLaunches{std::move(run), {}});
    group->launches.push_back(launch_of(profile));
  }
  std::ranges::stable_sort(groups, {}, [](const RunLaunches& group) { return group.run.ranks; });
  return groups;
}

Figure figure_of(const std::vector<double>& values, double level) {
  return {median_of_some(values), quantile_interval(values, 0.5, level)};
}

/// Level of each of two intervals, so that both hold at `level` (Bonferroni).
double level_of_each(double level) { return 1 - (1 - level) / 2; }

/// Ratio of two medians; nullopt if one of them is not above 0.
std::optional<Figure> ratio_of(const std::vector<double>& above, const std::vector<double>& below,
                               double level) {
  const Figure a = figure_of(above, level_of_each(level));
  const Figure b = figure_of(below, level_of_each(level));
  if (!(a.value > 0) || !(b.value > 0)) return std::nullopt;
  Figure ratio{a.value / b.value, {}};
  const bool has_interval = a.interval && b.interval && b.interval->low > 0;
  if (!has_interval) return ratio;
  const double both = a.interval->level + b.interval->level - 1;
  ratio.interval =
      Interval{a.interval->low / b.interval->high, a.interval->high / b.interval->low, both};
  return ratio;
}

double seconds_of(const LaunchSplit& launch) { return launch.split.seconds; }

/// One efficiency over the launches that took time.
std::optional<Figure> efficiency_of(const RunLaunches& group,
                                    std::optional<double> Efficiencies::*member, double level) {
  std::vector<double> values;
  for (const LaunchSplit& launch : group.launches) {
    const auto value = launch.split.efficiencies().*member;
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return figure_of(values, level);
}

/// CPU use of a run's launches.
void describe_cpu(RunLaunches& group) {
  std::vector<double> fractions;
  for (const LaunchSplit& launch : group.launches) {
    if (!launch.cpu) continue;
    fractions.push_back(launch.cpu->fraction);
    if (launch.cpu->is_starved()) ++group.run.starved_launches;
  }
  const bool is_known = fractions.size() == group.launches.size();
  if (is_known) group.run.cpu_fraction = median_of_some(fractions);
}

void describe(RunLaunches& group, double level) {
  Run& run = group.run;
  run.launches = group.launches.size();
  describe_cpu(group);
  run.seconds = figure_of(group.values(seconds_of), level);
  run.parallel = efficiency_of(group, &Efficiencies::parallel, level);
  run.load_balance = efficiency_of(group, &Efficiencies::load_balance, level);
  run.communication = efficiency_of(group, &Efficiencies::communication, level);
  const std::array members{&TimeShares::computing, &TimeShares::load_imbalance,
                           &TimeShares::communication, &TimeShares::files,
                           &TimeShares::not_scheduled};
  for (std::size_t i = 0; i < members.size(); ++i) {
    run.shares[i] = median_of_some(
        group.values([&](const LaunchSplit& launch) { return launch.shares.*members[i]; }));
  }
  std::map<std::string, std::vector<double>> calls;
  for (const LaunchSplit& launch : group.launches) {
    for (const auto& [call, share] : launch.call_shares) calls[call].push_back(share);
  }
  for (auto& [call, shares] : calls) {
    shares.resize(group.launches.size(), 0.0);  // launches without the call
    run.call_shares[call] = median_of_some(shares);
  }
}

/// Smaller growth of a share is ignored.
constexpr double least_growth = 0.001;

std::optional<Growth<Part>> grown_part(const Run& from, const Run& to) {
  Growth<Part> most;
  for (std::size_t i = 0; i < to.shares.size(); ++i) {
    const Growth<Part> growth{static_cast<Part>(i), from.shares[i], to.shares[i]};
    if (growth.difference() > most.difference()) most = growth;
  }
  return most.difference() < least_growth ? std::nullopt : std::optional(most);
}

std::optional<Growth<std::string>> grown_call(const Run& from, const Run& to) {
  Growth<std::string> most;
  for (const auto& [call, share] : to.call_shares) {
    const auto before = from.call_shares.find(call);
    const double was = before == from.call_shares.end() ? 0 : before->second;
    const Growth<std::string> growth{call, was, share};
    if (growth.difference() > most.difference()) most = growth;
  }
  return most.difference() < least_growth ? std::nullopt : std::optional(most);
}

Figure scaled(Figure figure, double factor) {
  figure.value *= factor;
  if (figure.interval) {
    figure.interval->low *= factor;
    figure.interval->high *= factor;
  }
  return figure;
}

void mark_as_reference(Run& run) {
  run.speed_up = run.scaling_efficiency = run.computing_efficiency = Figure{1, {}};
  run.global_efficiency = run.parallel;
}

void compare_with(const RunLaunches& reference, RunLaunches& group, Scaling scaling, double level) {
  Run& run = group.run;
  const double growth = static_cast<double>(run.ranks) / reference.run.ranks;
  const bool is_weak = scaling == Scaling::weak;
  const auto outside = [&](const LaunchSplit& launch) {
    return is_weak ? launch.split.mean.outside_mpi() : launch.split.outside_of_all();
  };
  const auto paid = [&](const LaunchSplit& launch) {
    return launch.split.seconds * (is_weak ? 1 : launch.split.ranks);
  };
  if (const auto times = ratio_of(reference.values(seconds_of), group.values(seconds_of), level)) {
    run.speed_up = scaled(*times, is_weak ? growth : 1);
    run.scaling_efficiency = scaled(*times, is_weak ? 1 : 1 / growth);
  }
  run.computing_efficiency = ratio_of(reference.values(outside), group.values(outside), level);
  run.global_efficiency = ratio_of(reference.values(outside), group.values(paid), level);
  run.part_that_grew = grown_part(reference.run, run);
  run.call_that_grew = grown_call(reference.run, run);
}

}  // namespace

bool Comparison::is_starved() const {
  return std::ranges::any_of(runs, [](const Run& run) { return run.starved_launches > 0; });
}

Comparison compare(const std::vector<profile::Profile>& profiles, Scaling scaling, double level) {
  std::vector<RunLaunches> groups = groups_of(profiles);
  if (groups.size() < 2) {
    throw InputError({"nothing to compare",
                      groups.empty() ? "no profile was named"
                                     : "all profiles have the same ranks, command and settings",
                      "name profiles of several numbers of ranks or settings"});
  }
  for (RunLaunches& group : groups) describe(group, level);
  mark_as_reference(groups.front().run);
  for (RunLaunches& group : std::span(groups).subspan(1)) {
    compare_with(groups.front(), group, scaling, level);
  }
  Comparison comparison{.scaling = scaling, .runs = {}};
  for (RunLaunches& group : groups) comparison.runs.push_back(std::move(group.run));
  return comparison;
}

std::size_t launches_for_intervals(double level) { return samples_for_interval(0.5, level); }

std::size_t launches_for_ratios(double level) {
  return samples_for_interval(0.5, level_of_each(level));
}

}  // namespace hockney::applications
