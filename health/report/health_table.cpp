#include "health/report/health_outputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "core/named_values.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

std::string percent_text(const std::optional<double>& ratio) {
  if (!ratio) return "-";
  return (*ratio < 0 ? "-" : "+") + report::significant(std::abs(report::per_cent * *ratio), 3);
}

std::string percent_text(const std::optional<Interval>& interval) {
  if (!interval) return "-";
  return percent_text(std::optional(interval->low)) + " .. " +
         percent_text(std::optional(interval->high));
}

void add(report::Table& table, const JudgedSeries& judged) {
  const SeriesHealth& health = judged.health;
  const bool is_control = judged.kind.role == SeriesRole::control;
  const std::optional<DatedChange>& change = health.change;
  table.row({std::string(word(health.verdict)),
             percent_text(change ? std::optional(change->change) : std::nullopt),
             percent_text(change ? change->interval : std::nullopt),
             change ? day_text(change->since) : "-"},
            inert(judged.kind.name) + (is_control ? " (control)" : ""));
  if (!change) return;
  for (const std::string& line : evidence_lines(judged)) table.text("            " + line);
}

bool is_shown(const JudgedSeries& judged, ShownSeries shown) {
  return shown == ShownSeries::all || judged.health.verdict == Verdict::regressed ||
         judged.health.verdict == Verdict::improved;
}

void print_all_series(std::ostream& out, const Report& report, ShownSeries shown) {
  report::Table table(
      {{"verdict", 10, report::Align::left}, {"change [%]", 11}, {"interval", 19}, {"since", 12}});
  bool headed = false;
  // Worst first.
  for (const Verdict verdict :
       {Verdict::regressed, Verdict::improved, Verdict::undecided, Verdict::steady}) {
    for (const JudgedSeries* const judged : series_with(report, verdict)) {
      if (!is_shown(*judged, shown)) continue;
      if (!headed) table.header("series");
      headed = true;
      add(table, *judged);
    }
  }
  if (headed) out << table << '\n';
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
    out << "note: " << inert(judged->kind.name) << " is "
        << percent_text(std::optional(suspect->change))
        << " % off its baseline on this one night (score " << report::significant(suspect->score, 3)
        << "); a verdict takes more nights\n";
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
    out << "undecided: " << series << " series (" << reason << ")\n";
  }
}

std::string point_text(const std::string& point) {
  return point.empty() ? "" : "  " + inert(point);
}

constexpr NamedValues<fleet::FleetUndecided, 4> fleet_undecided_texts{
    {{fleet::FleetUndecided::none, ""},
     {fleet::FleetUndecided::too_few_nodes, "too few nodes"},
     {fleet::FleetUndecided::too_few_pairs, "too few pairs"},
     {fleet::FleetUndecided::ambiguous, "two sides with pairs only across, either may be slow"}}};

std::string earlier_text(std::int64_t day) { return ", last judged on " + day_text(day); }

void print_fleet(std::ostream& out, const JudgedFleet& fleet, std::int64_t today) {
  for (const fleet::NodeEffect& node : fleet.night.nodes) {
    if (!node.named) continue;
    out << "slow node " << inert(node.host) << "  " << percent_text(std::optional(node.effect))
        << " %, interval " << percent_text(node.interval) << ", score "
        << report::significant(node.score.value_or(0), 3) << " (cut "
        << report::significant(fleet.night.cut, 3) << "), " << node.pairs << " pairs"
        << (node.day ? earlier_text(*node.day) : "") << point_text(fleet.point) << '\n';
  }
  for (const fleet::LinkVerdict& link : fleet.links) {
    out << "slow link " << inert(link.a + "-" + link.b + " hop " + link.hop) << "  "
        << percent_text(std::optional(link.effect)) << " %, interval "
        << percent_text(link.interval) << ", " << fleet::evidence_text(link)
        << (fleet.day < today ? earlier_text(fleet.day) : "") << point_text(fleet.point) << '\n';
  }
  if (!fleet.night.suspects.empty()) {
    const auto names = strings_of(fleet.night.suspects,
                                  [](const fleet::LinkEffect& link) { return link.a + "-" + link.b; });
    out << "note: links to measure again tonight: " << inert(join(names)) << point_text(fleet.point)
        << '\n';
  }
  if (fleet.night.undecided != fleet::FleetUndecided::none) {
    out << "nodes undecided: " << name_in(fleet_undecided_texts, fleet.night.undecided)
        << point_text(fleet.point) << '\n';
  }
}

}  // namespace

void print_health_table(std::ostream& out, const Report& report, ShownSeries shown) {
  const HealthCounts counts = count(report);
  out << headline(report) << "\nnight of " << day_text(report.day) << ", " << report.nights
      << " nights in " << inert(report.history) << "\n"
      << report.series.size() << " series: " << counts.regressed << " regressed, "
      << counts.improved << " improved, " << counts.steady << " steady, " << counts.undecided
      << " undecided\n\n";
  print_all_series(out, report, shown);
  for (const JudgedFleet& fleet : report.fleets) print_fleet(out, fleet, report.day);
  print_suspects(out, report);
  print_undecided(out, report);
  out << reason_line(report) << '\n';
}

namespace {

std::string shown(const std::string& text) { return text.empty() ? "unknown" : text; }

std::string value_text(const NightlyValue& night, const std::string& unit) {
  return figure_text(night.value, night.interval, unit) + ", " +
         report::count_text(night.launches, "launch") + " on " + day_text(night.day);
}

/// More facts than these are counted: another library has hundreds of other settings.
constexpr std::size_t most_facts = 8;

bool is_setting(const FactChange& change) { return change.fact.starts_with("mpi.setting."); }

/// Settings of the library last, which most often follow from the rest.
void add_facts(std::vector<std::string>& lines, const NamedChange& change) {
  std::vector<FactChange> facts = change.facts;
  std::ranges::stable_partition(facts, [](const FactChange& fact) { return !is_setting(fact); });
  for (std::size_t i = 0; i < std::min(facts.size(), most_facts); ++i) {
    lines.push_back(day_text(change.day) + " " + facts[i].fact + ": " + shown(facts[i].before) +
                    " -> " + shown(facts[i].after));
  }
  if (facts.size() > most_facts) {
    lines.push_back(day_text(change.day) + " and " + std::to_string(facts.size() - most_facts) +
                    " more facts of the environment");
  }
}

}  // namespace

std::vector<std::string> evidence_lines(const JudgedSeries& judged) {
  std::vector<std::string> lines;
  if (judged.last) lines.push_back("value " + value_text(*judged.last, judged.kind.unit));
  if (judged.health.baseline) {
    lines.push_back(
        "baseline " + figure_text(*judged.health.baseline, std::nullopt, judged.kind.unit) +
        ", noise " + report::significant(report::per_cent * judged.health.noise.value_or(0), 2) +
        " %, " + std::to_string(judged.health.nights) + " nights");
  }
  if (judged.health.change) {
    lines.push_back("first said on " + day_text(judged.health.change->alarmed));
  }
  if (!judged.health.controls.empty()) {
    lines.push_back("the node changed too: " + join(judged.health.controls));
  }
  for (const NamedChange& change : judged.environment) add_facts(lines, change);
  for (const Note& note : judged.notes) {
    lines.push_back(day_text(note.day) + " note: " + note.text);
  }
  for (std::string& line : lines) line = inert(line);
  return lines;
}

}  // namespace hockney::health
