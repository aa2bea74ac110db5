#include "driver/screens/reliability.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/faults.hpp"
#include "core/quantities.hpp"
#include "core/samples.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "verdicts/core_distances.hpp"
#include "verdicts/disturbance.hpp"
#include "verdicts/variability.hpp"

namespace hockney::report {
namespace {

/// Sentences of reliability.
namespace words {

constexpr std::string_view one_launch =
    "one launch, so nothing shows how figures vary: {} give intervals";
constexpr std::string_view ranges = "ranges of {}: {} give intervals";
constexpr std::string_view intervals = "{}intervals within {} at {} of {}";

constexpr std::string_view disturbed = "disturbed: {}; repeat when quiet";
constexpr std::string_view others = "others used {} of {}{}";
constexpr std::string_view hypervisor = "the hypervisor took {} of {}";
constexpr std::string_view load = "load {} on {} with {}";
constexpr std::string_view blocks = "{} of the blocks left out";
constexpr std::string_view never_free = "{} of {} never had a free core";

constexpr std::string_view cores_apart =
    "not repeatable: cores far apart (cache line {}, {}) {}, near ({}, {}) {} at {}; bind the "
    "ranks";
constexpr std::string_view two_groups = "not repeatable: {} in {}, {} in {} at {}{}";
constexpr std::string_view different_cores =
    "the cores of {} are farther apart: cache line {} against {}; bind both alike";

constexpr std::string_view means =
    "means of all samples are compared, disturbed ones too, as {} nothing but means";
constexpr std::string_view no_judgement = "disturbed, so means cannot judge: {}";

constexpr std::string_view settings_ignored = "the MPI library ignored {}";
constexpr std::string_view settings_proven = "every setting is proven to be effective";
constexpr std::string_view settings_not_proven = "not proven to be effective: {}{}";
constexpr std::string_view no_setting_proven = "no setting could be proven to be effective: {}{}";
constexpr std::string_view algorithms_but = "algorithms ran as requested but {}";
constexpr std::string_view algorithms_unknown = "which algorithm ran is unknown for {}";
constexpr std::string_view algorithms_proven = "every algorithm ran as requested (proven)";
constexpr std::string_view not_measured = "{} not measured: {}";
constexpr std::string_view measured_until = "{} of {} measured: {}";
constexpr std::string_view library_reported = "the MPI library reported in {} of {}: {}";
constexpr std::string_view uneven_cpus =
    "some ranks may use {}, others {}, which alone makes pairs differ";
constexpr std::string_view bind_all = "bind them, or give all as many";

}  // namespace words

constexpr double good_part = 0.9;  // least share of close intervals
constexpr double fair_part = 0.5;

bool is_close(const Interval& interval, double median, double precision) {
  return (interval.high - interval.low) / 2 <= precision * median;
}

/// How others disturbed some launches. Of several hosts the most used one of each launch counts.
struct Disturbances {
  std::vector<double> others_cpus;  ///< one for each launch that knows
  std::vector<double> steal_cpus;
  std::vector<double> loads;  ///< of launches that do not
  std::map<std::string, std::vector<double>> commands;
  std::size_t cpus = 0;  ///< of the ranks on one host, the largest
  std::size_t ranks = 0;
  std::size_t launches = 0;
  std::size_t without_core = 0;  ///< launches that never had a free core
  double blocks_left_out = 0;    ///< share

  [[nodiscard]] double others() const { return median(others_cpus).value_or(0); }
  [[nodiscard]] double steal() const { return median(steal_cpus).value_or(0); }
  [[nodiscard]] double load() const { return median(loads).value_or(0); }

