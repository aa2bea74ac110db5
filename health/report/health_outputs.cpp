#include "health/report/health_outputs.hpp"

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

#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "health/report/health_exports.hpp"
#include "report/curve_tables.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"
#include "report/view.hpp"

namespace hockney::health {
namespace {

/// Sentences of the tables and the page.
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
constexpr std::string_view last_nights_drawn = " The last {} nights are drawn.";
constexpr std::string_view some_have_pictures =
    "{} of {} have pictures: those that changed before others";
constexpr std::string_view worst_link = "{}: {}, worst {} - {}, {} times as long";
constexpr std::string_view slowest_drawn = " The slowest {} are drawn.";

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
          {{"severity", "", Unit::text, Form::json}, &Row::severity},
          {{"ratio", "times as long", Unit::number, Form::page},
           [](const Row& row) { return 1 + row.effect; }},
          {{"ratio_ci", "interval", Unit::number, Form::page, "", true},
           in(&Row::interval, [](const Interval& ends) {
             return Interval{1 + ends.low, 1 + ends.high, ends.level};
           })}};
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
                              {{{"verdict", "verdict", Unit::text, Form::page},
                                [](const Row& row) { return row.named ? "slow" : "as usual"; }},
                               {{"score", "", Unit::number, Form::json}, &Row::score},
                               {{"pairs", "", Unit::count, Form::json}, &Row::pairs},
                               {{"day", "", Unit::text, Form::json}, in(&Row::day, day_text)}}});
}

Columns<fleet::LinkVerdict> columns_of_links() {
  using Row = fleet::LinkVerdict;
  return report::joined<Row>(
      {{{{"link", "link", Unit::text, Form::page},
         [](const Row& row) { return fmt::format("{} - {}", row.a, row.b); }},
        {{"hop", "hop"}, &Row::hop}},
       columns_of_effects<Row>(),
       {{{"evidence", "evidence", Unit::text, Form::page}, fleet::evidence_text},
        {{"verdict", "verdict", Unit::text, Form::page}, &Row::severity},
        {{"values", "", Unit::count, Form::json}, &Row::values}}});
}

namespace {

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
    const std::string name = inert(judged->kind.name);
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
  return point.empty() ? "" : "  " + inert(point);
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
    out << fmt::format(words::slow_node, inert(node.host), percent_text(std::optional(node.effect)),
                       percent_text(node.interval), report::significant(node.score.value_or(0), 3),
                       report::significant(fleet.night.cut, 3),
                       report::count_text(node.pairs, "pair"),
                       node.day ? earlier_text(*node.day) : "", point_text(fleet.point))
        << '\n';
  }
  for (const fleet::LinkVerdict& link : fleet.links) {
    out << fmt::format(words::slow_link,
                       inert(fmt::format("{}-{} hop {}", link.a, link.b, link.hop)),
                       percent_text(std::optional(link.effect)), percent_text(link.interval),
                       fleet::evidence_text(link), fleet.day < today ? earlier_text(fleet.day) : "",
                       point_text(fleet.point))
        << '\n';
  }
  if (!fleet.night.suspects.empty()) {
    const auto names = strings_of(fleet.night.suspects, [](const fleet::LinkEffect& link) {
      return fmt::format("{}-{}", link.a, link.b);
    });
    out << fmt::format(words::measure_again, inert(join(names)), point_text(fleet.point)) << '\n';
  }
  if (fleet.night.undecided != fleet::FleetUndecided::none) {
    out << fmt::format("nodes undecided: {}{}\n", why_text(fleet.night.undecided),
                       point_text(fleet.point));
  }
}

}  // namespace

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

void print_health_table(std::ostream& out, const Report& report, ShownSeries shown) {
  const HealthCounts counts = count(report);
  out << headline(report) << '\n'
      << fmt::format(words::night, day_text(report.day), report::count_text(report.nights, "night"),
                     inert(report.history))
      << '\n'
      << fmt::format(words::counts, report.series.size(), counts.regressed, counts.improved,
                     counts.steady, counts.undecided)
      << (counts.missing > 0 ? fmt::format(", {} missing", counts.missing) : "") << "\n\n";
  print_view(out, "", view_of(report, shown));
  for (const JudgedFleet& fleet : report.fleets) print_fleet(out, fleet, report.day);
  print_suspects(out, report);
  print_undecided(out, report);
}

