#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "models/collectives/form_fit.hpp"
#include "models/collectives/measured_network.hpp"

namespace hockney::collectives {

/// A form that was tried.
struct TriedForm {
  std::string form;
  double mape = 0;
  std::optional<double> held_out;
};

/// The model of one algorithm of one collective.
struct Fit {
  Curve curve;                    ///< what it was fitted to
  FormFit model;                  ///< with the least held-out error
  std::vector<FormFit> launches;  ///< the same form fitted to single launches
  double unbent_mape = 0;         ///< of the segments of `model` alone, without its curve
  std::vector<schedules::Workload> replaced;  ///< left out: an unknown algorithm ran in its place
  std::vector<TriedForm> candidates;          ///< in the order in which they were tried
  double noise_floor = 0;                     ///< relative, as a fraction
};

/// A curve that no form could be fitted to.
struct Failure {
  Curve curve;
  std::string reason;
};

/// The time [s] of one message of so many bytes by ping-pong, by MPI library.
using MessageTimes = std::map<std::string, std::function<double(double bytes)>>;

struct Fits {
  std::vector<Fit> fits;
  std::vector<Failure> failures;
  std::map<std::string, GammaTable> gammas;  ///< by MPI library
  std::vector<Channel> channels;             ///< of the network, where it is known
};

/// A fit is off where its error is more than so many times the noise floor.
inline constexpr double most_noise_floors = 3;

/// The works whose errors are that large, where the mean error is as well; empty otherwise.
std::vector<WorkError> off_works(const Fit& fit);

/// Fits every form to every curve: alone, with factors over message sizes, with factors over sizes
/// and ranks. Keeps the fit that best predicts the largest number of ranks from smaller ones, where
/// the error of one with factors over ranks counts two thirds. Of fits that are equally good within
/// a twentieth, or a thousandth of the times, the first is kept: the more specific form, and any
/// form alone before any with factors. Where the largest number of ranks cannot be predicted, the
/// error of the fit itself decides. If the network is known, its channels are fitted first, to all
/// curves together. `messages` are the times of ping-pong.
Fits fit_collectives(const std::vector<Curve>& curves, const FormContext& context = {},
                     const MessageTimes& messages = {});

/// The keys `collectives`, `collective_failures`, `gammas` and `channels` of the document of fits.
nlohmann::json to_json(const Fits& fits);

/// How a work lies to those that a model was fitted to.
struct Extrapolation {
  bool in_ranks = false;
  bool in_bytes = false;
  int most_ranks = 0;  ///< that were measured; 0 where none were
};

struct Prediction {
  double seconds = 0;
  /// [s]; nullopt for fewer than six launches. Over launches, and wider by what the model was off
  /// when it predicted as large a step in ranks (by the errors of the fit itself where none could
  /// be held out).
  std::optional<Interval> interval;
  /// Mean error of predictions of as large a step in ranks, as a fraction.
  std::optional<double> held_out;
  Extrapolation extrapolated;
};

/// nullopt where the chosen form has no time for this work.
std::optional<Prediction> predict(const Fit& fit, const schedules::Workload& work);

/// What is to be predicted.
struct Question {
  std::string operation;  ///< as records spell it
  std::string algorithm;  ///< canonical name; empty: the library's own choice
  std::string setting;    ///< of the campaign that ran it; empty: the only one
};

/// The answer for one number of ranks and bytes.
struct PredictedTime {
  schedules::Workload work;
  std::string form;
  Prediction prediction;
  std::string no_interval;                     ///< why there is none; empty when there is one
  std::vector<int> oversubscribed_ranks = {};  ///< of Curve: measured, but left out
};

/// Further than so many times the most ranks measured nothing is predicted unasked.
inline constexpr int farthest_ranks = 8;
/// Nor by a model that is farther off than this, on average, on ranks it has not seen.
inline constexpr double worst_held_out = 0.5;

/// Why a prediction is none to rely on, and what it takes; nullopt for good ones.
std::optional<Message> objection_to(const PredictedTime& predicted);

/// From the fit of this algorithm, or, where it was never measured, by a replay of its schedule on
/// `network`, if there is one. InputError where neither can tell.
PredictedTime predict(const Fits& fits, const MeasuredNetwork* network, const Question& question,
                      const schedules::Workload& work);

/// One entry of `predictions` in `hockney.prediction/1`.
nlohmann::json to_json(const Question& question, const PredictedTime& predicted);

}  // namespace hockney::collectives
