#include "verdicts/guidelines_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/guideline.hpp"
#include "core/json_values.hpp"
#include "core/record_fields.hpp"
#include "core/text.hpp"

namespace hockney::verdicts {

constexpr auto fields_of(std::type_identity<KnownViolation>) {
  return strict_object(key("guideline", &KnownViolation::guideline),
                       key("bytes", &KnownViolation::bytes), key("ranks", &KnownViolation::ranks),
                       key("note", &KnownViolation::note, KeyUse::null_if_empty),
                       at_most("bytes", most_message_bytes), at_most("ranks", most_job_ranks));
}

namespace {

bool is_of(const KnownViolation& known, const GuidelineVerdict& verdict) {
  const GuidelineCell& cell = verdict.cell;
  return known.guideline == cell.guideline.name &&
         known.bytes.value_or(cell.left.bytes) == cell.left.bytes &&
         known.ranks.value_or(cell.left.ranks) == cell.left.ranks;
}

}  // namespace

std::vector<KnownViolation> read_guideline_baseline(const JsonNode& document) {
  document.require_schema(guideline_baseline_schema, "name a file of known violations");
  document.allow_only({"schema", "known"});
  return read_value<std::vector<KnownViolation>>(document.at("known"));
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
          {"ratio_ci", repair.against_default.ratio_interval},
          {"default_seconds", repair.against_default.a.median_seconds},
          {"algorithm_seconds", repair.against_default.b.median_seconds},
          {"p_adjusted", repair.against_default.p_adjusted}};
}

Json violation_json(const Violation& violation) {
  return {{"fastest", violation.is_fastest},
          {"rivals", violation.rivals},
          {"saved_share_ci", saved_share(*violation.verdict)},
          {"swept", violation.was_swept},
          {"repair", violation.repair ? repair_json(*violation.repair) : Json(nullptr)}};
}

Json verdict_json(const GuidelineVerdict& verdict) {
  const GuidelineCell& cell = verdict.cell;
  return {{"guideline", cell.guideline.name},
          {"map", cell.guideline.map},
          {"campaign", filled_or_null(cell.campaign)},
          {"setting", filled_or_null(cell.setting)},
          {"lhs", cell.left.operation},
          {"rhs", cell.right.operation},
          {"lhs_point", point_of_side(cell.left)},
          {"rhs_point", point_of_side(cell.right)},
          {"factor", cell.factor},
          {"bytes", cell.left.bytes},
          {"ranks", cell.left.ranks},
          {"launches", cell.pairs.size()},
          {"lhs_seconds", verdict.left.median_seconds},
          {"lhs_ci_seconds", verdict.left.interval_seconds},
          {"rhs_seconds", verdict.right.median_seconds},
          {"rhs_ci_seconds", verdict.right.interval_seconds},
          {"ratio", verdict.ratio},
          {"ratio_ci", verdict.ratio_interval},
          {"ratio_ci_level", level_of(verdict.ratio_interval)},
          {"ratio_ci_family", verdict.family_interval},
          {"p", verdict.p},
          {"p_adjusted", verdict.p_adjusted},
          {"verdict", verdict.verdict},
          {"reason", verdict.doubt},
          {"clock_seconds", verdict.clock_seconds},
          {"smallest_visible_ratio", verdict.smallest_visible_ratio},
          {"launches_needed", verdict.launches_needed}};
}

Json unmeasured_json(const UnmeasuredCell& cell) {
  return {{"guideline", cell.guideline},
          {"lhs", cell.left.operation},
          {"lhs_point", point_of_side(cell.left)},
          {"reason", cell.reason}};
}

}  // namespace

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
  return {{"schema", guidelines_schema},
          {"launches", set.launches},
          {"launches_left_out", set.launches_left_out},
          {"family",
           {{"size", set.verdicts.size()},
            {"correction", set.options.correction},
            {"alpha", set.options.alpha},
            {"delta", set.options.delta}}},
          {"verdicts", verdicts},
          {"faults", set.faults},
          {"not_judged", array_json(set.unmeasured, unmeasured_json)},
          {"known_not_seen", not_seen(known, set)}};
}

}  // namespace hockney::verdicts
