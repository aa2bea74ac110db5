#include "components/health/report/health_report.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

/// Sentences of the report.
namespace words {

constexpr std::string_view night_in_future = "1 night in the future is not judged: {}";
constexpr std::string_view nights_in_future = "{} nights in the future are not judged, from {} on";
constexpr std::string_view short_baseline = "{} of {} nights that a baseline needs";
constexpr std::string_view not_measured_since = ", not measured since {}";
constexpr std::string_view in_all = "; {} in all, with earlier steps";
constexpr std::string_view no_series = "no series was measured; nothing can be judged yet";
constexpr std::string_view all_stale = "nothing can be judged ({} series not measured lately)";
constexpr std::string_view learning = "{} needed; nothing can be judged yet ({} series)";
constexpr std::string_view learning_or_stale =
    "{} needed; nothing can be judged yet ({} series, {} series not measured lately)";
constexpr std::string_view some_learning = "; {} series still learning, {} needed";
constexpr std::string_view some_stale = "; {} series not measured lately";
constexpr std::string_view no_slow_node_or_link = "no slow node or link";
constexpr std::string_view that_day = "; that day: {} {} -> {}";
constexpr std::string_view that_day_and_more = "; that day: {} {} -> {} and {}";
constexpr std::string_view missing = "{} of {} series, {}: {}";
constexpr std::string_view missing_and_more = "{} of {} series, {} and {} more: {}";
constexpr std::string_view other_reasons = "; {} more for other reasons";
constexpr std::string_view suspect =
    "{} of {} series, {} {} on this one night (score {}); a verdict takes more nights";
constexpr std::string_view suspect_since =
    "{} of {} series, {} {} since {} (score {}); a verdict takes more nights";
constexpr std::string_view steady_or_better = "OK: {} series steady or better on {}";

}  // namespace words

/// Hosts whose pairs are slow.
std::set<std::string> hosts_of_slow_pairs(const Report& report) {
  std::set<std::string> hosts;
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::NodeEffect& node : fleet.night.nodes) {
      if (node.named) hosts.insert(node.host);
    }
  }
  return hosts;
}

std::set<std::string> slow_hosts(const Report& report) {
  std::set<std::string> hosts = hosts_of_slow_pairs(report);
  if (report.nodes) {
    for (const NodeShift& node : report.nodes->slow) hosts.insert(node.host);
  }
  return hosts;
}

/// Whether the night is far outside of the usual spread, and nothing is decided by it yet.
bool is_suspect(const SeriesHealth& health) {
  return health.suspect &&
         (health.verdict == Verdict::steady || health.verdict == Verdict::improved);
}

std::size_t slow_links(const Report& report) {
  std::size_t links = 0;
  for (const JudgedFleet& fleet : report.fleets) links += fleet.links.size();
  return links;
}

/// The nights that are not judged because they are in the future; empty without any.
std::string future_text(const Report& report) {
  const std::vector<std::int64_t>& days = report.future;
  if (days.empty()) return "";
  if (days.size() == 1) return fmt::format(words::night_in_future, day_text(days.front()));
  return fmt::format(words::nights_in_future, days.size(), day_text(days.front()));
}

/// Whether the value is farther from the baseline than the last change explains.
bool has_earlier_step(const SeriesHealth& health) {
  constexpr double least = 0.03;  // [log ratio]
  if (!health.change || !health.from_baseline) return false;
  const double more = std::log1p(*health.from_baseline) - std::log1p(health.change->change);
  return (health.change->change > 0 ? more : -more) > least;
}

struct FigureWords {
  std::string_view figure;
  std::string_view words;
};

constexpr std::array<FigureWords, 9> figure_words{
    {{"bytes_per_second", "bandwidth"},
     {"alpha_seconds", "fitted start-up time"},
     {"beta_seconds_per_byte", "fitted time per byte"},
     {"spread", "spread between launches"},
     {"calm_share", "share of undisturbed samples"},
     {"eager_limit_bytes", "eager limit"},
     {"pss_bytes", "memory of a rank"},
     {"read_seconds", "time to read the clock"},
     {"node_ratio", "time of a node's pairs"}}};