  /// Others that need CPUs of the ranks: free ones may take all of them.
  [[nodiscard]] bool has_others() const {
    constexpr double fewest_cpus = 0.25;
    const double demand = others() + static_cast<double>(ranks);
    return others() >= fewest_cpus && demand > static_cast<double>(cpus);
  }
  [[nodiscard]] bool has_steal() const {
    constexpr double least_share = 0.05;
    return steal() > least_share * static_cast<double>(cpus);
  }
  /// A load beyond the CPUs that the ranks alone do not make.
  [[nodiscard]] bool has_load() const {
    return cpus > 0 && load() > static_cast<double>(cpus) &&
           load() >= static_cast<double>(ranks) + 1;
  }
  [[nodiscard]] bool has_blocks() const {
    constexpr double least_share = 0.05;
    return blocks_left_out >= least_share;
  }
  [[nodiscard]] bool any() const {
    return has_others() || has_steal() || has_load() || has_blocks() || without_core > 0;
  }
  [[nodiscard]] bool is_most() const {
    constexpr double most = 0.5;
    const double spare = static_cast<double>(cpus) - static_cast<double>(ranks);
    return blocks_left_out > most || 2 * without_core > launches || has_load() ||
           others() > std::max(most, spare);
  }

  /// The command that used most in all launches, with its CPUs.
  [[nodiscard]] std::optional<std::pair<std::string, double>> busiest() const {
    std::optional<std::pair<std::string, double>> found;
    for (const auto& [name, used] : commands) {
      double sum = 0;
      for (const double one : used) sum += one;
      const double mean = sum / static_cast<double>(launches);
      if (!found || mean > found->second) found = {name, mean};
    }
    return found;
  }
};

/// The CPUs on which ranks of a host may run; all of an unbound host.
std::set<int> cpus_on(const Record& record, const Host& host) {
  std::set<int> cpus;
  for (const RankPlace& rank : record.ranks) {
    if (rank.host == host.name) cpus.insert(rank.actual_cpus.begin(), rank.actual_cpus.end());
  }
  return cpus;
}

void add_launch(Disturbances& all, const Record& record) {
  ++all.launches;
  const OtherUse* most = nullptr;
  for (const Host& host : record.provenance.hosts) {
    const auto ranks = std::ranges::count(record.ranks, host.name, &RankPlace::host);
    all.ranks = std::max(all.ranks, static_cast<std::size_t>(ranks));
    all.cpus = std::max(all.cpus, cpus_on(record, host).size());
    const OtherUse* const others = host.others ? &*host.others : nullptr;
    if (others != nullptr && (most == nullptr || others->cpus > most->cpus)) most = others;
  }
  if (most != nullptr) {
    all.others_cpus.push_back(most->cpus);
    all.steal_cpus.push_back(most->steal_cpus);
    if (!most->command.empty()) all.commands[most->command].push_back(most->command_cpus);
    return;
  }
  const auto& hosts = record.provenance.hosts;
  if (!hosts.empty())
    all.loads.push_back(std::ranges::max(hosts, {}, &Host::load_average).load_average);
}

Disturbances disturbances_of(std::span<const Record> records, std::span<const Row> rows) {
  Disturbances all;
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete) add_launch(all, record);
  }
  int blocks = 0;
  int undisturbed = 0;
  for (const Row& row : rows) {
    blocks += row.blocks - row.warm_up_blocks;
    undisturbed += row.undisturbed_blocks;
  }
  if (blocks > 0) all.blocks_left_out = static_cast<double>(blocks - undisturbed) / blocks;
  for (const verdicts::BusyLaunch& launch : verdicts::busy_launches(records)) {
    if (launch.points == launch.all_points) ++all.without_core;
  }
  return all;
}

std::string cpus_text(double cpus) { return significant(cpus, 2); }

/// Where a row is, for a sentence about several: "pingpong 8".
std::string place_of(const Row& row) {
  return fmt::format("{} {}", escaped(row.point.operation), format_bytes(row.point.bytes));
}

std::string nanoseconds_text(double seconds) {
  constexpr double nanoseconds = 1e9;
  return significant(nanoseconds * seconds, 3) + " ns";
}

std::optional<verdicts::CoreDistances> core_distances_of(std::span<const Record> records,
                                                         const Row& row) {
  std::vector<verdicts::LaunchOnCores> launches;
  for (const LaunchMedian& launch : row.launches) {
    const auto line = verdicts::cache_line_seconds(records[launch.launch], row.point);
    if (line) launches.push_back({.line_seconds = *line, .seconds = launch.seconds});
  }
  return verdicts::find_core_distances(launches);
}

