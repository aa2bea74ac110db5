#include "models/fit_json.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "core/json_values.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

std::string_view word(FitWarning warning) {
  constexpr std::array<std::string_view, 4> words{"few_launches", "unconfirmed_breakpoints",
                                                  "rejected_breakpoints", "missing_cells"};
  return words.at(static_cast<std::size_t>(warning));
}

Json word_or_null(Confirmation confirmation) {
  switch (confirmation) {
    case Confirmation::bic:
      return "bic";
    case Confirmation::launches:
      return "launches";
    case Confirmation::none_needed:
      break;
  }
  return nullptr;
}

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
      {"from_bytes", segment.from.value},
      {"to_bytes", segment.to.value},
      {"alpha_seconds", line.alpha_seconds},
      {"alpha_ci_seconds", bounds_or_null(segment.alpha_seconds)},
      {"beta_seconds_per_byte", line.beta_seconds_per_byte},
      {"beta_ci_seconds_per_byte", bounds_or_null(segment.beta_seconds_per_byte)},
      {"ci_level", segment.alpha_seconds ? Json(segment.alpha_seconds->level) : Json(nullptr)},
      {"bandwidth_bytes_per_second", slopes ? Json(1 / line.beta_seconds_per_byte) : Json(nullptr)},
      {"n_half_bytes",
       slopes ? Json(line.alpha_seconds / line.beta_seconds_per_byte) : Json(nullptr)}};
}

Json breakpoints_json(const std::vector<FittedBreakpoint>& breakpoints) {
  Json array = Json::array();
  for (const FittedBreakpoint& breakpoint : breakpoints) {
    array.push_back({{"after_bytes", breakpoint.after.value},
                     {"before_bytes", breakpoint.before.value},
                     {"recurrence", or_null(breakpoint.recurrence)},
                     {"names", or_null(breakpoint.names)}});
  }
  return array;
}

Json fit_json(const Fit& fit) {
  Json segments = Json::array();
  for (const Segment& segment : fit.segments) segments.push_back(segment_json(segment));
  Json codes = Json::array();
  for (const FitWarning warning : warnings(fit)) codes.push_back(word(warning));
  return {{"operation", fit.point.operation},
          {"point", curve_json(fit.point)},
          {"setting", filled_or_null(fit.setting)},
          {"mpi_library", filled_or_null(fit.mpi_library)},
          {"pairs", fit.pairs},
          {"model", fit.model()},
          {"launches", fit.launches},
          {"sizes", fit.sizes},
          {"missing_cells", fit.missing_cells},
          {"domain",
           {{"from_bytes", fit.segments.front().from.value},
            {"to_bytes", fit.segments.back().to.value}}},
          {"segments", segments},
          {"mape", fit.errors.mape},
          {"max_relative_error", fit.errors.maximum},
          {"held_out_mape", or_null(fit.errors.held_out)},
          {"held_out_launch_mape", or_null(fit.errors.held_out_launch)},
          {"noise_floor", fit.noise_floor},
          {"breakpoints", breakpoints_json(fit.breakpoints)},
          {"breakpoints_rejected", breakpoints_json(fit.rejected)},
          {"breakpoints_confirmed_by", word_or_null(fit.confirmed_by)},
          {"warnings", codes}};
}

Json failure_json(const FitFailure& failure) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(failure.sizes.size());
  for (const Bytes size : failure.sizes) sizes.push_back(size.value);
  return {{"operation", failure.point.operation},
          {"point", curve_json(failure.point)},
          {"setting", filled_or_null(failure.setting)},
          {"launches", failure.launches},
          {"reason", "too_few_sizes"},
          {"sizes_bytes", sizes},
          {"sizes_needed", sizes_per_fit}};
}

}  // namespace

Json to_json(const FitSet& set) {
  Json fits = Json::array();
  for (const Fit& fit : set.fits) fits.push_back(fit_json(fit));
  Json failures = Json::array();
  for (const FitFailure& failure : set.failures) failures.push_back(failure_json(failure));
  return {{"schema", fit_schema},
          {"fits", fits},
          {"failures", failures},
          {"records_used", set.records_used},
          {"records_left_out", set.records_left_out},
          {"series_without_time", set.series_without_time}};
}

}  // namespace hockney