/// "8 B", "64K".
std::string size_text(const std::string& bytes) {
  const auto number = as_number<std::int64_t>(bytes);
  if (!number) return bytes;
  const std::string text = format_bytes({*number});
  return text == bytes ? text + " B" : text;
}

/// A suitable unit for a series' value: its name with a leading blank, and how many of it make one
/// unit of the series.
struct SuitedUnit {
  std::string name;
  double scale = 1;
};

SuitedUnit suited_unit(double value, const std::string& unit) {
  if (unit == "seconds") {
    if (value < 1e-3) return {" us", report::microseconds};
    return value < 1 ? SuitedUnit{" ms", 1e3} : SuitedUnit{" s", 1};
  }
  if (unit == "seconds_per_byte") return {" ns/B", report::nanoseconds};
  if (unit == "bytes_per_second") {
    return value < 1e9 ? SuitedUnit{" MB/s", 1e-6} : SuitedUnit{" GB/s", 1e-9};
  }
  if (unit == "bytes") return value < 1e6 ? SuitedUnit{" B", 1} : SuitedUnit{" MB", 1e-6};
  return {unit.empty() || unit == "ratio" ? "" : " " + unit, 1};
}

/// Whether a figure is a coefficient of a model, and so no time that a program waits for.
bool is_fitted(const SeriesKind& kind) {
  const std::string figure = parse_series_name(kind.name).figure;
  return figure == "alpha_seconds" || figure == "beta_seconds_per_byte";
}

/// The worst regressed series: measured figures before coefficients of models, then by severity,
/// then by the size of the change.
const JudgedSeries* worst_series(const Report& report) {
  const JudgedSeries* worst = nullptr;
  const auto rank = [](const JudgedSeries& series) {
    const double change = series.health.change ? series.health.change->change : 0;
    return std::tuple(!is_fitted(series.kind), series.health.severity,
                      std::abs(std::log1p(change)));
  };
  for (const JudgedSeries& series : report.series) {
    if (series.health.verdict != Verdict::regressed) continue;
    if (worst == nullptr || rank(*worst) < rank(series)) worst = &series;
  }
  return worst;
}

/// The slowest named node.
const fleet::NodeEffect* worst_node(const Report& report) {
  const fleet::NodeEffect* worst = nullptr;
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::NodeEffect& node : fleet.night.nodes) {
      if (node.named && (worst == nullptr || worst->effect < node.effect)) worst = &node;
    }
  }
  return worst;
}

const fleet::LinkVerdict* worst_link(const Report& report) {
  const fleet::LinkVerdict* worst = nullptr;
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::LinkVerdict& link : fleet.links) {
      if (worst == nullptr || worst->effect < link.effect) worst = &link;
    }
  }
  return worst;
}

/// "night 2 of 15", for the series with the most progress.
std::string progress_of_learning(const Report& report) {
  std::size_t nights = 0;
  std::size_t needed = 0;
  for (const JudgedSeries& series : report.series) {
    if (!is_learning(series.health) || series.health.nights < nights) continue;
    nights = series.health.nights;
    needed = series.health.nights_needed;
  }
  return fmt::format("night {} of {}", nights, needed);
}

/// Number of series that were not measured lately.
std::size_t stale_of(const HealthCounts& counts) { return counts.undecided - counts.learning; }

std::string learning_text(const Report& report, const HealthCounts& counts) {
  if (report.series.empty()) return std::string(words::no_series);
  const std::size_t stale = stale_of(counts);
  if (counts.learning == 0) return fmt::format(words::all_stale, stale);
  const std::string progress = progress_of_learning(report);
  if (stale == 0) return fmt::format(words::learning, progress, counts.learning);
  return fmt::format(words::learning_or_stale, progress, counts.learning, stale);
}