/// The first row whose launches ran on cores near and far.
std::string cores_apart_words(std::span<const Record> records, std::span<const Row> rows) {
  for (const Row& row : rows) {
    if (row.launches.size() < 2 * verdicts::part_launches) continue;
    const auto found = core_distances_of(records, row);
    if (!found) continue;
    return fmt::format(words::cores_apart, nanoseconds_text(found->far.line_seconds),
                       count_text(found->far.launches, "launch"), short_time(found->far.seconds),
                       nanoseconds_text(found->near.line_seconds), found->near.launches,
                       short_time(found->near.seconds), place_of(row));
  }
  return "";
}

/// The two groups of launches at the row where they differ most (verdicts/variability.hpp).
std::string two_groups_words(std::span<const Row> rows) {
  std::vector<std::vector<double>> points;
  for (const Row& row : rows) points.push_back(seconds_of(row.launches));
  const auto found = verdicts::find_modes(points);
  std::size_t widest = rows.size();
  std::size_t count = 0;
  double largest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!found[i]) continue;
    ++count;
    const double ratio = found[i]->high_seconds / found[i]->low_seconds;
    if (ratio > largest) widest = i, largest = ratio;
  }
  if (count == 0) return "";
  const verdicts::LaunchModes& modes = *found[widest];
  return fmt::format(
      words::two_groups, short_time(modes.low_seconds), count_text(modes.low_launches(), "launch"),
      short_time(modes.high_seconds), modes.high_launches(), place_of(rows[widest]),
      count > 1 ? fmt::format(" ({} of {})", count, count_text(rows.size(), "point")) : "");
}

/// "not repeatable: cores far apart (cache line 227 ns, 8 launches): 0.351 us; near (53.0 ns, 6):
/// 0.105 us at 8", or the two groups of launches at the point where they differ most. Empty if
/// launches agree.
std::string not_repeatable_words(std::span<const Record> records, std::span<const Row> rows) {
  const std::string cores = cores_apart_words(records, rows);
  return cores.empty() ? two_groups_words(rows) : cores;
}

using Records = std::span<const Record>;
using Rows = std::span<const Row>;
using Findings = std::vector<Finding>;

/// Environment variables that the settings of a campaign vary. Launchers set other variables, which
/// are no settings.
std::set<std::string> varied_variables(std::span<const Record> records) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> launches;
  for (const Record& record : records) {
    for (const RequestedSetting& setting : record.provenance.mpi.requested) {
      values[setting.variable].insert(setting.requested);
      ++launches[setting.variable];
    }
  }
  std::set<std::string> varied;
  for (const auto& [variable, texts] : values) {
    if (texts.size() > 1 || launches[variable] < records.size()) varied.insert(variable);
  }
  return varied;
}

/// Results of the requested settings.
struct RequestedNames {
  Names ignored;
  Names unproven;
  std::string reason;  ///< of an unproven one
  bool any_proven = false;

  /// Counts varied settings, and every ignored one.
  void add(const RequestedSetting& setting, bool is_varied) {
    const std::string text = fmt::format("{}={}", setting.variable, setting.requested);
    if (setting.proof == Proof::ignored) ignored.add(text);
    if (!is_varied) return;
    any_proven = any_proven || setting.proof == Proof::proven;
    if (setting.proof != Proof::unproven) return;
    unproven.add(text);
    reason = setting.reason;
  }
};

/// Whether the MPI library applied the requested settings.
Findings settings_findings(Records records, Rows) {
  const std::set<std::string> varied = varied_variables(records);
  RequestedNames names;
  for (const Record& record : records) {
    for (const RequestedSetting& setting : record.provenance.mpi.requested) {
      names.add(setting, varied.contains(setting.variable));
    }
  }
  Findings lines;
  if (!names.ignored.empty()) {
    lines.push_back({.what = fmt::format(words::settings_ignored, names.ignored.text())});
  } else if (names.any_proven && names.unproven.empty()) {
    lines.push_back({.what = std::string(words::settings_proven)});
  }
  if (names.unproven.empty()) return lines;
  const std::string unproven = names.unproven.text();
  const std::string reason =
      names.reason.empty() ? "" : fmt::format(" ({})", escaped(names.reason));
  lines.push_back({.what = names.any_proven
                               ? fmt::format(words::settings_not_proven, unproven, reason)
                               : fmt::format(words::no_setting_proven, unproven, reason)});
  return lines;
}

