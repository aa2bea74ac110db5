#include "models/fit_set.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/record_fields.hpp"

namespace hockney::models {
namespace {

using Json = nlohmann::json;

/// The keys of a record's point, without the size.
Json curve_json(const Point& point) {
  Json keys = point_json(point);
  keys.erase("bytes");
  return keys;
}

Json segment_json(const Segment& segment) {
  const Line& line = segment.line;
  const bool slopes = line.beta_seconds_per_byte > 0;
  return {
      {"from_bytes", segment.from},
      {"to_bytes", segment.to},
      {"alpha_seconds", line.alpha_seconds},
      {"alpha_ci_seconds", segment.alpha_seconds},
      {"beta_seconds_per_byte", line.beta_seconds_per_byte},
      {"beta_ci_seconds_per_byte", segment.beta_seconds_per_byte},
      {"ci_level", level_of(segment.alpha_seconds)},
      {"bandwidth_bytes_per_second", slopes ? Json(1 / line.beta_seconds_per_byte) : Json(nullptr)},
      {"n_half_bytes",
       slopes ? Json(line.alpha_seconds / line.beta_seconds_per_byte) : Json(nullptr)}};
}

Json breakpoint_json(const FittedBreakpoint& breakpoint) {
  return {{"after_bytes", breakpoint.after},
          {"before_bytes", breakpoint.before},
          {"recurrence", breakpoint.recurrence},
          {"names", breakpoint.names}};
}

Json fit_json(const Fit& fit) {
  return {
      {"operation", fit.point.operation},
      {"point", curve_json(fit.point)},
      {"setting", filled_or_null(fit.setting)},
      {"mpi_library", filled_or_null(fit.mpi_library)},
      {"pairs", fit.pairs},
      {"model", fit.model()},
      {"launches", fit.launches},
      {"sizes", fit.sizes},
      {"missing_cells", fit.missing_cells},
      {"domain", {{"from_bytes", fit.segments.front().from}, {"to_bytes", fit.segments.back().to}}},
      {"segments", array_json(fit.segments, segment_json)},
      {"mape", fit.errors.mape},
      {"max_relative_error", fit.errors.maximum},
      {"held_out_mape", fit.errors.held_out},
      {"held_out_launch_mape", fit.errors.held_out_launch},
      {"noise_floor", fit.noise_floor},
      {"breakpoints", array_json(fit.breakpoints, breakpoint_json)},
      {"breakpoints_rejected", array_json(fit.rejected, breakpoint_json)},
      {"breakpoints_confirmed_by",
       fit.confirmed_by == Confirmation::none_needed ? Json() : Json(fit.confirmed_by)},
      {"warnings", warnings(fit)}};
}

Json failure_json(const FitFailure& failure) {
  return {{"operation", failure.point.operation},
          {"point", curve_json(failure.point)},
          {"setting", filled_or_null(failure.setting)},
          {"launches", failure.launches},
          {"reason", "too_few_sizes"},
          {"sizes_bytes", failure.sizes},
          {"sizes_needed", sizes_per_fit}};
}

}  // namespace

Json to_json(const FitSet& set) {
  return {{"schema", fit_schema},
          {"fits", array_json(set.fits, fit_json)},
          {"failures", array_json(set.failures, failure_json)},
          {"records_used", set.records_used},
          {"records_left_out", set.records_left_out},
          {"series_without_time", set.series_without_time}};
}

}  // namespace hockney::models
