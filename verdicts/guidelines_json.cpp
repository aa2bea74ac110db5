#include "verdicts/guidelines_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/guideline.hpp"
#include "core/json_values.hpp"
#include "core/record_json.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

bool is_of(const KnownViolation& known, const GuidelineVerdict& verdict) {
  const GuidelineCell& cell = verdict.cell;
  return known.guideline == cell.guideline.name &&
         known.bytes.value_or(cell.left.bytes) == cell.left.bytes &&
         known.ranks.value_or(cell.left.ranks) == cell.left.ranks;
}

KnownViolation read_known(const JsonNode& node) {
  node.allow_only({"guideline", "bytes", "ranks", "note"});
  KnownViolation known{.guideline = node.at("guideline").text(),
                       .note = optional_text(node, "note").value_or("")};
  if (const auto bytes = optional_amount(node, "bytes")) known.bytes = Bytes{*bytes};
  if (const auto ranks = node.find("ranks")) known.ranks = small_integer(*ranks);
  return known;
}

}  // namespace

std::vector<KnownViolation> read_guideline_baseline(const JsonNode& document) {
  const JsonNode schema = document.at("schema");
  if (schema.text() != guideline_baseline_schema) {
    schema.reject("is '" + schema.text() + "'",
                  "this program reads '" + std::string(guideline_baseline_schema) + "'",
                  "name a file of known violations");
  }
  document.allow_only({"schema", "known"});
  return read_array(document.at("known"), read_known);
}

void check_known(const std::vector<KnownViolation>& known, const GuidelineSet& set,
                 const std::string& file) {
  std::set<std::string> judged;
  for (const GuidelineVerdict& verdict : set.verdicts) judged.insert(verdict.cell.guideline.name);
  for (const UnmeasuredCell& cell : set.unmeasured) judged.insert(cell.guideline);
  for (const KnownViolation& one : known) {
    if (judged.contains(one.guideline)) continue;
    throw InputError({file + ": unknown guideline '" + one.guideline + "'",
                      "none of the records states it",
                      suggest(one.guideline, {judged.begin(), judged.end()})});
  }
}

bool is_known(const std::vector<KnownViolation>& known, const GuidelineVerdict& verdict) {
  return std::ranges::any_of(known, [&](const KnownViolation& one) { return is_of(one, verdict); });
}

std::vector<KnownViolation> not_seen(const std::vector<KnownViolation>& known,
                                     const GuidelineSet& set) {
  std::vector<KnownViolation> gone;
  for (const KnownViolation& one : known) {
    const bool is_seen = std::ranges::any_of(set.verdicts, [&](const GuidelineVerdict& verdict) {
      return verdict.verdict == Compliance::violated && is_of(one, verdict);
    });
    if (!is_seen) gone.push_back(one);
  }
  return gone;
}

