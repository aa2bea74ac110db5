#include "models/collectives/collective_json.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json curve_json(const CollectiveCurve& curve) {
  return {{"operation", curve.operation},
          {"algorithm", or_null(curve.algorithm)},
          {"algorithm_proven", curve.proven},
          {"setting", filled_or_null(curve.setting)},
          {"mpi_library", filled_or_null(curve.mpi_library)},
          {"ranks", curve.ranks()},
          {"launches", curve.launches()}};
}

Json segment_json(const FormFit& fit, const FormSegment& segment) {
  Json parameters = Json::object();
  for (std::size_t j = 0; j < segment.parameters.size(); ++j) {
    const bool is_apart = std::ranges::count(segment.inseparable, j) == 0;
    parameters[fit.form.parameters[j]] = {
        {"value", is_apart ? Json(segment.parameters[j]) : Json(nullptr)},
        {"ci", is_apart ? bounds_or_null(segment.intervals[j]) : Json(nullptr)},
        {"reason", is_apart ? Json(nullptr)
                            : Json("not separable from the parameters before it by these times")}};
  }
  return {{"from_bytes", segment.from.value},
          {"to_bytes", segment.to.value},
          {"parameters", parameters}};
}

Json worst_json(const std::optional<WorkError>& worst) {
  if (!worst) return nullptr;
  return {{"ranks", worst->work.ranks},
          {"bytes", worst->work.bytes.value},
          {"relative_error", worst->relative}};
}

Json fit_json(const CollectiveFit& fit) {
  Json segments = Json::array();
  for (const FormSegment& segment : fit.model.segments) {
    segments.push_back(segment_json(fit.model, segment));
  }
  Json candidates = Json::array();
  for (const TriedForm& candidate : fit.candidates) {
    candidates.push_back({{"form", candidate.form},
                          {"mape", candidate.mape},
                          {"held_out_mape", or_null(candidate.held_out)}});
  }
  Json keys = curve_json(fit.curve);
  const FormErrors& errors = fit.model.errors;
  keys.update({{"form", fit.model.form.name},
               {"formula", fit.model.form.formula},
               {"segments", segments},
               {"mape", errors.mape},
               {"max_relative_error", errors.maximum},
               {"held_out_mape", or_null(errors.held_out)},
               {"held_out_worst", worst_json(errors.held_out_worst)},
               {"noise_floor", fit.noise_floor},
               {"candidates", candidates}});
  return keys;
}

Json gammas_json(const std::string& library, const GammaTable& table) {
  Json entries = Json::array();
  for (const auto& [ranks, row] : table.ratios()) {
    for (const auto& [bytes, ratio] : row) {
      entries.push_back({{"ranks", ranks}, {"bytes", bytes}, {"gamma", ratio}});
    }
  }
  return {{"mpi_library", filled_or_null(library)}, {"entries", entries}};
}

Json channels_json(const std::vector<Channel>& channels) {
  Json entries = Json::array();
  for (const Channel& channel : channels) {
    entries.push_back(
        {{"hop", channel.hop},
         {"seconds_per_byte",
          channel.seconds_per_byte > 0 ? Json(channel.seconds_per_byte) : Json(nullptr)},
         {"error_with", channel.error_with},
         {"error_without", channel.error_without}});
  }
  return entries;
}

}  // namespace

Json to_json(const CollectiveFits& fits) {
  Json collectives = Json::array();
  for (const CollectiveFit& fit : fits.fits) collectives.push_back(fit_json(fit));
  Json failures = Json::array();
  for (const CollectiveFailure& failure : fits.failures) {
    Json keys = curve_json(failure.curve);
    keys["reason"] = failure.reason;
    failures.push_back(keys);
  }
  Json gammas = Json::array();
  for (const auto& [library, table] : fits.gammas) {
    if (!table.empty()) gammas.push_back(gammas_json(library, table));
  }
  return {{"collectives", collectives},
          {"collective_failures", failures},
          {"gammas", gammas},
          {"channels", channels_json(fits.channels)}};
}

}  // namespace hockney
