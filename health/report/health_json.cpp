#include "health/report/health_json.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/time.hpp"
#include "health/history/night.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json level_or_null(const std::optional<Interval>& interval) {
  return interval ? Json(interval->level) : Json(nullptr);
}

Json suspect_json(const std::optional<NightOutlier>& suspect) {
  if (!suspect) return nullptr;
  return {{"day", day_text(suspect->day)},
          {"change", suspect->change},
          {"change_ci", bounds_or_null(suspect->interval)},
          {"score", suspect->score}};
}

Json environment_json(const std::vector<NamedChange>& changes) {
  Json array = Json::array();
  for (const NamedChange& change : changes) {
    Json facts = Json::array();
    for (const FactChange& fact : change.facts) {
      facts.push_back({{"fact", fact.fact}, {"before", fact.before}, {"after", fact.after}});
    }
    array.push_back({{"day", day_text(change.day)},
                     {"day_before", day_text(change.day_before)},
                     {"facts", std::move(facts)}});
  }
  return array;
}

Json notes_json(const std::vector<HistoryNote>& notes) {
  Json array = Json::array();
  for (const HistoryNote& note : notes) {
    array.push_back({{"day", day_text(note.day)}, {"text", note.text}});
  }
  return array;
}

/// Of a verdict without a change all of it is null.
Json change_json(const std::optional<DatedChange>& change) {
  if (!change) {
    return {{"since", nullptr},  {"since_ci", nullptr},  {"alarmed", nullptr},
            {"change", nullptr}, {"change_ci", nullptr}, {"change_ci_level", nullptr}};
  }
  return {{"since", day_text(change->since)},
          {"since_ci", {day_text(change->since_low), day_text(change->since_high)}},
          {"alarmed", day_text(change->alarmed)},
          {"change", change->change},
          {"change_ci", bounds_or_null(change->interval)},
          {"change_ci_level", level_or_null(change->interval)}};
}

Json verdict_json(const JudgedSeries& judged) {
  const SeriesHealth& health = judged.health;
  const bool decided = health.verdict != HealthVerdict::undecided;
  Json verdict{{"series", judged.kind.name},
               {"unit", judged.kind.unit},
               {"role", word(judged.kind.role)},
               {"worse", word(judged.kind.worse)},
               {"verdict", word(health.verdict)},
               {"undecided_because", decided ? Json(nullptr) : Json(word(health.why))},
               {"nights", health.nights},
               {"nights_needed", health.nights_needed},
               {"severity", word(health.severity)},
               {"baseline", or_null(health.baseline)},
               {"noise", or_null(health.noise)},
               {"day", judged.last ? Json(day_text(judged.last->day)) : Json(nullptr)},
               {"value", judged.last ? Json(judged.last->value) : Json(nullptr)},
               {"value_ci", judged.last ? bounds_or_null(judged.last->interval) : Json(nullptr)},
               {"launches", judged.last ? Json(judged.last->launches) : Json(nullptr)},
               {"suspect", suspect_json(health.suspect)},
               {"environment", environment_json(judged.environment)},
               {"controls", health.controls},
               {"notes", notes_json(judged.notes)}};
  verdict.update(change_json(health.change));
  return verdict;
}

Json node_json(const NodeEffect& node) {
  return {{"host", node.host},
          {"effect", node.effect},
          {"effect_ci", bounds_or_null(node.interval)},
          {"score", or_null(node.score)},
          {"pairs", node.pairs},
          {"severity", word(node.severity)}};
}

Json link_json(const LinkEffect& link) {
  return {{"hosts", {link.a, link.b}},
          {"hop", link.hop},
          {"effect", link.effect},
          {"score", link.score},
          {"expected_seconds", link.expected_seconds}};
}

Json link_json(const LinkVerdict& link, const std::string& point) {
  return {{"hosts", {link.a, link.b}},
          {"hop", link.hop},
          {"point", point},
          {"effect", link.effect},
          {"effect_ci", bounds_or_null(link.interval)},
          {"values", link.values},
          {"severity", word(link.severity)}};
}

std::string_view word(FleetUndecided undecided) {
  switch (undecided) {
    case FleetUndecided::none:
      return "none";
    case FleetUndecided::too_few_nodes:
      return "too_few_nodes";
    case FleetUndecided::too_few_pairs:
      return "too_few_pairs";
    case FleetUndecided::ambiguous:
      break;
  }
  return "ambiguous";
}

Json fleet_json(const JudgedFleet& fleet) {
  const FleetNight& night = fleet.night;
  Json nodes = Json::array();
  for (const NodeEffect& node : night.nodes) nodes.push_back(node_json(node));
  Json suspects = Json::array();
  for (const LinkEffect& link : night.suspects) suspects.push_back(link_json(link));
  const bool decided = night.undecided == FleetUndecided::none;
  return {{"point", fleet.point},
          {"undecided_because", decided ? Json(nullptr) : Json(word(night.undecided))},
          {"nodes", std::move(nodes)},
          {"suspects", std::move(suspects)},
          {"pair_sigma", night.pair_sigma},
          {"cut", night.cut}};
}

}  // namespace

Json to_json(const HealthReport& report) {
  Json verdicts = Json::array();
  for (const JudgedSeries& judged : report.series) verdicts.push_back(verdict_json(judged));
  Json nodes = Json::array();
  Json links = Json::array();
  Json fleets = Json::array();
  for (const JudgedFleet& fleet : report.fleets) {
    fleets.push_back(fleet_json(fleet));
    for (const NodeEffect& node : fleet.night.nodes) {
      if (!node.named) continue;
      nodes.push_back(node_json(node));
      nodes.back()["point"] = fleet.point;
    }
    for (const LinkVerdict& link : fleet.links) links.push_back(link_json(link, fleet.point));
  }
  return {{"schema", health_schema},           {"day", day_text(report.day)},
          {"checked_utc", report.checked_utc}, {"history", report.history},
          {"nights", report.nights},           {"state", word(state_of(report))},
          {"headline", headline(report)},      {"severity", word(severity_of(report))},
          {"reason", reason_line(report)},     {"verdicts", std::move(verdicts)},
          {"nodes", std::move(nodes)},         {"links", std::move(links)},
          {"fleet", std::move(fleets)}};
}

void write_health_lines(std::ostream& out, const HealthReport& report) {
  for (const JudgedSeries& judged : report.series) {
    if (!judged.last || judged.last->day != report.day) continue;
    Json line = verdict_json(judged);
    line["checked_utc"] = report.checked_utc;
    out << json_text(line, -1) << '\n';
  }
}

}  // namespace hockney