namespace {

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

}  // namespace

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
  for (std::string& line : lines) line = inert(line);
  return lines;
}

namespace {

using Json = nlohmann::json;

constexpr std::size_t most_pictured_series = 12;
constexpr std::size_t most_drawn_nights = 400;
constexpr double band_sigmas = 2;

const JudgedSeries* judged_of(const Report& report, const std::string& name) {
  const auto has_name = [&](const JudgedSeries& judged) { return judged.kind.name == name; };
  const auto found = std::ranges::find_if(report.series, has_name);
  return found == report.series.end() ? nullptr : &*found;
}

/// The last nights up to `today`, as a table for a picture.
report::View nights_table(const NightlySeries& series, std::int64_t today) {
  using Row = NightlyValue;
  const Unit unit = series.unit == "seconds" ? Unit::seconds : Unit::number;
  const Columns<Row> columns{
      {{"day", "night"}, [](const Row& night) { return day_text(night.day); }},
      {{"value", series.unit, unit}, &Row::value},
      report::interval_column<Row>("ci", unit, &Row::interval),
      {{"launches", "launches", Unit::count}, &Row::launches}};
  std::vector<Row> nights = series.nights;
  std::erase_if(nights, [&](const Row& night) { return night.day > today; });
  if (nights.size() > most_drawn_nights) {
    nights.erase(nights.begin(), nights.end() - static_cast<std::ptrdiff_t>(most_drawn_nights));
  }
  return report::make_view(columns, nights);
}

/// Events by day: the change, the environment, notes.
Json events_of(const JudgedSeries& judged) {
  Json events = Json::array();
  const auto add = [&](std::int64_t day, const std::string& kind, const std::string& text) {
    events.push_back({{"day", day_text(day)}, {"event", kind}, {"says", inert(text)}});
  };
  if (const auto& change = judged.health.change)
    add(change->since, "change", change_text(judged.health));
  for (const NamedChange& change : judged.environment) {
    for (const FactChange& fact : change.facts) {
      add(change.day, "environment",
          fmt::format("{}: {} -> {}", fact.fact, fact.before, fact.after));
      break;
    }
  }
  for (const Note& note : judged.notes) add(note.day, "note", note.text);
  return events;
}

/// The band of the baseline over all nights.
Json band_of(const SeriesHealth& health, const report::View& table) {
  Json values = Json::array();
  if (!health.baseline || !health.noise || table.rows.empty()) return values;
  const double spread = std::exp(band_sigmas * *health.noise);
  for (const auto* row : {&table.rows.front(), &table.rows.back()}) {
    values.push_back({{"day", report::exact_value(row->front())},
                      {"middle", *health.baseline},
                      {"bottom", *health.baseline / spread},
                      {"top", *health.baseline * spread}});
  }
  return values;
}

report::Picture series_picture(const JudgedSeries& judged, const NightlySeries& series,
                               const Report& report) {
  const SeriesHealth& health = judged.health;
  std::string title = fmt::format("{}: {}", inert(series.name), word(health.verdict));
  if (const std::string change = change_text(health); !change.empty()) title += " " + inert(change);
  report::Picture picture{
      .id = report::id_of(series.name),
      .title = title,
      .table = nights_table(series, report.day),
      .launches = fmt::format("{} of {}", report::count_text(series.nights.size(), "night"),
                              inert(report.history)),
      .command = fmt::format("hockney health check --series '{}' --all", inert(series.name))};
  const Json events = events_of(judged);
  for (const Json& event : events) {
    picture.caption += fmt::format(" {}: {}.", event.at("day").get<std::string>(),
                                   event.at("says").get<std::string>());
  }
  if (series.nights.size() > most_drawn_nights) {
    picture.caption += fmt::format(words::last_nights_drawn, most_drawn_nights);
  }
  const bool is_time = judged.kind.unit == "seconds";
  const Json bindings{{"quantity", is_time ? "time" : "ratio"},
                      {"value_title", is_time ? "time" : judged.kind.unit},
                      {"band", band_of(health, picture.table)},
                      {"events", events},
                      {"series", report::series_of("event", {"change", "environment", "note"})}};
  draw(picture, "nights", values_of(picture.table), bindings);
  return picture;
}

}  // namespace

