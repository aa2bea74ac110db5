#include "components/health/report/health_outputs.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <sstream>
#include <string_view>

#include "components/health/report/health_exports.hpp"
#include "components/health/report/node_report.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/table.hpp"
#include "report/view.hpp"

namespace hockney::health {
namespace {

/// Sentences of the tables.
namespace words {

constexpr std::string_view off_baseline =
    "note: {} is {} % off its baseline on this one night (score {}); a verdict takes more nights";
constexpr std::string_view slow_node = "slow node {}  {} %, interval {}, score {} (cut {}), {}{}{}";
constexpr std::string_view slow_link = "slow link {}  {} %, interval {}, {}{}{}";
constexpr std::string_view measure_again = "note: links to measure again tonight: {}{}";
constexpr std::string_view two_sides = "two sides with pairs only across, either may be slow";
constexpr std::string_view earlier = ", last judged on {}";
constexpr std::string_view night = "night of {}, {} in {}";
constexpr std::string_view counts = "{} series: {} regressed, {} improved, {} steady, {} undecided";
constexpr std::string_view off_since =
    "note: {} is {} % off its baseline since {} (score {}); a verdict takes more nights";
constexpr std::string_view half_digit = "printed to {} %: no smaller change is judged";
constexpr std::string_view more_facts = "{} and {} of the environment";
constexpr std::string_view baseline = "baseline {}, noise {} %, {}";
constexpr std::string_view node_changed = "the node changed too: {}";

}  // namespace words

std::string percent_text(const std::optional<double>& ratio) {
  if (!ratio) return "-";
  return (*ratio < 0 ? "-" : "+") + report::significant(std::abs(report::per_cent * *ratio), 3);
}

std::string percent_text(const std::optional<Interval>& interval) {
  if (!interval) return "-";
  return fmt::format("{} .. {}", percent_text(std::optional(interval->low)),
                     percent_text(std::optional(interval->high)));
}

using report::Columns;
using report::Form;
using report::Unit;

constexpr report::Forms machines = Form::csv | Form::json;

std::optional<double> change_of(const SeriesHealth& health) {
  return health.change ? std::optional(health.change->change) : std::nullopt;
}

std::optional<Interval> change_interval(const SeriesHealth& health) {
  return health.change ? health.change->interval : std::nullopt;
}

/// A value of a part of a row; unknown without the part.
template <class Row, class Part, class Of>
auto in(Part Row::*part, Of of) {
  return [=](const Row& row) { return report::Value(std::invoke(of, row.*part)); };
}

template <class Row, class Part, class Of>
auto in(std::optional<Part> Row::*part, Of of) {
  return [=](const Row& row) {
    const std::optional<Part>& known = row.*part;
    return known ? report::Value(std::invoke(of, *known)) : report::Value();
  };
}

Columns<SeriesHealth> columns_of_changes() {
  using Row = SeriesHealth;
  return {{{"verdict", "verdict"}, &Row::verdict},
          {{"change", "", Unit::share, machines}, change_of},
          {{"change_ci", "", Unit::share, machines, "", true}, change_interval},
          {{"change_ci_level", "", Unit::share, Form::json},
           [](const Row& row) { return level_of(change_interval(row)); }},
          {{"change", "change[%]", Unit::text, Form::terminal},
           [](const Row& row) { return percent_text(change_of(row)); }},
          {{"change_ci", "interval", Unit::text, Form::terminal},
           [](const Row& row) { return percent_text(change_interval(row)); }},
          {{"since", "since"},
           in(&Row::change, [](const DatedChange& change) { return day_text(change.since); })},
          {{"alarmed", "", Unit::text, Form::json},
           in(&Row::change, [](const DatedChange& change) { return day_text(change.alarmed); })}};
}

/// The effect of a node or link: its ratio to a usual one for people.
template <class Row>
Columns<Row> columns_of_effects() {
  return {{{"effect", "", Unit::share, Form::json}, &Row::effect},
          {{"effect_ci", "", Unit::share, Form::json, "", true}, &Row::interval},
          {{"severity", "", Unit::text, Form::json}, &Row::severity}};
}

constexpr std::array worst_first{Verdict::missing, Verdict::regressed, Verdict::improved,
                                 Verdict::undecided, Verdict::steady};

bool is_shown(const JudgedSeries& judged, ShownSeries shown) {
  return shown == ShownSeries::all || judged.health.verdict == Verdict::regressed ||
         judged.health.verdict == Verdict::improved || !judged.missing.empty();
}

/// The largest change first.
void print_suspects(std::ostream& out, const Report& report) {
  std::vector<const JudgedSeries*> suspects;
  for (const JudgedSeries& judged : report.series) {
    if (judged.health.suspect && judged.health.verdict != Verdict::regressed) {
      suspects.push_back(&judged);
    }
  }
  std::ranges::stable_sort(suspects, std::greater(), [](const JudgedSeries* one) {
    return std::abs(std::log1p(one->health.suspect->change));
  });
  for (const JudgedSeries* const judged : suspects) {
    const auto& suspect = judged->health.suspect;
    if (!suspect) continue;
    const std::string change = percent_text(std::optional(suspect->change));
    const std::string score = report::significant(suspect->score, 3);
    const std::string name = escaped(judged->kind.name);
    out << (suspect->since == suspect->day
                ? fmt::format(words::off_baseline, name, change, score)
                : fmt::format(words::off_since, name, change, day_text(suspect->since), score))
        << '\n';
  }
}

void print_undecided(std::ostream& out, const Report& report) {
  std::map<std::string, std::size_t> reasons;
  for (const JudgedSeries& judged : report.series) {
    if (judged.health.verdict == Verdict::undecided) {
      ++reasons[undecided_text(judged.health)];
    }
  }
  for (const auto& [reason, series] : reasons) {
    out << fmt::format("undecided: {} series ({})\n", series, reason);
  }
}

std::string point_text(const std::string& point) {
  return point.empty() ? "" : "  " + escaped(point);
}

std::string why_text(fleet::FleetUndecided why) {
  switch (why) {
    case fleet::FleetUndecided::none:
      break;
    case fleet::FleetUndecided::too_few_nodes:
      return "too few nodes";
    case fleet::FleetUndecided::too_few_pairs:
      return "too few pairs";
    case fleet::FleetUndecided::ambiguous:
      return std::string(words::two_sides);
  }
  return {};
}

std::string earlier_text(std::int64_t day) { return fmt::format(words::earlier, day_text(day)); }

void print_fleet(std::ostream& out, const JudgedFleet& fleet, std::int64_t today) {
  for (const fleet::NodeEffect& node : fleet.night.nodes) {
    if (!node.named) continue;
    out << fmt::format(
               words::slow_node, escaped(node.host), percent_text(std::optional(node.effect)),
               percent_text(node.interval), report::significant(node.score.value_or(0), 3),
               report::significant(fleet.night.cut, 3), report::count_text(node.pairs, "pair"),
               node.day ? earlier_text(*node.day) : "", point_text(fleet.point))
        << '\n';
  }
  for (const fleet::LinkVerdict& link : fleet.links) {
    out << fmt::format(words::slow_link,
                       escaped(fmt::format("{}-{} hop {}", link.a, link.b, link.hop)),
                       percent_text(std::optional(link.effect)), percent_text(link.interval),
                       fleet::evidence_text(link), fleet.day < today ? earlier_text(fleet.day) : "",
                       point_text(fleet.point))
        << '\n';
  }
  if (!fleet.night.suspects.empty()) {
    const auto names = strings_of(fleet.night.suspects, [](const fleet::LinkEffect& link) {
      return fmt::format("{}-{}", link.a, link.b);
    });
    out << fmt::format(words::measure_again, escaped(join(names)), point_text(fleet.point)) << '\n';
  }
  if (fleet.night.undecided != fleet::FleetUndecided::none) {
    out << fmt::format("nodes undecided: {}{}\n", why_text(fleet.night.undecided),
                       point_text(fleet.point));
  }
}

/// Nodes of a fleet, and what all of them share.
void print_nodes(std::ostream& out, const Report& report, ShownSeries shown) {
  constexpr std::size_t most = 6;
  if (!report.nodes) return;
  const JudgedNodes& nodes = *report.nodes;
  for (const std::string& line : common_lines(report)) out << line << '\n';
  for (const std::string& line :
       shown == ShownSeries::all ? all_node_lines(nodes) : node_lines(nodes, most)) {
    out << line << '\n';
  }
}

std::string shown(const std::string& text) { return text.empty() ? "unknown" : text; }

std::string value_text(const NightlyValue& night, const std::string& unit) {
  return fmt::format("{}, {} on {}", figure_text(night.value, night.interval, unit),
                     report::count_text(night.launches, "launch"), day_text(night.day));
}

/// Further facts are only counted: another library has hundreds of other settings.
constexpr std::size_t most_facts = 8;

bool is_setting(const FactChange& change) { return change.fact.starts_with("mpi.setting."); }

/// Adds the changed facts. Settings of the library come last, since they usually follow from the
/// others.
void add_facts(std::vector<std::string>& lines, const NamedChange& change) {
  std::vector<FactChange> facts = change.facts;
  std::ranges::stable_partition(facts, [](const FactChange& fact) { return !is_setting(fact); });
  for (std::size_t i = 0; i < std::min(facts.size(), most_facts); ++i) {
    lines.push_back(fmt::format("{} {}: {} -> {}", day_text(change.day), facts[i].fact,
                                shown(facts[i].before), shown(facts[i].after)));
  }
  if (facts.size() > most_facts) {
    lines.push_back(fmt::format(words::more_facts, day_text(change.day),
                                report::count_text(facts.size() - most_facts, "more fact")));
  }
}

constexpr std::size_t most_page_series = 2000;

bool is_quiet(const JudgedSeries& judged) {
  const Verdict verdict = judged.health.verdict;
  return judged.missing.empty() && !judged.health.suspect &&
         (verdict == Verdict::steady || verdict == Verdict::undecided);
}

/// The document with at most most_page_series verdicts that are steady or undecided, which keeps
/// the page of a fleet small.
nlohmann::json page_document(const Report& report) {
  nlohmann::json document = to_json(report);
  nlohmann::json kept = nlohmann::json::array();
  std::size_t quiet = 0;
  for (std::size_t i = 0; i < report.series.size(); ++i) {
    if (is_quiet(report.series[i]) && ++quiet > most_page_series) continue;
    kept.push_back(std::move(document["verdicts"][i]));
  }
  if (quiet > most_page_series) document["verdicts_left_out"] = quiet - most_page_series;
  document["verdicts"] = std::move(kept);
  return document;
}

}  // namespace

Columns<JudgedSeries> columns_of_verdicts() {
  using Row = JudgedSeries;
  return report::joined<Row>(
      {report::of_part<Row>(columns_of_changes(), &Row::health),
       {{{"series", "", Unit::text, machines}, in(&Row::kind, &SeriesKind::name)},
        {{"series", "series", Unit::text, Form::terminal},
         [](const Row& row) {
           return row.kind.name + (row.kind.role == SeriesRole::control ? " (control)" : "");
         }},
        {{"severity", "", Unit::text, machines}, in(&Row::health, &SeriesHealth::severity)},
        {{"reason", "", Unit::text, Form::csv},
         [](const Row& row) {
           return row.missing.empty() ? undecided_text(row.health) : row.missing;
         }},
        {{"unit", "", Unit::text, machines}, in(&Row::kind, &SeriesKind::unit)},
        {{"role", "", Unit::text, machines}, in(&Row::kind, &SeriesKind::role)},
        {{"worse", "", Unit::text, Form::json}, in(&Row::kind, &SeriesKind::worse)},
        {{"nights", "", Unit::count, machines}, in(&Row::health, &SeriesHealth::nights)},
        {{"nights_needed", "", Unit::count, Form::json},
         in(&Row::health, &SeriesHealth::nights_needed)},
        {{"baseline", "", Unit::number, machines}, in(&Row::health, &SeriesHealth::baseline)},
        {{"noise", "", Unit::share, machines}, in(&Row::health, &SeriesHealth::noise)},
        {{"day", "", Unit::text, machines},
         in(&Row::last, [](const NightlyValue& night) { return day_text(night.day); })},
        {{"value", "", Unit::number, machines}, in(&Row::last, &NightlyValue::value)},
        {{"ci", "", Unit::number, Form::csv, "", true}, in(&Row::last, &NightlyValue::interval)},
        {{"value_ci", "", Unit::number, Form::json, "", true},
         in(&Row::last, &NightlyValue::interval)},
        {{"launches", "", Unit::count, machines}, in(&Row::last, &NightlyValue::launches)}}});
}

Columns<fleet::NodeEffect> columns_of_nodes() {
  using Row = fleet::NodeEffect;
  return report::joined<Row>({{{{"host", "node"}, &Row::host}},
                              columns_of_effects<Row>(),
                              {{{"score", "", Unit::number, Form::json}, &Row::score},
                               {{"pairs", "", Unit::count, Form::json}, &Row::pairs},
                               {{"day", "", Unit::text, Form::json}, in(&Row::day, day_text)}}});
}

Columns<fleet::LinkVerdict> columns_of_links() {
  using Row = fleet::LinkVerdict;
  return report::joined<Row>({{{{"hop", "hop"}, &Row::hop}},
                              columns_of_effects<Row>(),
                              {{{"values", "", Unit::count, Form::json}, &Row::values}}});
}

report::View view_of(const Report& report, ShownSeries shown) {
  const auto columns = columns_of_verdicts();
  report::View view = report::make_view(columns, {});
  for (const Verdict verdict : worst_first) {
    for (const JudgedSeries* const judged : series_with(report, verdict)) {
      if (!is_shown(*judged, shown)) continue;
      view.rows.push_back(report::row_of(columns, *judged));
      if (!judged->health.change && judged->missing.empty()) continue;
      for (const std::string& line : evidence_lines(*judged)) view.add_text("    " + line);
    }
  }
  return view;
}

std::vector<SummaryRow> changed_rows(const Report& report) {
  std::vector<SummaryRow> rows;
  for (const Verdict verdict : worst_first) {
    for (const JudgedSeries* const judged : series_with(report, verdict)) {
      if (!is_shown(*judged, ShownSeries::changed)) continue;
      SummaryRow& row = rows.emplace_back();
      row = {.label = judged->kind.name, .unit = judged->kind.unit};
      row.mark = judged->missing.empty() ? std::string(word(verdict)) : "missing";
      if (!judged->last || !judged->missing.empty()) continue;
      row.value = judged->last->value;
      row.interval = judged->last->interval;
    }
  }
  return rows;
}

void print_health_table(std::ostream& out, const Report& report, ShownSeries shown) {
  const HealthCounts counts = count(report);
  out << headline(report) << '\n'
      << fmt::format(words::night, day_text(report.day), report::count_text(report.nights, "night"),
                     escaped(report.history))
      << '\n'
      << fmt::format(words::counts, report.series.size(), counts.regressed, counts.improved,
                     counts.steady, counts.undecided)
      << (counts.missing > 0 ? fmt::format(", {} missing", counts.missing) : "") << "\n\n";
  const bool has_nodes = report.nodes.has_value();
  if (has_nodes) print_nodes(out, report, shown);
  if (!has_nodes || shown == ShownSeries::all) print_view(out, "", view_of(report, shown));
  for (const JudgedFleet& fleet : report.fleets) print_fleet(out, fleet, report.day);
  print_suspects(out, report);
  print_undecided(out, report);
}

std::vector<std::string> evidence_lines(const JudgedSeries& judged) {
  std::vector<std::string> lines;
  if (!judged.missing.empty()) lines.push_back("missing: " + judged.missing);
  if (judged.last) {
    const std::string when = judged.missing.empty() ? "value " : "last value ";
    lines.push_back(when + value_text(*judged.last, judged.kind.unit));
  }
  if (judged.last && judged.last->half_digit) {
    lines.push_back(fmt::format(
        words::half_digit,
        report::significant(report::per_cent * *judged.last->half_digit / judged.last->value, 2)));
  }
  if (judged.health.baseline) {
    lines.push_back(fmt::format(
        words::baseline, figure_text(*judged.health.baseline, std::nullopt, judged.kind.unit),
        report::significant(report::per_cent * judged.health.noise.value_or(0), 2),
        report::count_text(judged.health.nights, "night")));
  }
  if (judged.health.change) {
    lines.push_back("first said on " + day_text(judged.health.change->alarmed));
  }
  if (!judged.health.controls.empty()) {
    lines.push_back(fmt::format(words::node_changed, join(judged.health.controls)));
  }
  for (const NamedChange& change : judged.environment) add_facts(lines, change);
  for (const Note& note : judged.notes) {
    lines.push_back(fmt::format("{} note: {}", day_text(note.day), note.text));
  }
  for (std::string& line : lines) line = escaped(line);
  return lines;
}

report::Page health_page(const Report& report, const report::Screen& screen) {
  return {.title = "Health on " + day_text(report.day),
          .made_by = "hockney health check --page page.html",
          .documents = {{"health", report::with_summary(page_document(report), screen)}}};
}

}  // namespace hockney::health