std::string steady_text(const Report& report, const HealthCounts& counts) {
  std::vector<std::string> parts;
  if (report.nodes) parts.push_back(nodes_text(*report.nodes));
  if (counts.steady > 0) parts.push_back(fmt::format("{} series steady", counts.steady));
  if (counts.improved > 0) parts.push_back(fmt::format("{} series improved", counts.improved));
  if (report.series.empty()) parts.emplace_back(words::no_slow_node_or_link);
  std::string text =
      fmt::format("{} over {}", join(parts), report::count_text(report.nights, "night"));
  if (counts.learning > 0) {
    text += fmt::format(words::some_learning, counts.learning, progress_of_learning(report));
  }
  const std::size_t stale = stale_of(counts);
  return stale == 0 ? text : text + fmt::format(words::some_stale, stale);
}

/// "; that day: mpi.library Open MPI v4.1.4 -> Open MPI v5.0.9 and 3 more facts"
std::string environment_text(const JudgedSeries& series) {
  std::vector<FactChange> facts;
  for (const NamedChange& change : series.environment) {
    facts.insert(facts.end(), change.facts.begin(), change.facts.end());
  }
  if (facts.empty()) return "";
  const auto library = std::ranges::find(facts, "mpi.library", &FactChange::fact);
  const FactChange& first = library != facts.end() ? *library : facts.front();
  if (facts.size() == 1) return fmt::format(words::that_day, first.fact, first.before, first.after);
  return fmt::format(words::that_day_and_more, first.fact, first.before, first.after,
                     report::count_text(facts.size() - 1, "more fact"));
}

/// The most frequent reason with its first series. Void figures are told as faults.
std::string missing_text(const Report& report) {
  std::map<std::string, std::vector<const JudgedSeries*>> reasons;
  std::size_t all = 0;
  for (const JudgedSeries& series : report.series) {
    if (series.missing.empty() || (!report.faults.empty() && is_fault(series.missing))) continue;
    reasons[series.missing].push_back(&series);
    ++all;
  }
  if (reasons.empty()) return "";
  const auto& [reason, series] =
      *std::ranges::max_element(reasons, {}, [](const auto& one) { return one.second.size(); });
  const std::string first = event_text(series.front()->kind);
  std::string text = series.size() == 1
                         ? fmt::format(words::missing, all, report.series.size(), first, reason)
                         : fmt::format(words::missing_and_more, all, report.series.size(), first,
                                       series.size() - 1, reason);
  if (all > series.size()) text += fmt::format(words::other_reasons, all - series.size());
  return text;
}

/// The suspect series that is farthest off.
std::string suspect_text(const Report& report, const HealthCounts& counts) {
  const JudgedSeries* worst = nullptr;
  const auto distance = [](const JudgedSeries& series) {
    return std::pair(!is_fitted(series.kind), std::abs(std::log1p(series.health.suspect->change)));
  };
  for (const JudgedSeries& series : report.series) {
    if (!is_suspect(series.health)) continue;
    if (worst == nullptr || distance(*worst) < distance(series)) worst = &series;
  }
  if (worst == nullptr) return "";
  const NightOutlier& night = *worst->health.suspect;
  const std::string what = event_text(worst->kind);
  const std::string score = report::significant(night.score, 3);
  if (night.since == night.day) {
    return fmt::format(words::suspect, counts.suspect, report.series.size(), what,
                       signed_percent(night.change), score);
  }
  return fmt::format(words::suspect_since, counts.suspect, report.series.size(), what,
                     signed_percent(night.change), day_text(night.since), score);
}

std::string regressed_text(const Report& report, const HealthCounts& counts) {
  std::vector<std::string> parts;
  if (report.nodes) {
    parts.push_back(nodes_text(*report.nodes));
  } else if (counts.slow_nodes > 0) {
    parts.push_back(report::count_text(counts.slow_nodes, "slow node"));
  }
  if (counts.slow_links > 0) parts.push_back(report::count_text(counts.slow_links, "slow link"));
  if (const JudgedSeries* worst = worst_series(report)) {
    parts.push_back(fmt::format("{} of {} series, {} {}{}", counts.regressed, report.series.size(),
                                event_text(worst->kind), change_text(worst->health),
                                environment_text(*worst)));
  }
  return join(parts, "; ");
}

