#include "verdicts/compare.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/record_fields.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::verdicts {
namespace {

using Json = nlohmann::json;

Json comparison_json(const Comparison& comparison) {
  const Absolute& a = comparison.a;
  const Absolute& b = comparison.b;
  return {{"operation", comparison.point.operation},
          {"point", point_json(comparison.point)},
          {"design", comparison.design},
          {"launches", {a.launches, b.launches}},
          {"pairs", {a.pairs, b.pairs}},
          {"a_median_seconds", a.median_seconds},
          {"a_ci_seconds", a.interval_seconds},
          {"a_ci_level", level_of(a.interval_seconds)},
          {"b_median_seconds", b.median_seconds},
          {"b_ci_seconds", b.interval_seconds},
          {"b_ci_level", level_of(b.interval_seconds)},
          {"paths", {a.path, b.path}},
          {"ratio", comparison.ratio},
          {"ratio_ci", comparison.ratio_interval},
          {"ratio_ci_level", level_of(comparison.ratio_interval)},
          {"ratio_ci_family", comparison.family_interval},
          {"p", comparison.p},
          {"p_adjusted", comparison.p_adjusted},
          {"smallest_p", comparison.smallest_p},
          {"verdict", comparison.verdict},
          {"reason", comparison.reason},
          {"launches_needed", comparison.launches_needed}};
}

Json lone_json(const LonePoint& lone) {
  return {{"operation", lone.point.operation},
          {"point", point_json(lone.point)},
          {"reason", lone.absence},
          {"detail", filled_or_null(lone.detail)}};
}

Json crossing_json(const Crossing& crossing) {
  return {{"bytes", crossing.bytes},
          {"bytes_ci", crossing.interval_bytes},
          {"bytes_ci_level", level_of(crossing.interval_bytes)},
          {"between_bytes", {crossing.from, crossing.to}},
          {"b_above", crossing.above == Winner::b ? "faster" : "slower"},
          {"launches", crossing.launches}};
}

/// `bytes` and its interval are those of the one crossing there is.
Json crossover_json(const Crossover& crossover) {
  Json point = point_json(crossover.point);
  point.erase("bytes");
  point.erase("path");
  Json crossings = array_json(crossover.crossings, crossing_json);
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

Json to_json(const CompareSet& set) {
  return {{"schema", compare_schema},
          {"a", side_json(set.a)},
          {"b", side_json(set.b)},
          {"interleaved", set.options.origin == Origin::one_campaign},
          {"comparisons", array_json(set.comparisons, comparison_json)},
          {"crossovers", array_json(set.crossovers, crossover_json)},
          {"family",
           {{"size", set.family},
            {"correction", set.options.correction},
            {"alpha", set.options.alpha},
            {"at_least", set.options.at_least}}},
          {"only_in_a", array_json(set.only_in_a, lone_json)},
          {"only_in_b", array_json(set.only_in_b, lone_json)},
          {"in_neither", array_json(set.in_neither, lone_json)},
          {"faults", set.faults}};
}

Json to_json(const AxisCompareSet& set) {
  Json values = Json::array();
  for (const AxisComparison& comparison : set.comparisons) {
    Json value = to_json(comparison.set);
    value.erase("schema");
    value.erase("faults");  // of all values together
    value["value"] = comparison.value;
    value["others"] = comparison.others;
    values.push_back(std::move(value));
  }
  return {{"schema", compare_axis_schema},
          {"axis", set.axis},
          {"base", set.base},
          {"values", values},
          {"alone", set.alone},
          {"faults", set.faults}};
}

}  // namespace hockney::verdicts
