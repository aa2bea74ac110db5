#include "verdicts/machine_states.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/point.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "verdicts/variability.hpp"

namespace hockney::verdicts {
namespace {

constexpr std::size_t moments = enum_words<ProbeMoment>.size();
constexpr std::size_t most_figures = 64;  // of one kind; beyond, only their median

using Records = std::span<const Record* const>;
using Indices = std::vector<std::size_t>;

std::string setting_of(const Record& record) {
  if (!record.campaign) return "";
  return record.campaign->name + '\n' + record.campaign->setting;
}

std::string hosts_of(const Record& record) {
  std::vector<std::string> names;
  for (const Host& host : record.provenance.hosts) names.push_back(host.name);
  return join(names, " ");
}

/// Hosts and CPUs of all ranks.
std::string places_of(const Record& record) {
  std::string text;
  for (const RankPlace& rank : record.ranks) {
    text += fmt::format("{}:{} ", rank.host, join_numbers(rank.actual_cpus, ","));
  }
  return text;
}

/// Groups of complete launches of one procedure, each in order of records: with the same places of
/// ranks, or with the same setting and number of ranks.
std::vector<Indices> groups_of(Records records) {
  std::map<std::string, std::size_t> names;
  std::vector<std::size_t> parent(records.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t one) {
    while (parent[one] != one) one = parent[one];
    return one;
  };
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record& record = *records[i];
    if (record.status != LaunchStatus::complete || record.ranks.empty()) continue;
    const std::string same = fmt::format("{} {} ranks", record.procedure, record.ranks.size());
    for (const std::string& name : {fmt::format("{} on {}", same, places_of(record)),
                                    fmt::format("{} in {}", same, setting_of(record))}) {
      const auto [known, is_new] = names.try_emplace(name, i);
      if (!is_new) parent[root(i)] = root(known->second);
    }
  }
  std::map<std::size_t, Indices> by_root;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const bool counts = records[i]->status == LaunchStatus::complete && !records[i]->ranks.empty();
    if (counts) by_root[root(i)].push_back(i);
  }
  std::vector<Indices> groups;
  for (auto& [first, group] : by_root) groups.push_back(std::move(group));
  std::ranges::sort(groups);
  return groups;
}

/// Values of a kind in one launch, by pair or rank: one for each moment; 0: unknown.
using Values = std::map<std::vector<int>, std::vector<double>>;
using KindValues = std::map<MachineFigure, Values>;

KindValues probed_values(const Record& record) {
  KindValues found;
  const auto at = [&](MachineFigure figure, const std::vector<int>& ranks, ProbeMoment moment) {
    std::vector<double>& values = found[figure][ranks];
    values.resize(moments);
    return &values[static_cast<std::size_t>(moment)];
  };
  for (const MachineProbe& probe : record.machine) {
    for (const LineProbe& line : probe.lines) {
      *at(MachineFigure::line, line.pair, probe.moment) = line.seconds;
    }
    for (const RankProbe& rank : probe.ranks) {
      *at(MachineFigure::noise, {rank.rank}, probe.moment) = rank.noise_probe_seconds;
      const double rate = rank.copy_bytes_per_second.value_or(0);
      if (rate > 0) *at(MachineFigure::copy, {rank.rank}, probe.moment) = 1 / rate;
    }
  }
  return found;
}

/// Shortest noise probe of a series after warm-up [s]; nullopt without any.
std::optional<double> shortest_probe(const Series& series) {
  const std::vector<double>& probes = series.noise_probes_seconds;
  const auto warm_up = static_cast<std::ptrdiff_t>(
      std::min(probes.size(), static_cast<std::size_t>(series.warm_up_blocks)));
  const auto first = probes.begin() + warm_up;
  if (first == probes.end()) return std::nullopt;
  return *std::min_element(first, probes.end());
}

/// The cache-line floors of a launch without machine probes, as one moment.
KindValues floor_values(const Record& record) {
  KindValues found;
  for (const Series& series : record.series) {
    if (series.point.operation != "floor-cacheline") continue;
    const auto seconds = launch_median(record, series);
    if (seconds) found[MachineFigure::line][series.point.pair] = {*seconds};
  }
  return found;
}