/// Faults, missing series, then the regressions found without them.
std::string failed_text(const Report& report, const HealthCounts& counts) {
  std::vector<std::string> parts = report::fault_lines(report.faults);
  const bool is_failure = !report.missing_ok;
  if (std::string missing = is_failure ? missing_text(report) : ""; !missing.empty()) {
    parts.push_back(report.faults.empty() ? missing : "missing " + missing);
  }
  if (has_regression(report)) {
    parts.push_back((parts.empty() ? "" : "regressed ") + regressed_text(report, counts));
  }
  return join(parts, "; ");
}

/// ", 1 series missing", if that is no failure.
std::string with_missing(const std::string& text, const Report& report,
                         const HealthCounts& counts) {
  if (!report.missing_ok || counts.missing == 0) return text;
  return fmt::format("{}; {} series missing", text, counts.missing);
}

std::string with_future(const std::string& text, const Report& report) {
  const std::string future = future_text(report);
  return future.empty() ? text : fmt::format("{}; {}", text, future);
}

std::vector<std::string> findings(const Report& report) {
  std::vector<std::string> parts = report::fault_lines(report.faults);
  if (std::string missing = report.missing_ok ? "" : missing_text(report); !missing.empty()) {
    parts.push_back("missing: " + missing);
  }
  if (std::string nodes = report.nodes ? drain_text(*report.nodes) : ""; !nodes.empty()) {
    parts.push_back(std::move(nodes));
  }
  if (const fleet::NodeEffect* node = worst_node(report)) {
    const std::size_t others = hosts_of_slow_pairs(report).size() - 1;
    parts.push_back(
        fmt::format("node {} {}{}{}", node->host, signed_percent(node->effect),
                    node->day ? " on " + day_text(*node->day) : "",
                    others > 0 ? " and " + report::count_text(others, "more node") : ""));
  }
  if (const fleet::LinkVerdict* link = worst_link(report)) {
    const std::size_t others = count(report).slow_links - 1;
    parts.push_back(
        fmt::format("link {}-{} {}{}", link->a, link->b, signed_percent(link->effect),
                    others > 0 ? " and " + report::count_text(others, "more link") : ""));
  }
  if (const JudgedSeries* series = worst_series(report)) {
    const std::size_t others = count(report).regressed - 1;
    parts.push_back(fmt::format("{} {}{}", series->kind.name, change_text(series->health),
                                others > 0 ? fmt::format(" and {} more series", others) : ""));
  }
  return parts;
}

}  // namespace

std::string signed_percent(double change) {
  const double value = report::per_cent * change;
  return fmt::format("{}{} %", value < 0 ? "-" : "+", report::significant(std::abs(value), 3));
}

bool is_learning(const SeriesHealth& health) {
  return health.verdict == Verdict::undecided &&
         (health.why == UndecidedWhy::no_nights || health.why == UndecidedWhy::short_baseline);
}

HealthCounts count(const Report& report) {
  HealthCounts counts;
  for (const JudgedSeries& series : report.series) {
    switch (series.health.verdict) {
      case Verdict::steady:
        ++counts.steady;
        break;
      case Verdict::improved:
        ++counts.improved;
        break;
      case Verdict::regressed:
        ++counts.regressed;
        break;
      case Verdict::undecided:
        ++counts.undecided;
        counts.learning += is_learning(series.health) ? 1U : 0U;
        break;
      case Verdict::missing:
        break;
    }
    counts.missing += series.missing.empty() ? 0U : 1U;
    counts.suspect += is_suspect(series.health) ? 1U : 0U;
  }
  counts.slow_nodes = slow_hosts(report).size();
  counts.slow_links = slow_links(report);
  return counts;
}

bool has_regression(const Report& report) {
  const HealthCounts counts = count(report);
  if (report.nodes && has_regression(*report.nodes)) return true;
  return counts.regressed + counts.slow_nodes + counts.slow_links > 0;
}