/// Algorithms that differ from the requested ones, and unknown ones.
Findings algorithm_findings(Records records, Rows) {
  Names others;
  Names unknown;
  bool any = false;
  for (const Record& record : records) {
    for (const AlgorithmUse& use : record.algorithms) {
      any = true;
      const std::string place = fmt::format("{} {}", use.operation, use.requested);
      if (use.proof == Proof::unproven) unknown.add(place);
      if (use.proof != Proof::ignored) continue;
      others.add(fmt::format("{} at {} ({} ran)", place, format_bytes(use.bytes),
                             use.ran.value_or("another")));
    }
  }
  Findings lines;
  if (!others.empty())
    lines.push_back({.what = fmt::format(words::algorithms_but, others.text(2))});
  if (!unknown.empty()) {
    lines.push_back({.what = fmt::format(words::algorithms_unknown, unknown.text())});
  }
  if (any && lines.empty()) lines.push_back({.what = std::string(words::algorithms_proven)});
  return lines;
}

/// Points that no launch measured; faults have lines of their own.
Findings missing_points(Records, Rows rows) {
  const auto is_missing = [](const Row& row) {
    return !row.median_seconds && !is_fault(row.reason);
  };
  const auto missing = static_cast<std::size_t>(std::ranges::count_if(rows, is_missing));
  if (missing == 0 || missing == rows.size()) return {};
  const std::string& reason = std::ranges::find_if(rows, is_missing)->reason;
  const bool is_late = reason.starts_with(not_reached_reason);
  return {{.what = is_late ? fmt::format(words::measured_until, rows.size() - missing,
                                         count_text(rows.size(), "point"),
                                         escaped(reason.substr(not_reached_reason.size())))
                           : fmt::format(words::not_measured, count_text(missing, "point"),
                                         escaped(reason)),
           .share = static_cast<double>(missing) / static_cast<double>(rows.size())}};
}

/// Warns if ranks may use different numbers of CPUs, since this alone makes pairs differ.
Findings uneven_cpus(Records records, Rows) {
  std::set<std::size_t> counts;
  bool is_uneven = false;
  for (const Record& record : records) {
    std::set<std::size_t> own;
    for (const RankPlace& rank : record.ranks) own.insert(rank.actual_cpus.size());
    own.erase(0);  // simulated ranks
    if (own.size() < 2) continue;
    is_uneven = true;
    counts.merge(own);
  }
  if (!is_uneven) return {};
  return {{.what = fmt::format(words::uneven_cpus, count_text(*counts.begin(), "CPU"),
                               *counts.rbegin()),
           .advice = std::string(words::bind_all)}};
}

/// Faults that the MPI library reported in launches that ended successfully.
Findings library_messages(Records records, Rows) {
  Names messages;
  std::size_t launches = 0;
  for (const Record& record : records) {
    const std::vector<std::string>& reported = record.provenance.mpi.messages;
    for (const std::string& message : reported) messages.add(message);
    launches += reported.empty() ? 0U : 1U;
  }
  if (messages.empty()) return {};
  return {{.what = fmt::format(words::library_reported, launches,
                               count_text(records.size(), "launch"), messages.text(2)),
           .share = static_cast<double>(launches) / static_cast<double>(records.size())}};
}

/// Kinds of findings, worst first.
constexpr std::array kinds{settings_findings, algorithm_findings, missing_points, library_messages,
                           uneven_cpus};

}  // namespace

