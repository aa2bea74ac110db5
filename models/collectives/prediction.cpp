#include "models/collectives/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "core/whole_number.hpp"
#include "models/collectives/replay.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {
namespace {

/// |T - t|/t of the model's time T and the true time t, so that t is from T/(1 + e) to T/(1 - e).
double worst_error(const FormErrors& errors) {
  constexpr double most = 0.9;  // of a model as wrong as that, no upper end is known
  return std::min(most, errors.held_out_worst ? errors.held_out_worst->relative : errors.maximum);
}

}  // namespace

std::optional<Prediction> predict(const Fit& fit, const schedules::Workload& work) {
  const auto seconds = fit.model.at(work);
  if (!seconds) return std::nullopt;
  Prediction prediction{.seconds = *seconds, .held_out = fit.model.errors.held_out};
  std::vector<double> launches;
  for (const FormFit& launch : fit.launches) {
    if (const auto time = launch.at(work)) launches.push_back(*time);
  }
  prediction.interval = quantile_interval(launches);
  if (auto& interval = prediction.interval) {
    const double error = worst_error(fit.model.errors);
    interval->low = std::min(interval->low, *seconds) / (1 + error);
    interval->high = std::max(interval->high, *seconds) / (1 - error);
  }
  const std::vector<int> ranks = fit.curve.ranks();
  prediction.extrapolated.most_ranks = ranks.back();
  prediction.extrapolated.in_ranks = work.ranks < ranks.front() || work.ranks > ranks.back();
  const auto& segments = fit.model.segments;
  prediction.extrapolated.in_bytes =
      work.bytes < segments.front().from || work.bytes > segments.back().to;
  return prediction;
}

namespace {

/// The fits of an algorithm: those whose setting asked for it, if there are any; else of settings
/// in which it ran without.
std::vector<const Fit*> candidates(const Fits& fits, const Question& question) {
  std::vector<const Fit*> found;
  bool is_asked = false;
  for (const Fit& fit : fits.fits) {
    const bool is_it = fit.curve.operation == question.operation &&
                       fit.curve.algorithm.value_or("") == question.algorithm &&
                       (question.setting.empty() || fit.curve.setting == question.setting);
    if (!is_it) continue;
    found.push_back(&fit);
    is_asked = is_asked || fit.curve.requested == question.algorithm;
  }
  if (is_asked) {
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
                      found[0]->curve.setting + " and " + found[1]->curve.setting,
                      "choose one with --setting"});
  }
  return found.empty() ? nullptr : found.front();
}

std::vector<std::string> first_hosts(const MeasuredNetwork& network, int ranks) {
  const auto& hosts = network.sites().hosts;
  if (static_cast<std::size_t>(ranks) > hosts.size()) {
    throw InputError({"cannot place " + std::to_string(ranks) + " ranks",
                      "the site file has " + std::to_string(hosts.size()) + " hosts",
                      "ask for fewer ranks or add hosts"});
  }
  return {hosts.begin(), hosts.begin() + ranks};
}

/// An algorithm that was never measured, on a network that was.
PredictedTime replay_only(const MeasuredNetwork& network, const std::vector<Channel>& channels,
                          const Question& question, const schedules::Workload& work) {
  const auto hosts = first_hosts(network, work.ranks);
  auto ranks = network.on(hosts);
  if (!ranks) {
    throw InputError(
        {"cannot predict " + std::to_string(work.ranks) + " ranks",
         "no ping-pong was measured between ranks " + join(network.missing(hosts)) + " apart",
         "measure such pairs with hockney-pingpong"});
  }
  share_channels(*ranks, channels);
  const double seconds = replay(schedule_of(question.operation, question.algorithm, work), *ranks);
  return {work,
          "replay",
          {.seconds = seconds, .extrapolated = {.in_ranks = true, .in_bytes = true}},
          "the algorithm was never measured; its schedule was replayed on ping-pongs"};
}

std::vector<std::string> measured(const Fits& fits, const std::string& operation) {
  std::set<std::string> names;
  for (const Fit& fit : fits.fits) {
    if (fit.curve.operation != operation) continue;
    names.insert(fit.curve.algorithm.value_or("default"));
  }
  return {names.begin(), names.end()};
}

/// Why an operation has no fit at all.
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
      {"cannot predict " + operation + " by algorithm '" +
           (algorithm.empty() ? "default" : algorithm) + "'",
       known.empty() ? why_unfitted(fits, operation) : "the records hold " + join(known),
       known.empty() ? "measure more of it, or give ping-pongs and a site file"
                     : suggest(algorithm, known)});
}

std::string why_no_interval(const Fit& fit, const Prediction& prediction) {
  if (prediction.interval) return "";
  const std::size_t launches = fit.launches.size();
  if (launches == 1) return "one launch";
  return std::to_string(launches) + " launches, " + std::to_string(samples_for_interval()) +
         " needed";
}

PredictedTime from_fit(const Fit& fit, const schedules::Workload& work) {
  schedules::Workload like_measured = work;
  like_measured.segment = fit.curve.works.front().segment;
  like_measured.fanout = fit.curve.works.front().fanout;
  const auto prediction = predict(fit, like_measured);
  if (!prediction) {
    throw InputError({"cannot predict " + std::to_string(work.ranks) + " ranks and " +
                          format_bytes(work.bytes) + " bytes",
                      "the form '" + fit.model.form.name + "' has no time for them",
                      "ask for work that the algorithm fits, on hosts whose hops were measured"});
  }
  return {work, fit.model.form.name, *prediction, why_no_interval(fit, *prediction)};
}

}  // namespace

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
    return Message{"cannot predict " + std::to_string(ranks) + " ranks",
                   "at most " + std::to_string(most) + " were measured, and models hold up to " +
                       std::to_string(farthest_ranks) + " times as many",
                   "measure " + std::to_string((ranks + farthest_ranks - 1) / farthest_ranks) +
                       " ranks or more, or give --force"};
  }
  if (found.held_out.value_or(0) <= worst_held_out) return std::nullopt;
  const auto percent = [](double share) {
    return std::to_string(whole_number<std::int64_t>(100 * share)) + " %";
  };
  return Message{"cannot predict " + std::to_string(ranks) + " ranks and " +
                     format_bytes(predicted.work.bytes) + " bytes",
                 "the model is " + percent(*found.held_out) + " off on ranks it has not seen, " +
                     percent(worst_held_out) + " is the most",
                 "measure more numbers of ranks, or give --force"};
}

nlohmann::json to_json(const Question& question, const PredictedTime& predicted) {
  const std::string& algorithm = question.algorithm;
  const Prediction& found = predicted.prediction;
  const auto objection = objection_to(predicted);
  return {{"operation", question.operation},
          {"algorithm", filled_or_null(algorithm)},
          {"ranks", predicted.work.ranks},
          {"bytes", predicted.work.bytes.value},
          {"seconds", found.seconds},
          {"interval_seconds", found.interval},
          {"no_interval_because", filled_or_null(predicted.no_interval)},
          {"form", predicted.form},
          {"held_out_mape", found.held_out},
          {"forced_because", objection ? nlohmann::json(objection->why) : nlohmann::json(nullptr)},
          {"extrapolated",
           {{"ranks", found.extrapolated.in_ranks}, {"bytes", found.extrapolated.in_bytes}}}};
}

}  // namespace hockney::collectives