State state_of(const Report& report) {
  if (!report.faults.empty()) return State::corrupt;
  const HealthCounts counts = count(report);
  if (counts.missing > 0 && !report.missing_ok) return State::missing;
  if (has_regression(report)) return State::regressed;
  if (counts.suspect > 0) return State::suspect;
  const bool judges_nodes = std::ranges::any_of(report.fleets, [](const JudgedFleet& fleet) {
    return fleet.night.undecided == fleet::FleetUndecided::none;
  });
  const bool has_peers = report.nodes && report.nodes->nights >= nights_of_peers;
  const bool judged = counts.steady + counts.improved > 0 || has_peers;
  return judged || (report.series.empty() && judges_nodes) ? State::ok : State::learning;
}

bool is_failure(State state) {
  return state == State::regressed || state == State::missing || state == State::corrupt;
}

fleet::Severity severity_of(const Report& report) {
  const State state = state_of(report);
  if (state == State::corrupt) return fleet::Severity::isolate;
  fleet::Severity worst =
      state == State::missing ? fleet::Severity::monitor : fleet::Severity::none;
  for (const JudgedSeries& series : report.series) {
    worst = std::max(worst, series.health.severity);
  }
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::NodeEffect& node : fleet.night.nodes) {
      if (node.named) worst = std::max(worst, node.severity);
    }
    for (const fleet::LinkVerdict& link : fleet.links) worst = std::max(worst, link.severity);
  }
  return report.nodes ? std::max(worst, severity_of(*report.nodes)) : worst;
}

std::string undecided_text(const SeriesHealth& health) {
  switch (health.why) {
    case UndecidedWhy::none:
      return "";
    case UndecidedWhy::no_nights:
      return "no night to judge";
    case UndecidedWhy::short_baseline:
      return fmt::format(words::short_baseline, health.nights, health.nights_needed);
    case UndecidedWhy::stale:
    case UndecidedWhy::absent:
      break;
  }
  return "not measured lately";
}

std::string change_text(const SeriesHealth& health) {
  if (!health.change) return "";
  const DatedChange& change = *health.change;
  std::string text =
      fmt::format("{} since {}", signed_percent(change.change), day_text(change.since));
  if (change.since_low != change.since_high) {
    text += fmt::format(" ({} .. {})", day_text(change.since_low), day_text(change.since_high));
  }
  if (change.interval) {
    text += fmt::format(", interval {} .. {}", signed_percent(change.interval->low),
                        signed_percent(change.interval->high));
  }
  if (has_earlier_step(health)) {
    text += fmt::format(words::in_all, signed_percent(*health.from_baseline));
  }
  if (health.is_open && health.last_day)
    text += fmt::format(words::not_measured_since, day_text(*health.last_day));
  return text;
}