/// Adds the noise probes of launches without machine probes: the median over their points of the
/// ratio to the usual probe of the point, times the usual probe of all. Probes of points differ,
/// and launches may have different points.
void add_series_probes(Records records, const Indices& group, std::vector<KindValues>& launches) {
  std::map<std::string, std::vector<std::pair<std::size_t, double>>> points;
  std::vector<double> all;
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (const Series& series : records[group[i]]->series) {
      const auto probe = shortest_probe(series);
      if (!probe || *probe <= 0) continue;
      const Point& point = series.point;
      points[fmt::format("{} {}", curve_name(point), point.bytes.value)].emplace_back(i, *probe);
      all.push_back(*probe);
    }
  }
  std::vector<std::vector<double>> ratios(group.size());
  for (const auto& [name, probes] : points) {
    std::vector<double> seconds;
    for (const auto& [launch, probe] : probes) seconds.push_back(probe);
    const double usual = median_of_some(seconds);
    for (const auto& [launch, probe] : probes) ratios[launch].push_back(probe / usual);
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    const auto ratio = median(ratios[i]);
    if (ratio) launches[i][MachineFigure::noise][{}] = {*ratio * median_of_some(all)};
  }
}

/// The median of several pairs or ranks at each moment.
std::vector<double> middle_of(const Values& values) {
  std::vector<double> medians;
  for (std::size_t moment = 0; moment < moments; ++moment) {
    std::vector<double> known;
    for (const auto& [ranks, of_moments] : values) {
      const bool is_known = moment < of_moments.size() && of_moments[moment] > 0;
      if (is_known) known.push_back(of_moments[moment]);
    }
    medians.push_back(median(known).value_or(0));
  }
  return medians;
}

double least_ratio_of(MachineFigure figure) { return figure == MachineFigure::noise ? 1.1 : 1.2; }

/// Gives all moments of a launch one value. Other programs use a core now and then: the shortest
/// noise probe is that of the core alone. Copies of ranks that do not run at the same time are
/// faster: the slowest is that of all ranks together. A cache line may change with the moment.
void unite_moments(MachineFigure figure, std::vector<double>& values) {
  if (figure == MachineFigure::line) return;
  std::vector<double> known;
  std::ranges::copy_if(values, std::back_inserter(known), [](double one) { return one > 0; });
  if (known.empty()) return;
  const double one =
      figure == MachineFigure::noise ? std::ranges::min(known) : std::ranges::max(known);
  std::ranges::fill(values, one);
}

/// The figures of a group, with their causes.
struct GroupFigures {
  std::vector<StateCause> causes;
  std::vector<StateFigure> figures;

  void add(StateCause cause, std::vector<std::vector<double>> values) {
    figures.push_back({.values = std::move(values), .least_ratio = least_ratio_of(cause.figure)});
    causes.push_back(std::move(cause));
  }
};

GroupFigures figures_of(Records records, const Indices& group) {
  const bool are_probed = std::ranges::all_of(
      group, [&](std::size_t index) { return !records[index]->machine.empty(); });
  std::vector<KindValues> launches;
  for (const std::size_t index : group) {
    launches.push_back(are_probed ? probed_values(*records[index]) : floor_values(*records[index]));
    for (auto& [figure, values] : launches.back()) {
      for (auto& [ranks, of_moments] : values) unite_moments(figure, of_moments);
    }
  }
  if (!are_probed) add_series_probes(records, group, launches);
  GroupFigures found;
  for (const MachineFigure figure :
       {MachineFigure::line, MachineFigure::noise, MachineFigure::copy}) {
    std::set<std::vector<int>> keys;
    for (const KindValues& launch : launches) {
      const auto values = launch.find(figure);
      if (values == launch.end()) continue;
      for (const auto& [ranks, unused] : values->second) keys.insert(ranks);
    }
    std::vector<std::vector<double>> medians;
    for (KindValues& launch : launches) medians.push_back(middle_of(launch[figure]));
    if (!keys.empty()) found.add({.figure = figure, .ranks = {}}, std::move(medians));
    if (keys.size() < 2 || keys.size() > most_figures) continue;
    for (const std::vector<int>& ranks : keys) {
      std::vector<std::vector<double>> values;
      for (KindValues& launch : launches) {
        std::vector<double> own = launch[figure][ranks];
        own.resize(moments);
        values.push_back(std::move(own));
      }
      found.add({.figure = figure, .ranks = ranks}, std::move(values));
    }
  }
  return found;
}

/// Results for one record.
struct RecordJudgement {
  std::optional<int> state;
  std::optional<StateWindow> window;
  bool has_no_state = false;
};

