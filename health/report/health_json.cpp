#include "health/report/health_json.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "health/history/night.hpp"

namespace hockney::health {
namespace {

using Json = nlohmann::json;

Json suspect_json(const std::optional<NightOutlier>& suspect) {
  if (!suspect) return nullptr;
  return {{"day", day_text(suspect->day)},
          {"change", suspect->change},
          {"change_ci", suspect->interval},
          {"score", suspect->score}};
}

Json fact_json(const FactChange& change) {
  return {{"fact", change.fact}, {"before", change.before}, {"after", change.after}};
}

Json environment_json(const NamedChange& change) {
  return {{"day", day_text(change.day)},
          {"day_before", day_text(change.day_before)},
          {"facts", array_json(change.facts, fact_json)}};
}

Json note_json(const Note& note) { return {{"day", day_text(note.day)}, {"text", note.text}}; }

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
          {"change_ci", change->interval},
          {"change_ci_level", level_of(change->interval)}};
}

Json verdict_json(const JudgedSeries& judged) {
  const SeriesHealth& health = judged.health;
  const bool decided = health.verdict != Verdict::undecided;
  Json verdict{{"series", judged.kind.name},
               {"unit", judged.kind.unit},
               {"role", judged.kind.role},
               {"worse", judged.kind.worse},
               {"verdict", word(health.verdict)},
               {"undecided_because", decided ? Json(nullptr) : Json(word(health.why))},
               {"nights", health.nights},
               {"nights_needed", health.nights_needed},
               {"severity", word(health.severity)},
               {"baseline", health.baseline},
               {"noise", health.noise},
               {"day", judged.last ? Json(day_text(judged.last->day)) : Json(nullptr)},
               {"value", judged.last ? Json(judged.last->value) : Json(nullptr)},
               {"value_ci", judged.last ? Json(judged.last->interval) : Json(nullptr)},
               {"launches", judged.last ? Json(judged.last->launches) : Json(nullptr)},
               {"suspect", suspect_json(health.suspect)},
               {"environment", array_json(judged.environment, environment_json)},
               {"controls", health.controls},
               {"notes", array_json(judged.notes, note_json)}};
  verdict.update(change_json(health.change));
  return verdict;
}

Json node_json(const fleet::NodeEffect& node) {
  return {{"host", node.host},
          {"effect", node.effect},
          {"effect_ci", node.interval},
          {"score", node.score},
          {"pairs", node.pairs},
          {"severity", word(node.severity)},
          {"day", node.day ? Json(day_text(*node.day)) : Json(nullptr)}};
}

Json suspect_link_json(const fleet::LinkEffect& link) {
  return {{"hosts", {link.a, link.b}},
          {"hop", link.hop},
          {"effect", link.effect},
          {"score", link.score},
          {"expected_seconds", link.expected_seconds}};
}

Json link_json(const fleet::LinkVerdict& link, const std::string& point) {
  return {{"hosts", {link.a, link.b}},
          {"hop", link.hop},
          {"point", point},
          {"effect", link.effect},
          {"effect_ci", link.interval},
          {"values", link.values},
          {"is_repeated", link.is_repeated},
          {"severity", word(link.severity)},
          {"day", nullptr}};
}

Json fleet_json(const JudgedFleet& fleet) {
  const fleet::FleetNight& night = fleet.night;
  const bool decided = night.undecided == fleet::FleetUndecided::none;
  return {{"point", fleet.point},
          {"day", day_text(fleet.day)},
          {"undecided_because", decided ? Json(nullptr) : Json(night.undecided)},
          {"nodes", array_json(night.nodes, node_json)},
          {"suspects", array_json(night.suspects, suspect_link_json)},
          {"pair_sigma", night.pair_sigma},
          {"cut", night.cut}};
}

}  // namespace

Json to_json(const Report& report) {
  Json nodes = Json::array();
  Json links = Json::array();
  for (const JudgedFleet& fleet : report.fleets) {
    for (const fleet::NodeEffect& node : fleet.night.nodes) {
      if (!node.named) continue;
      nodes.push_back(node_json(node));
      nodes.back()["point"] = fleet.point;
    }
    for (const fleet::LinkVerdict& link : fleet.links) {
      links.push_back(link_json(link, fleet.point));
      if (fleet.day != report.day) links.back()["day"] = day_text(fleet.day);
    }
  }
  return {{"schema", health_schema},
          {"day", day_text(report.day)},
          {"checked_utc", report.checked_utc},
          {"history", report.history},
          {"nights", report.nights},
          {"nights_in_future", strings_of(report.future, day_text)},
          {"state", word(state_of(report))},
          {"headline", headline(report)},
          {"severity", word(severity_of(report))},
          {"reason", reason_line(report)},
          {"faults", report.faults},
          {"verdicts", array_json(report.series, verdict_json)},
          {"nodes", std::move(nodes)},
          {"links", std::move(links)},
          {"fleet", array_json(report.fleets, fleet_json)}};
}

void write_health_lines(std::ostream& out, const Report& report) {
  for (const JudgedSeries& judged : report.series) {
    if (!judged.last || judged.last->day != report.day) continue;
    Json line = verdict_json(judged);
    line["checked_utc"] = report.checked_utc;
    out << json_text(line, -1) << '\n';
  }
}

}  // namespace hockney::health