std::string interval_words(std::span<const Row> rows, double precision, bool mostly_disturbed) {
  std::size_t measured = 0;
  std::size_t with_interval = 0;
  std::size_t close = 0;
  std::size_t most_launches = 0;
  for (const Row& row : rows) {
    if (!row.median_seconds) continue;
    ++measured;
    most_launches = std::max(most_launches, row.launches.size());
    if (!row.interval_seconds) continue;
    ++with_interval;
    if (is_close(*row.interval_seconds, *row.median_seconds, precision)) ++close;
  }
  if (measured == 0) return "nothing was measured";
  if (with_interval == 0) {
    return most_launches == 1 ? fmt::format(words::one_launch, samples_for_interval())
                              : fmt::format(words::ranges, count_text(most_launches, "launch"),
                                            samples_for_interval());
  }
  const double part = static_cast<double>(close) / static_cast<double>(measured);
  const std::string_view good = mostly_disturbed ? "" : "good: ";
  const std::string_view word = part >= good_part ? good : part >= fair_part ? "fair: " : "poor: ";
  return fmt::format(words::intervals, word, format_fraction(precision), close,
                     count_text(measured, "point"));
}

std::string nothing_words(std::span<const Row> rows) {
  std::map<std::string, std::size_t> reasons;
  for (const Row& row : rows) {
    if (!row.reason.empty()) ++reasons[row.reason];
  }
  if (reasons.empty()) return "nothing was measured";
  const auto& [reason, points] =
      *std::ranges::max_element(reasons, {}, [](const auto& one) { return one.second; });
  return fmt::format("nothing was measured: {} ({})", escaped(reason), count_text(points, "point"));
}

DisturbedWords disturbed_words(std::span<const Record> records, std::span<const Row> rows) {
  const Disturbances all = disturbances_of(records, rows);
  if (!all.any()) return {};
  const std::string cpus = count_text(all.cpus, "CPU");
  std::vector<std::string> parts;
  if (all.has_others()) {
    const auto busiest = all.busiest();
    const bool is_known = busiest && busiest->second >= 0.1;
    parts.push_back(fmt::format(
        words::others, cpus_text(all.others()), cpus,
        is_known ? fmt::format(" ({} {})", escaped(busiest->first), cpus_text(busiest->second))
                 : ""));
  }
  if (all.has_steal()) {
    parts.push_back(fmt::format(words::hypervisor, cpus_text(all.steal()), cpus));
  }
  if (all.has_load()) {
    parts.push_back(
        fmt::format(words::load, cpus_text(all.load()), cpus, count_text(all.ranks, "rank")));
  }
  if (all.without_core > 0) {
    parts.push_back(
        fmt::format(words::never_free, all.without_core, count_text(all.launches, "launch")));
  }
  if (all.has_blocks()) {
    parts.push_back(fmt::format(words::blocks, format_fraction(all.blocks_left_out)));
  }
  return {.text = fmt::format(words::disturbed, join(parts)), .is_most = all.is_most()};
}

void add_means(Screen& screen, const verdicts::CompareSet& set, const DisturbedWords& disturbed) {
  if (!set.of_means) return;
  const bool are_both = set.a.is_imported && set.b.is_imported;
  screen.warnings.push_back(fmt::format(words::means, are_both            ? "A and B have"
                                                      : set.a.is_imported ? "A has"
                                                                          : "B has"));
  if (disturbed.text.empty()) return;
  const std::string answer = screen.answer.empty() ? "" : screen.answer.front();
  screen.verdict =
      fmt::format(words::no_judgement, screen.verdict.empty() ? answer : screen.verdict);
}

std::string different_cores_words(const verdicts::CompareSet& set) {
  if (!set.cores) return "";
  const auto [a, b] = *set.cores;
  return fmt::format(words::different_cores, a > b ? "A" : "B", nanoseconds_text(std::max(a, b)),
                     nanoseconds_text(std::min(a, b)));
}

void add_reliability(Screen& screen, Records records, Rows rows, double precision) {
  for (const auto& kind : kinds) {
    std::ranges::move(kind(records, rows), std::back_inserter(screen.findings));
  }
  DisturbedWords disturbed = disturbed_words(records, rows);
  const std::string shared = oversubscription_text(records);
  const std::string intervals = interval_words(rows, precision, disturbed.is_most);
  const bool is_first = disturbed.is_most && shared.empty();
  if (is_first) screen.warnings = {std::exchange(disturbed.text, "")};
  screen.reliability = {shared.empty() ? disturbed.text : shared,
                        not_repeatable_words(records, rows), intervals};
  std::erase(screen.reliability, "");
}

}  // namespace hockney::report