std::vector<std::string> pictured_series(const Report& report) {
  std::vector<std::string> names;
  for (const Verdict verdict : worst_first) {
    for (const JudgedSeries* const judged : series_with(report, verdict)) {
      if (names.size() < most_pictured_series) names.push_back(judged->kind.name);
    }
  }
  return names;
}

report::Page health_page(const Report& report, std::span<const NightlySeries> series) {
  std::ostringstream table;
  print_health_table(table, report);
  report::Page page{.title = "Health on " + day_text(report.day),
                    .screen = report::Screen{.faults = report::fault_lines(report.faults),
                                             .header = {inert(report.history)},
                                             .answer = split(table.str(), '\n'),
                                             .verdict = headline(report),
                                             .reliability = {},
                                             .next = {}},
                    .pictures = {},
                    .documents = {{"health", to_json(report)}},
                    .made_by = "hockney health check --page page.html"};
  if (report.series.size() > series.size()) {
    page.screen.reliability.push_back(
        fmt::format(words::some_have_pictures, series.size(),
                    report::count_text(report.series.size(), "series")));
  }
  for (const NightlySeries& one : series) {
    const JudgedSeries* const judged = judged_of(report, one.name);
    if (judged != nullptr) page.pictures.push_back(series_picture(*judged, one, report));
  }
  std::ranges::move(fleet_pictures(report), std::back_inserter(page.pictures));
  number_ids(page.pictures);
  return page;
}

namespace {

constexpr std::size_t most_pictured_fleets = 4;
constexpr std::size_t most_drawn_nodes = 200;
constexpr std::size_t most_drawn_links = 30;

report::Picture nodes_picture(const JudgedFleet& fleet, const Report& report) {
  const std::vector<fleet::NodeEffect>& nodes = fleet.night.nodes;
  const auto named = std::ranges::count(nodes, true, &fleet::NodeEffect::named);
  report::Picture picture{
      .id = report::id_of("nodes-" + fleet.point),
      .title = fmt::format("{}: {} of {} slow", inert(fleet.point), named,
                           report::count_text(nodes.size(), "node")),
      .table = report::make_view(columns_of_nodes(), nodes | std::views::take(most_drawn_nodes)),
      .launches = fmt::format("night of {} in {}", day_text(report.day), inert(report.history)),
      .command = "hockney health check --day " + day_text(report.day)};
  if (nodes.size() > most_drawn_nodes) {
    picture.caption += fmt::format(words::slowest_drawn, most_drawn_nodes);
  }
  draw(picture, "nodes", values_of(picture.table),
       {{"series", report::series_of("verdict", {"slow", "as usual"})}});
  return picture;
}

report::Picture links_picture(const JudgedFleet& fleet, const Report& report) {
  const fleet::LinkVerdict& worst = fleet.links.front();
  report::Picture picture{
      .id = report::id_of("links-" + fleet.point),
      .title = fmt::format(words::worst_link, inert(fleet.point),
                           report::count_text(fleet.links.size(), "slow link"), inert(worst.a),
                           inert(worst.b), report::significant(1 + worst.effect, 3)),
      .table =
          report::make_view(columns_of_links(), fleet.links | std::views::take(most_drawn_links)),
      .launches = fmt::format("nights up to {} in {}", day_text(report.day), inert(report.history)),
      .command = "hockney health check --day " + day_text(report.day)};
  if (fleet.links.size() > most_drawn_links) {
    picture.caption += fmt::format(words::slowest_drawn, most_drawn_links);
  }
  draw(picture, "links", values_of(picture.table),
       {{"height", 70 + 30 * picture.table.rows.size()}});
  return picture;
}

}  // namespace

std::vector<report::Picture> fleet_pictures(const Report& report) {
  std::vector<report::Picture> pictures;
  std::size_t fleets = 0;
  for (const JudgedFleet& fleet : report.fleets) {
    if (fleet.night.nodes.empty() && fleet.links.empty()) continue;
    if (++fleets > most_pictured_fleets) break;
    if (!fleet.night.nodes.empty()) pictures.push_back(nodes_picture(fleet, report));
    if (!fleet.links.empty()) pictures.push_back(links_picture(fleet, report));
  }
  return pictures;
}

}  // namespace hockney::health