namespace {

using Json = nlohmann::json;

Json point_of_side(const Point& point) {
  Json json = point_json(point);
  json.erase("path");
  json.erase("algorithm");
  return json;
}

Json repair_json(const Repair& repair) {
  return {{"campaign", repair.campaign},
          {"algorithm", repair.algorithm},
          {"others", repair.others},
          {"ratio", repair.against_default.ratio},
          {"ratio_ci", bounds_or_null(repair.against_default.ratio_interval)},
          {"default_seconds", repair.against_default.a.median_seconds},
          {"algorithm_seconds", repair.against_default.b.median_seconds},
          {"p_adjusted", repair.against_default.p_adjusted}};
}

Json violation_json(const Violation& violation) {
  const Interval saved = saved_share(*violation.verdict);
  return {{"fastest", violation.is_fastest},
          {"rivals", violation.rivals},
          {"saved_share_ci", {saved.low, saved.high}},
          {"swept", violation.was_swept},
          {"repair", violation.repair ? repair_json(*violation.repair) : Json(nullptr)}};
}

Json verdict_json(const GuidelineVerdict& verdict) {
  const GuidelineCell& cell = verdict.cell;
  return {{"guideline", cell.guideline.name},
          {"map", word(cell.guideline.map)},
          {"campaign", filled_or_null(cell.campaign)},
          {"setting", filled_or_null(cell.setting)},
          {"lhs", cell.left.operation},
          {"rhs", cell.right.operation},
          {"lhs_point", point_of_side(cell.left)},
          {"rhs_point", point_of_side(cell.right)},
          {"factor", cell.factor},
          {"bytes", cell.left.bytes.value},
          {"ranks", cell.left.ranks},
          {"launches", cell.pairs.size()},
          {"lhs_seconds", verdict.left.median_seconds},
          {"lhs_ci_seconds", bounds_or_null(verdict.left.interval_seconds)},
          {"rhs_seconds", verdict.right.median_seconds},
          {"rhs_ci_seconds", bounds_or_null(verdict.right.interval_seconds)},
          {"ratio", verdict.ratio},
          {"ratio_ci", bounds_or_null(verdict.ratio_interval)},
          {"ratio_ci_level",
           verdict.ratio_interval ? Json(verdict.ratio_interval->level) : Json(nullptr)},
          {"p", verdict.p},
          {"p_adjusted", verdict.p_adjusted},
          {"verdict", word(verdict.verdict)},
          {"reason", verdict.doubt ? Json(word(*verdict.doubt)) : Json(nullptr)},
          {"clock_seconds", verdict.clock_seconds},
          {"smallest_visible_ratio", or_null(verdict.smallest_visible_ratio)},
          {"launches_needed", or_null(verdict.launches_needed)}};
}

Json unmeasured_json(const std::vector<UnmeasuredCell>& cells) {
  Json array = Json::array();
  for (const UnmeasuredCell& cell : cells) {
    array.push_back({{"guideline", cell.guideline},
                     {"lhs", cell.left.operation},
                     {"lhs_point", point_of_side(cell.left)},
                     {"reason", cell.reason}});
  }
  return array;
}

Json known_json(const KnownViolation& known) {
  return {{"guideline", known.guideline},
          {"bytes", known.bytes ? Json(known.bytes->value) : Json(nullptr)},
          {"ranks", or_null(known.ranks)},
          {"note", filled_or_null(known.note)}};
}

}  // namespace

std::string_view word(Compliance verdict) {
  if (verdict == Compliance::violated) return "violated";
  return verdict == Compliance::satisfied ? "satisfied" : "undecided";
}

std::string_view word(Doubt doubt) {
  if (doubt == Doubt::too_few_launches) return "too_few_launches";
  return doubt == Doubt::spread ? "spread" : "clock";
}

Json to_json(const GuidelineSet& set, const std::vector<Violation>& violations,
             const std::vector<KnownViolation>& known) {
  Json verdicts = Json::array();
  for (const GuidelineVerdict& verdict : set.verdicts) {
    Json json = verdict_json(verdict);
    const auto found = std::ranges::find(violations, &verdict, &Violation::verdict);
    const bool is_violation = found != violations.end();
    json["known"] = is_violation ? Json(is_known(known, verdict)) : Json(nullptr);
    json["violation"] = is_violation ? violation_json(*found) : Json(nullptr);
    verdicts.push_back(std::move(json));
  }
  Json gone = Json::array();
  for (const KnownViolation& one : not_seen(known, set)) gone.push_back(known_json(one));
  return {{"schema", guidelines_schema},
          {"launches", set.launches},
          {"launches_left_out", set.launches_left_out},
          {"family",
           {{"size", set.verdicts.size()},
            {"correction", word(set.options.correction)},
            {"alpha", set.options.alpha},
            {"delta", set.options.delta}}},
          {"verdicts", verdicts},
          {"not_judged", unmeasured_json(set.unmeasured)},
          {"known_not_seen", gone}};
}

}  // namespace hockney