/// The states of a record's probes in order of time; without probes that of the only moment.
std::vector<std::size_t> states_in(const Record& record, const std::vector<std::size_t>& of) {
  if (record.machine.empty()) return {of.front()};
  std::vector<std::size_t> states;
  for (const MachineProbe& probe : record.machine) {
    states.push_back(of.at(static_cast<std::size_t>(probe.moment)));
  }
  return states;
}

RecordJudgement judge(const Record& record, const std::vector<std::size_t>& states) {
  const auto number = [](std::size_t state) { return static_cast<int>(state) + 1; };
  const bool is_one =
      std::ranges::adjacent_find(states, std::ranges::not_equal_to()) == states.end();
  if (is_one) return {.state = number(states.front()), .window = {}};
  for (const StateWindow& window : windows_between(record.machine)) {
    if (states[window.probe] != states[window.probe + 1]) continue;
    return {.state = number(states[window.probe]), .window = window};
  }
  return {.state = 0, .window = {}, .has_no_state = true};
}

/// Comparison of all launches.
class Judging {
 public:
  explicit Judging(Records records) : records_(records), judgements_(records.size()) {
    std::vector<Indices> groups = groups_of(records);
    std::erase_if(groups,
                  [](const Indices& group) { return group.size() < fewest_launches_of_modes; });
    // Each group is one more campaign that could show states by chance.
    for (const Indices& group : groups) {
      find_states_of(group, states_alpha / static_cast<double>(groups.size()));
    }
    find_busy();
  }

  [[nodiscard]] const MachineStates& found() const { return found_; }
  [[nodiscard]] const RecordJudgement& of(std::size_t record) const { return judgements_[record]; }
  /// The campaign's shortest noise probe, if no block of the series came near it.
  [[nodiscard]] std::optional<double> quiet_probe(const Series& series) const {
    const auto quiet = quiet_.find(&series);
    return quiet == quiet_.end() ? std::nullopt : std::optional(quiet->second);
  }

 private:
  void find_states_of(const Indices& group, double alpha) {
    const GroupFigures figures = figures_of(records_, group);
    const FoundStates states = find_states(figures.figures, group.size(), alpha);
    if (states.states < 2) return;
    StateGroup& named = found_.groups.emplace_back();
    for (std::size_t i = 0; i < states.states; ++i) {
      named.states.push_back({.number = static_cast<int>(i) + 1, .values = {}, .launches = {}});
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::size_t index = group[i];
      const Record& record = *records_[index];
      const RecordJudgement judgement = judge(record, states_in(record, states.of[i]));
      if (judgement.window) named.changed.push_back(index);
      if (judgement.has_no_state) named.left_out.push_back(index);
      if (judgement.state.value_or(0) > 0) {
        named.states[static_cast<std::size_t>(*judgement.state) - 1].launches.push_back(index);
      }
      judgements_[index] = judgement;
    }
    add_causes(named, group, figures, states);
  }

  static void add_causes(StateGroup& named, const Indices& group, const GroupFigures& figures,
                         const FoundStates& states) {
    for (const StateSplit& split : states.splits) {
      const StateCause& cause = figures.causes[split.figure];
      const auto is_same = [&](const StateCause& other) {
        return other.figure == cause.figure && other.ranks == cause.ranks;
      };
      if (std::ranges::any_of(named.causes, is_same)) continue;
      named.causes.push_back(cause);
      named.causes.back().p_adjusted = split.p_adjusted;
      for (std::size_t state = 0; state < states.states; ++state) {
        std::vector<double> values;
        for (std::size_t i = 0; i < group.size(); ++i) {
          const std::vector<double>& of_moments = figures.figures[split.figure].values[i];
          for (std::size_t moment = 0; moment < of_moments.size(); ++moment) {
            const bool counts = states.of[i].at(moment) == state && of_moments[moment] > 0;
            if (counts) values.push_back(of_moments[moment]);
          }
        }
        named.states[state].values.push_back(median(values).value_or(0));
      }
    }
  }

  /// Launches that are compared at one point, and their shortest noise probes.
  using PointKey =
      std::tuple<std::string, std::string, std::string, std::string, std::int64_t, int>;
  struct PointProbes {
    std::map<std::size_t, double> shortest;  ///< by record
    std::vector<std::pair<std::size_t, const Series*>> series;
  };