std::string figure_name(const SeriesName& name) {
  if (name.figure == "seconds") return name.operation == "pingpong" ? "latency" : "time";
  const auto* const found = std::ranges::find(figure_words, name.figure, &FigureWords::figure);
  if (found != figure_words.end()) return std::string(found->words);
  std::string words = name.figure;
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string event_text(const SeriesKind& kind) {
  const SeriesName name = parse_series_name(kind.name);
  if (name.figure.empty()) return kind.name;
  std::vector<std::string> place{name.operation};
  if (const std::string ranks = name.at("ranks"); !ranks.empty()) {
    place.push_back(ranks + (ranks == "1" ? " rank" : " ranks"));
  }
  if (const std::string hop = name.at("hop"); !hop.empty()) place.push_back(hop);
  for (const auto& [key, value] : name.keys) {
    const bool is_said = key == "ranks" || key == "hop" || key == "bytes" || key == "setting";
    if (!is_said) place.push_back(fmt::format("{} {}", key, value));
  }
  const std::string bytes = name.at("bytes");
  return fmt::format("{}{} ({})", bytes.empty() ? "" : size_text(bytes) + " ", figure_name(name),
                     join(place));
}

bool is_derived(const SeriesKind& kind) {
  constexpr std::array<std::string_view, 4> others{"spread", "calm_share", "congestion",
                                                   "node_ratio"};
  return is_fitted(kind) || std::ranges::count(others, parse_series_name(kind.name).figure) > 0;
}

std::string figure_text(double value, const std::optional<Interval>& interval,
                        const std::string& unit) {
  const SuitedUnit suited = suited_unit(value, unit);
  std::string text = report::significant(value * suited.scale) + suited.name;
  if (interval) text += ", interval " + report::interval_text(interval, suited.scale);
  return text;
}

std::vector<const JudgedSeries*> series_with(const Report& report, Verdict verdict) {
  std::vector<const JudgedSeries*> found;
  for (const JudgedSeries& judged : report.series) {
    if (judged.health.verdict == verdict) found.push_back(&judged);
  }
  std::ranges::stable_sort(found, std::greater(), [](const JudgedSeries* one) {
    const auto& change = one->health.change;
    return change ? std::abs(std::log1p(change->change)) : 0;
  });
  return found;
}

std::vector<std::string> common_lines(const Report& report) {
  constexpr std::size_t most = 3;
  const std::string who =
      report.nodes ? "all " + report::count_text(report.nodes->nodes, "node") : "all";
  std::vector<std::string> lines;
  std::map<std::pair<Verdict, std::int64_t>, std::pair<const JudgedSeries*, std::size_t>> by_day;
  for (const Verdict verdict : {Verdict::regressed, Verdict::improved}) {
    for (const JudgedSeries* series : series_with(report, verdict)) {
      const std::int64_t day = series->health.change ? series->health.change->since : 0;
      const auto place = by_day.try_emplace({verdict, day}, series, 0).first;
      ++place->second.second;
    }
  }
  for (const auto& [key, found] : by_day) {
    const auto& [series, number] = found;
    std::string line = fmt::format("{}: {} {}{}", who, event_text(series->kind),
                                   change_text(series->health), environment_text(*series));
    if (number > 1) line += fmt::format("; {} more series since then", number - 1);
    lines.push_back(escaped(line));
  }
  if (lines.size() > most) {
    const std::size_t rest = lines.size() - most;
    lines.resize(most);
    lines.push_back(fmt::format("... {} more: --all", rest));
  }
  return lines;
}

std::string headline(const Report& report) {
  const HealthCounts counts = count(report);
  const auto line = [&](State state, const std::string& text) {
    return fmt::format("{:<10}{}", word(state), escaped(with_future(text, report)));
  };
  switch (const State state = state_of(report)) {
    case State::ok:
      return line(state, with_missing(steady_text(report, counts), report, counts));
    case State::learning:
      return line(state, with_missing(learning_text(report, counts), report, counts));
    case State::suspect:
      return line(state, with_missing(suspect_text(report, counts), report, counts));
    case State::regressed:
    case State::missing:
    case State::corrupt:
      return line(state, with_missing(failed_text(report, counts), report, counts));
  }
  return {};
}

std::string reason_line(const Report& report) {
  const std::vector<std::string> parts = findings(report);
  if (!parts.empty()) {
    return fmt::format("{}: {}", word(std::max(severity_of(report), fleet::Severity::monitor)),
                       escaped(with_future(join(parts, "; "), report)));
  }
  const HealthCounts counts = count(report);
  const State state = state_of(report);
  if (state == State::learning) {
    return fmt::format("{}: {}", word(State::learning),
                       with_future(learning_text(report, counts), report));
  }
  if (state == State::suspect) {
    return fmt::format("{}: {}", word(fleet::Severity::monitor),
                       escaped(with_future("suspect: " + suspect_text(report, counts), report)));
  }
  std::string text =
      fmt::format(words::steady_or_better, counts.steady + counts.improved, day_text(report.day));
  if (counts.undecided > 0) text += fmt::format(", {} undecided", counts.undecided);
  text = with_missing(text, report, counts);
  return with_future(text, report);
}

}  // namespace hockney::health
