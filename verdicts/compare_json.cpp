#include "verdicts/compare_json.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

std::string_view word(NoEvidence reason) {
  return reason == NoEvidence::too_few_launches ? "too_few_launches" : "not_significant";
}

std::string_view word(Absence absence) {
  if (absence == Absence::not_planned) return "not_planned";
  return absence == Absence::not_measured ? "not_measured" : "no_time";
}

Json level_or_null(const std::optional<Interval>& interval) {
  return interval ? Json(interval->level) : Json(nullptr);
}

Json comparison_json(const Comparison& comparison) {
  const Absolute& a = comparison.a;
  const Absolute& b = comparison.b;
  return {{"operation", comparison.point.operation},
          {"point", point_json(comparison.point)},
          {"design", word(comparison.design)},
          {"launches", {a.launches, b.launches}},
          {"pairs", {a.pairs, b.pairs}},
          {"a_median_seconds", a.median_seconds},
          {"a_ci_seconds", bounds_or_null(a.interval_seconds)},
          {"a_ci_level", level_or_null(a.interval_seconds)},
          {"b_median_seconds", b.median_seconds},
          {"b_ci_seconds", bounds_or_null(b.interval_seconds)},
          {"b_ci_level", level_or_null(b.interval_seconds)},
          {"paths", {or_null(a.path), or_null(b.path)}},
          {"ratio", comparison.ratio},
          {"ratio_ci", bounds_or_null(comparison.ratio_interval)},
          {"ratio_ci_level", level_or_null(comparison.ratio_interval)},
          {"p", comparison.p},
          {"p_adjusted", comparison.p_adjusted},
          {"smallest_p", comparison.smallest_p},
          {"verdict", word(comparison.verdict)},
          {"reason", comparison.reason ? Json(word(*comparison.reason)) : Json(nullptr)},
          {"launches_needed", or_null(comparison.launches_needed)}};
}

Json lone_json(const std::vector<LonePoint>& points) {
  Json array = Json::array();
  for (const LonePoint& lone : points) {
    array.push_back({{"operation", lone.point.operation},
                     {"point", point_json(lone.point)},
                     {"reason", word(lone.absence)},
                     {"detail", filled_or_null(lone.detail)}});
  }
  return array;
}

Json crossing_json(const Crossing& crossing) {
  return {{"bytes", crossing.bytes},
          {"bytes_ci", bounds_or_null(crossing.interval_bytes)},
          {"bytes_ci_level", level_or_null(crossing.interval_bytes)},
          {"between_bytes", {crossing.from.value, crossing.to.value}},
          {"b_above", crossing.above == Winner::b ? "faster" : "slower"},
          {"launches", crossing.launches}};
}

/// `bytes` and its interval are those of the one crossing there is.
Json crossover_json(const Crossover& crossover) {
  Json point = point_json(crossover.point);
  point.erase("bytes");
  point.erase("path");
  Json crossings = Json::array();
  for (const Crossing& crossing : crossover.crossings) crossings.push_back(crossing_json(crossing));
  const bool is_one = crossings.size() == 1;
  return {{"operation", crossover.point.operation},
          {"point", point},
          {"bytes", is_one ? crossings[0]["bytes"] : Json(nullptr)},
          {"bytes_ci", is_one ? crossings[0]["bytes_ci"] : Json(nullptr)},
          {"bytes_ci_level", is_one ? crossings[0]["bytes_ci_level"] : Json(nullptr)},
          {"reason", filled_or_null(crossover.reason)},
          {"crossings", crossings}};
}

Json side_json(const ComparedSide& side) {
  return {{"source", filled_or_null(side.source)},
          {"setting", filled_or_null(side.setting)},
          {"mpi_library", filled_or_null(side.mpi_library)},
          {"launches", side.launches},
          {"launches_left_out", side.launches_left_out}};
}

}  // namespace

std::string_view word(Verdict verdict) {
  if (verdict == Verdict::no_evidence) return "no evidence";
  return verdict == Verdict::faster ? "faster" : "slower";
}

std::string_view word(Design design) { return design == Design::paired ? "paired" : "unpaired"; }

Json to_json(const CompareSet& set) {
  Json comparisons = Json::array();
  for (const Comparison& comparison : set.comparisons) {
    comparisons.push_back(comparison_json(comparison));
  }
  Json crossovers = Json::array();
  for (const Crossover& crossover : set.crossovers) {
    crossovers.push_back(crossover_json(crossover));
  }
  return {{"schema", compare_schema},
          {"a", side_json(set.a)},
          {"b", side_json(set.b)},
          {"interleaved", set.options.origin == Origin::one_campaign},
          {"comparisons", comparisons},
          {"crossovers", crossovers},
          {"family",
           {{"size", set.family},
            {"correction", word(set.options.correction)},
            {"alpha", set.options.alpha},
            {"at_least", set.options.at_least}}},
          {"only_in_a", lone_json(set.only_in_a)},
          {"only_in_b", lone_json(set.only_in_b)},
          {"in_neither", lone_json(set.in_neither)}};
}

Json to_json(const AxisCompareSet& set) {
  Json values = Json::array();
  for (const AxisComparison& comparison : set.comparisons) {
    Json value = to_json(comparison.set);
    value.erase("schema");
    value["value"] = comparison.value;
    value["others"] = comparison.others;
    values.push_back(std::move(value));
  }
  return {{"schema", compare_axis_schema},
          {"axis", set.axis},
          {"base", set.base},
          {"values", values},
          {"alone", set.alone}};
}

}  // namespace hockney
