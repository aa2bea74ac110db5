#include "models/collectives/collective_fit.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/statistics.hpp"

namespace hockney::collectives {
namespace {

constexpr double least_noise = 0.001;         // of a simulator
constexpr double noise_of_one_launch = 0.01;  // where nothing shows it
constexpr double as_good = 1.05;
constexpr double as_good_absolute = 0.001;

/// Pooled times: the median over launches, its own scale.
std::vector<TimedWork> pooled(const Curve& curve) {
  std::vector<TimedWork> times;
  for (std::size_t i = 0; i < curve.works.size(); ++i) {
    if (curve.works[i].ranks < 2) continue;
    const auto time = median(curve.medians_seconds[i]);
    if (time) times.push_back({curve.works[i], *time, *time});
  }
  return times;
}

/// The times of launch `launch` in units of the pooled ones.
std::vector<TimedWork> of_launch(const Curve& curve, std::size_t launch) {
  std::vector<TimedWork> times;
  for (std::size_t i = 0; i < curve.works.size(); ++i) {
    const auto& medians = curve.medians_seconds[i];
    if (curve.works[i].ranks < 2 || launch >= medians.size()) continue;
    times.push_back({curve.works[i], medians[launch], median_of_some(medians)});
  }
  return times;
}

/// Median over the works of the relative spread of a pooled median.
double noise_of(const Curve& curve) {
  if (curve.launches() < 2) return noise_of_one_launch;
  std::vector<double> spreads;
  for (const auto& medians : curve.medians_seconds) {
    constexpr double deviations = 1.4826;
    const double spread = deviations * median_absolute_deviation(medians).value_or(0);
    spreads.push_back(spread / median_of_some(medians) /
                      std::sqrt(static_cast<double>(medians.size())));
  }
  return std::max(median(spreads).value_or(0), least_noise);
}

double judged(const FormFit& fit) { return fit.errors.held_out.value_or(fit.errors.mape); }

/// The first that is as good as the best.
const FormFit& choose(const std::vector<FormFit>& fits) {
  double least = judged(fits.front());
  for (const FormFit& fit : fits) least = std::min(least, judged(fit));
  const auto good = [&](const FormFit& fit) {
    return judged(fit) <= std::max(least * as_good, least + as_good_absolute);
  };
  return *std::ranges::find_if(fits, good);
}

void add_launches(Fit& fit) {
  for (std::size_t launch = 0; launch < fit.curve.launches(); ++launch) {
    if (auto found = refit(fit.model, of_launch(fit.curve, launch))) {
      fit.launches.push_back(std::move(*found));
    }
  }
  for (std::size_t k = 0; k < fit.model.segments.size(); ++k) {
    FormSegment& segment = fit.model.segments[k];
    for (std::size_t j = 0; j < segment.parameters.size(); ++j) {
      std::vector<double> values;
      values.reserve(fit.launches.size());
      for (const FormFit& launch : fit.launches) {
        values.push_back(launch.segments[k].parameters[j]);
      }
      auto interval = quantile_interval(values);
      if (interval) {
        interval->low = std::min(interval->low, segment.parameters[j]);
        interval->high = std::max(interval->high, segment.parameters[j]);
      }
      segment.intervals[j] = interval;
    }
  }
}

std::vector<FormFit> fits_of(const Curve& curve, const FormContext& context, double noise_floor) {
  const std::vector<TimedWork> times = pooled(curve);
  std::vector<FormFit> fits;
  if (times.empty()) return fits;
  for (const Form& form : forms_for(curve.operation, curve.algorithm, context)) {
    if (auto fit = fit_form(form, times, noise_floor)) fits.push_back(std::move(*fit));
  }
  return fits;
}

NetworkOfRanks with_channels(NetworkOfRanks network, std::vector<Channel> channels) {
  return [network = std::move(network), channels = std::move(channels)](int ranks) {
    auto known = network(ranks);
    if (known) share_channels(*known, channels);
    return known;
  };
}

}  // namespace

Fits fit_collectives(const std::vector<Curve>& curves, const FormContext& context) {
  Fits result;
  FormContext known = context;
  if (context.network) {
    result.channels = fit_channels(curves, context.network);
    known.network = with_channels(context.network, result.channels);
  }
  for (const Curve& curve : curves) {
    auto [gammas, added] = result.gammas.try_emplace(curve.mpi_library);
    if (added) gammas->second = measure_gammas(curves, curve.mpi_library);
    FormContext with_gammas = known;
    with_gammas.gammas = &gammas->second;
    const double noise = noise_of(curve);
    const auto fits = fits_of(curve, with_gammas, noise);
    if (fits.empty()) {
      result.failures.push_back(
          {curve, "fewer times of two ranks and more than any form has parameters"});
      continue;
    }
    Fit fit{.curve = curve, .model = choose(fits), .noise_floor = noise};
    for (const FormFit& tried : fits) {
      fit.candidates.push_back({tried.form.name, tried.errors.mape, tried.errors.held_out});
    }
    add_launches(fit);
    result.fits.push_back(std::move(fit));
  }
  return result;
}

namespace {

using Json = nlohmann::json;

Json curve_json(const Curve& curve) {
  return {{"operation", curve.operation},
          {"algorithm", curve.algorithm},
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
        {"ci", is_apart ? Json(segment.intervals[j]) : Json(nullptr)},
        {"reason", is_apart ? Json(nullptr)
                            : Json("not separable from the parameters before it by these times")}};
  }
  return {{"from_bytes", segment.from}, {"to_bytes", segment.to}, {"parameters", parameters}};
}

Json worst_json(const std::optional<WorkError>& worst) {
  if (!worst) return nullptr;
  return {{"ranks", worst->work.ranks},
          {"bytes", worst->work.bytes},
          {"relative_error", worst->relative}};
}

Json candidate_json(const TriedForm& candidate) {
  return {
      {"form", candidate.form}, {"mape", candidate.mape}, {"held_out_mape", candidate.held_out}};
}

Json fit_json(const Fit& fit) {
  Json segments = Json::array();
  for (const FormSegment& segment : fit.model.segments) {
    segments.push_back(segment_json(fit.model, segment));
  }
  Json keys = curve_json(fit.curve);
  const FormErrors& errors = fit.model.errors;
  keys.update({{"form", fit.model.form.name},
               {"formula", fit.model.form.formula},
               {"segments", segments},
               {"mape", errors.mape},
               {"max_relative_error", errors.maximum},
               {"held_out_mape", errors.held_out},
               {"held_out_worst", worst_json(errors.held_out_worst)},
               {"noise_floor", fit.noise_floor},
               {"candidates", array_json(fit.candidates, candidate_json)}});
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

Json channel_json(const Channel& channel) {
  const double slope = channel.seconds_per_byte;
  return {{"hop", channel.hop},
          {"seconds_per_byte", slope > 0 ? Json(slope) : Json(nullptr)},
          {"error_with", channel.error_with},
          {"error_without", channel.error_without}};
}

Json failure_json(const Failure& failure) {
  Json keys = curve_json(failure.curve);
  keys["reason"] = failure.reason;
  return keys;
}

}  // namespace

Json to_json(const Fits& fits) {
  Json gammas = Json::array();
  for (const auto& [library, table] : fits.gammas) {
    if (!table.empty()) gammas.push_back(gammas_json(library, table));
  }
  return {{"collectives", array_json(fits.fits, fit_json)},
          {"collective_failures", array_json(fits.failures, failure_json)},
          {"gammas", gammas},
          {"channels", array_json(fits.channels, channel_json)}};
}

}  // namespace hockney::collectives
