#include "models/collectives/collective_fit.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "core/distributions.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "models/collectives/replay.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {
namespace {

constexpr double least_noise = 0.001;         // of a simulator
constexpr double noise_of_one_launch = 0.01;  // where nothing shows it
constexpr double as_good = 1.05;
constexpr double as_good_absolute = 0.001;
/// Ranks of real machines share memory and links. Where they do not, factors over ranks cost little
/// more than the noise; where they do, too few ranks may hide it.
constexpr double as_good_with_ranks = 1.5;
constexpr const char* replay_form = "replay";

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

/// The first that is as good as the best, where errors below the noise are equal. Fits whose
/// predictions of larger numbers of ranks could be tested go before those whose could not.
const FormFit& choose(const std::vector<FormFit>& fits, double noise_floor) {
  const bool is_tested =
      std::ranges::any_of(fits, [](const FormFit& fit) { return fit.errors.held_out.has_value(); });
  const auto judged = [&](const FormFit& fit) {
    if (!is_tested) return std::max(fit.errors.mape, noise_floor);
    if (!fit.errors.held_out) return std::numeric_limits<double>::infinity();
    // A replay models what ranks share itself.
    const bool is_sharing =
        fit.factors.bend() == Bend::sizes_and_ranks && fit.form.name != replay_form;
    const double allowed = is_sharing ? as_good_with_ranks : 1;
    return std::max(*fit.errors.held_out / allowed, noise_floor);
  };
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
  auto forms = forms_for(curve.operation, curve.algorithm, context);
  const bool has_unfit = std::ranges::any_of(curve.works, [&](const schedules::Workload& work) {
    return unfit(curve.operation, curve.algorithm.value_or(""), work).has_value();
  });
  if (!has_unfit) {
    std::erase_if(forms, [](const Form& form) { return form.name.ends_with(never_replaced); });
  }
  // With factors over sizes and ranks, a black box is any power of the ranks at each size. That is
  // too free where the steps of the algorithm are known.
  const bool is_known = std::ranges::any_of(forms, &Form::knows_algorithm);
  for (const Bend bend : {Bend::none, Bend::sizes, Bend::sizes_and_ranks}) {
    for (const Form& form : forms) {
      if (bend != Bend::none && form.knows_algorithm != is_known) continue;
      if (auto fit = fit_form(form, times, noise_floor, bend)) fits.push_back(std::move(*fit));
    }
  }
  return fits;
}

/// Removes the works from a curve for which libraries run an unknown algorithm.
std::vector<schedules::Workload> take_replaced(Curve& curve) {
  std::vector<schedules::Workload> taken;
  if (!curve.algorithm) return taken;
  for (std::size_t i = curve.works.size(); i-- > 0;) {
    if (algorithm_that_runs(curve.operation, *curve.algorithm, curve.works[i])) continue;
    taken.insert(taken.begin(), curve.works[i]);
    curve.works.erase(curve.works.begin() + static_cast<std::ptrdiff_t>(i));
    curve.medians_seconds.erase(curve.medians_seconds.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return taken;
}

double unbent_mape(const FormFit& model, const std::vector<TimedWork>& times) {
  double sum = 0;
  for (const TimedWork& time : times) {
    sum += std::abs(model.unbent_at(time.work).value_or(0) - time.seconds) / time.seconds;
  }
  return sum / static_cast<double>(times.size());
}

NetworkOfRanks with_channels(NetworkOfRanks network, std::vector<Channel> channels) {
  return [network = std::move(network), channels = std::move(channels)](int ranks) {
    auto known = network(ranks);
    if (known) share_channels(*known, channels);
    return known;
  };
}

/// How good held-out predictions of so many doublings of the ranks were.
struct StepQuality {
  double mean = 0;    ///< |T - t|/t as a fraction
  double spread = 0;  ///< half the width of the interval of ln t around ln T
};

/// Uses the steps nearest to this one, within half a doubling. A step larger than those held out
/// has a proportionally larger error. nullopt if nothing was held out.
std::optional<StepQuality> quality_of(const FormErrors& errors, double doublings) {
  constexpr double near = 0.5;
  double nearest = std::numeric_limits<double>::infinity();
  for (const StepError& step : errors.steps) {
    nearest = std::min(nearest, std::abs(step.doublings - doublings));
  }
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (const StepError& step : errors.steps) {
    if (std::abs(step.doublings - doublings) > std::max(near, nearest)) continue;
    const double farther = std::max(doublings / step.doublings, 1.0);
    sum += farther * step.error.relative;
    squares += std::pow(farther * step.log_ratio, 2);
    ++count;
  }
  if (count == 0) return std::nullopt;
  constexpr double tail = 0.05;
  const double quantile = student_upper_quantile(count, tail);
  return StepQuality{sum / count, quantile * std::sqrt(squares / count)};
}

/// How many doublings of measured ranks lead to `ranks`.
double doublings_to(int ranks, const std::vector<int>& measured) {
  int nearest = measured.front();
  for (const int each : measured) {
    if (each <= ranks) nearest = each;
  }
  return std::abs(std::log2(static_cast<double>(ranks) / nearest));
}

/// ln(1 + e) of the largest relative error e of the fit itself.
double spread_in_sample(const FormErrors& errors) { return std::log1p(errors.maximum); }

/// The fits of an algorithm. If any setting asked for the algorithm, only the fits of such
/// settings; otherwise those of settings where the library chose it.
std::vector<const Fit*> candidates(const Fits& fits, const Question& question) {
  std::vector<const Fit*> found;
  bool is_requested = false;
  for (const Fit& fit : fits.fits) {
    const bool is_it = fit.curve.operation == question.operation &&
                       fit.curve.algorithm.value_or("") == question.algorithm &&
                       (question.setting.empty() || fit.curve.setting == question.setting);
    if (!is_it) continue;
    found.push_back(&fit);
    is_requested = is_requested || fit.curve.requested == question.algorithm;
  }
  if (is_requested) {
    std::erase_if(found,
                  [&](const auto* fit) { return fit->curve.requested != question.algorithm; });
  }
  return found;
}

/// The fit of the algorithm asked for; nullptr where it was not measured.
const Fit* find_fit(const Fits& fits, const Question& question) {
  const auto found = candidates(fits, question);
  if (found.size() > 1) {
    throw InputError({"several settings ran this algorithm",
                      fmt::format("{} and {}", found[0]->curve.setting, found[1]->curve.setting),
                      "choose one with --setting"});
  }
  return found.empty() ? nullptr : found.front();
}

std::vector<std::string> first_hosts(const MeasuredNetwork& network, int ranks) {
  const auto& hosts = network.sites().hosts;
  if (static_cast<std::size_t>(ranks) > hosts.size()) {
    throw InputError({fmt::format("cannot place {} ranks", ranks),
                      fmt::format("the site file has {} hosts", hosts.size()),
                      "ask for fewer ranks or add hosts"});
  }
  return {hosts.begin(), hosts.begin() + ranks};
}

/// Predicts an algorithm that was never measured on a network that was.
PredictedTime replay_only(const MeasuredNetwork& network, const std::vector<Channel>& channels,
                          const Question& question, const schedules::Workload& work) {
  const auto hosts = first_hosts(network, work.ranks);
  auto ranks = network.on(hosts);
  if (!ranks) {
    throw InputError({fmt::format("cannot predict {} ranks", work.ranks),
                      fmt::format("no ping-pong was measured between ranks {} apart",
                                  join(network.missing(hosts))),
                      "measure such pairs with hockney-pingpong"});
  }
  share_channels(*ranks, channels);
  const double seconds = replay(schedule_of(question.operation, question.algorithm, work), *ranks);
  return {work,
          "replay",
          {.seconds = seconds, .extrapolated = {.in_ranks = true, .in_bytes = true}},
          "the algorithm was never measured; its schedule was replayed on ping-pongs",
          {}};
}

std::vector<std::string> measured(const Fits& fits, const std::string& operation) {
  std::set<std::string> names;
  for (const Fit& fit : fits.fits) {
    if (fit.curve.operation != operation) continue;
    names.insert(fit.curve.algorithm.value_or("default"));
  }
  return {names.begin(), names.end()};
}

/// Reason why an operation has no fit.
std::string why_unfitted(const Fits& fits, const std::string& operation) {
  const auto failure = std::ranges::find(fits.failures, operation,
                                         [](const auto& each) { return each.curve.operation; });
  if (failure == fits.failures.end()) return "no record holds the times of one";
  return "its times could not be fitted: " + failure->reason;
}

[[noreturn]] void reject_algorithm(const Fits& fits, const Question& question) {
  const auto& [operation, algorithm, setting] = question;
  const auto known = measured(fits, operation);
  throw InputError(
      {fmt::format("cannot predict {} by algorithm '{}'", operation,
                   algorithm.empty() ? "default" : algorithm),
       known.empty() ? why_unfitted(fits, operation) : "the records hold " + join(known),
       known.empty() ? "measure more of it, or give ping-pongs and a site file"
                     : suggest(algorithm, known)});
}

std::string why_no_interval(const Fit& fit, const Prediction& prediction) {
  if (prediction.interval) return "";
  const std::size_t launches = fit.launches.size();
  if (launches == 1) return "one launch";
  return fmt::format("{} launches, {} needed", launches, samples_for_interval());
}

PredictedTime from_fit(const Fit& fit, const schedules::Workload& work) {
  const auto prediction = predict(fit, work);
  if (!prediction) {
    throw InputError(
        {fmt::format("cannot predict {} ranks and {} bytes", work.ranks, format_bytes(work.bytes)),
         fmt::format("the form '{}' has no time for them", fit.model.form.name),
         "ask for work that the algorithm fits, on hosts whose hops were measured"});
  }
  return {work,
          fit.model.name(),
          *prediction,
          why_no_interval(fit, *prediction),
          fit.curve.oversubscribed_ranks,
          fit.curve.shares_cpus,
          fit.model.errors.held_out};
}

}  // namespace

std::vector<WorkError> off_works(const Fit& fit) {
  const double most = most_noise_floors * fit.noise_floor;
  if (fit.model.errors.mape <= most) return {};
  std::vector<WorkError> works;
  std::ranges::copy_if(fit.model.errors.in_sample, std::back_inserter(works),
                       [&](const WorkError& error) { return error.relative > most; });
  return works;
}

Fits fit_collectives(const std::vector<Curve>& curves, const FormContext& context,
                     const MessageTimes& messages) {
  Fits result;
  FormContext known = context;
  if (context.network) {
    result.channels = fit_channels(curves, context.network);
    known.network = with_channels(context.network, result.channels);
  }
  for (Curve curve : curves) {
    auto [gammas, added] = result.gammas.try_emplace(curve.mpi_library);
    if (added) gammas->second = measure_gammas(curves, curve.mpi_library);
    FormContext with_gammas = known;
    with_gammas.gammas = &gammas->second;
    const auto messages_of = messages.find(curve.mpi_library);
    if (messages_of != messages.end()) with_gammas.message_seconds = messages_of->second;
    auto replaced = take_replaced(curve);
    const double noise = noise_of(curve);
    const auto fits = fits_of(curve, with_gammas, noise);
    if (fits.empty()) {
      result.failures.push_back(
          {curve, "fewer times of two ranks and more than any form has parameters"});
      continue;
    }
    Fit fit{.curve = curve,
            .model = choose(fits, noise),
            .replaced = std::move(replaced),
            .noise_floor = noise};
    fit.unbent_mape = unbent_mape(fit.model, pooled(curve));
    for (const FormFit& tried : fits) {
      fit.candidates.push_back({tried.name(), tried.errors.mape, tried.errors.held_out});
    }
    add_launches(fit);
    result.fits.push_back(std::move(fit));
  }
  return result;
}

std::optional<Prediction> predict(const Fit& fit, const schedules::Workload& requested) {
  const schedules::Workload& measured = fit.curve.works.front();
  schedules::Workload work = requested;
  work.segment = measured.segment;
  work.fanout = measured.fanout;
  work.element_bytes = measured.element_bytes;
  const auto seconds = fit.model.at(work);
  if (!seconds) return std::nullopt;
  const std::vector<int> ranks = fit.curve.ranks();
  const auto quality = quality_of(fit.model.errors, doublings_to(work.ranks, ranks));
  Prediction prediction{.seconds = *seconds};
  if (quality) prediction.held_out = quality->mean;
  std::vector<double> launches;
  for (const FormFit& launch : fit.launches) {
    if (const auto time = launch.at(work)) launches.push_back(*time);
  }
  prediction.interval = quantile_interval(launches);
  if (auto& interval = prediction.interval) {
    const double factor = std::exp(quality ? quality->spread : spread_in_sample(fit.model.errors));
    interval->low = std::min(interval->low, *seconds / factor);
    interval->high = std::max(interval->high, *seconds * factor);
  }
  prediction.extrapolated.most_ranks = ranks.back();
  prediction.extrapolated.in_ranks = work.ranks < ranks.front() || work.ranks > ranks.back();
  const auto& segments = fit.model.segments;
  prediction.extrapolated.in_bytes =
      work.bytes < segments.front().from || work.bytes > segments.back().to;
  return prediction;
}

PredictedTime predict(const Fits& fits, const MeasuredNetwork* network, const Question& question,
                      const schedules::Workload& work) {
  const Fit* fit = find_fit(fits, question);
  if (fit != nullptr) return from_fit(*fit, work);
  if (network == nullptr || question.algorithm.empty()) reject_algorithm(fits, question);
  return replay_only(*network, fits.channels, question, work);
}

std::optional<Message> objection_to(const PredictedTime& predicted) {
  const Prediction& found = predicted.prediction;
  const int most = found.extrapolated.most_ranks;
  const int ranks = predicted.work.ranks;
  if (most > 0 && ranks > farthest_ranks * most) {
    return Message{fmt::format("cannot predict {} ranks", ranks),
                   fmt::format("at most {} were measured, and models hold up to {} times as many",
                               most, farthest_ranks),
                   fmt::format("measure {} ranks or more, or give --force",
                               (ranks + farthest_ranks - 1) / farthest_ranks)};
  }
  const double held_out =
      std::max(found.held_out.value_or(0), predicted.model_held_out.value_or(0));
  if (held_out <= worst_held_out) return std::nullopt;
  const auto percent = [](double share) { return whole_number<std::int64_t>(100 * share); };
  return Message{fmt::format("cannot predict {} ranks and {} bytes", ranks,
                             format_bytes(predicted.work.bytes)),
                 fmt::format("the model is {} % off on ranks it has not seen, {} % is the most",
                             percent(held_out), percent(worst_held_out)),
                 "measure more numbers of ranks, or give --force"};
}

}  // namespace hockney::collectives