  void find_busy() {
    std::map<PointKey, PointProbes> points;
    std::vector<std::size_t> probed_points(records_.size());
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const Record& record = *records_[i];
      if (record.status != LaunchStatus::complete) continue;
      for (const Series& series : record.series) {
        const auto probe = shortest_probe(series);
        if (!probe || *probe <= 0) continue;
        const Point& point = series.point;
        PointProbes& probes =
            points[{setting_of(record), hosts_of(record), curve_name(point),
                    join_numbers(point.pair, "-"), point.bytes.value, of(i).state.value_or(0)}];
        const auto [known, is_new] = probes.shortest.try_emplace(i, *probe);
        known->second = std::min(known->second, *probe);
        if (is_new) ++probed_points[i];
        probes.series.emplace_back(i, &series);
      }
    }
    std::map<std::size_t, std::pair<std::vector<double>, std::vector<double>>> busy;
    for (const auto& [key, probes] : points) add_busy(probes, busy);
    for (const auto& [record, times] : busy) {
      found_.busy.push_back({.record = record,
                             .points = times.first.size(),
                             .all_points = probed_points[record],
                             .probe_seconds = median_of_some(times.first),
                             .quiet_seconds = median_of_some(times.second)});
    }
  }

  void add_busy(const PointProbes& probes,
                std::map<std::size_t, std::pair<std::vector<double>, std::vector<double>>>& busy) {
    constexpr std::size_t fewest = 4;
    if (probes.shortest.size() < fewest) return;
    std::vector<double> sorted;
    for (const auto& [record, seconds] : probes.shortest) sorted.push_back(seconds);
    std::ranges::sort(sorted);
    const double quiet = sorted[1];  // not the first: one wrong reading of a clock can shorten it
    const auto is_quiet = [&](double seconds) { return seconds <= busy_limit * quiet; };
    const auto quiet_launches = static_cast<std::size_t>(std::ranges::count_if(sorted, is_quiet));
    if (2 * quiet_launches <= sorted.size()) return;  // most have no free core: it is usual here
    for (const auto& [record, seconds] : probes.shortest) {
      if (is_quiet(seconds)) continue;
      busy[record].first.push_back(seconds);
      busy[record].second.push_back(quiet);
    }
    for (const auto& [record, series] : probes.series) {
      if (!is_quiet(probes.shortest.at(record))) quiet_[series] = quiet;
    }
  }

  Records records_;
  std::vector<RecordJudgement> judgements_;
  std::map<const Series*, double> quiet_;
  MachineStates found_;
};

std::vector<const Record*> pointers_to(std::span<const Record> records) {
  std::vector<const Record*> pointers;
  for (const Record& record : records) pointers.push_back(&record);
  return pointers;
}

}  // namespace

MachineStates compare_launches(std::span<const Record* const> records) {
  return Judging(records).found();
}

MachineStates compare_launches(std::span<const Record> records) {
  return compare_launches(pointers_to(records));
}

MachineStates judge_launches(std::span<Record* const> records) {
  for (Record* const record : records) {
    record->state.reset();
    for (Series& series : record->series) series.judgement = {};
  }
  const std::vector<const Record*> pointers(records.begin(), records.end());
  const Judging judging(pointers);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RecordJudgement& judgement = judging.of(i);
    records[i]->state = judgement.state;
    for (Series& series : records[i]->series) {
      series.judgement = {.quiet_probe_seconds = judging.quiet_probe(series),
                          .window = judgement.window,
                          .has_no_state = judgement.has_no_state};
    }
  }
  return judging.found();
}

MachineStates judge_launches(std::vector<Record>& records) {
  std::vector<Record*> pointers;
  for (Record& record : records) pointers.push_back(&record);
  return judge_launches(pointers);
}

std::optional<int> usual_state(std::span<const Record> records) {
  std::map<int, std::size_t> counts;
  for (const Record& record : records) {
    if (record.state.value_or(0) > 0) ++counts[*record.state];
  }
  if (counts.empty()) return std::nullopt;
  return std::ranges::max_element(counts, {}, &std::pair<const int, std::size_t>::second)->first;
}

MachineStates keep_usual_state(std::vector<Record>& records) {
  MachineStates found = judge_launches(records);
  const std::optional<int> usual = usual_state(records);
  std::erase_if(records,
                [&](const Record& record) { return record.state && record.state != usual; });
  for (Record& record : records) record.state.reset();
  return found;
}

}  // namespace hockney::verdicts
