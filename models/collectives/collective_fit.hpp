#pragma once

#include <map>
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
/// and ranks. Keeps the fit that best predicts the largest number of ranks from smaller ones. The
/// error of a fit with factors over ranks counts two thirds, and errors below the noise are equal.
/// Fits are equally good within a twentieth, or a thousandth of the times; the first of them is
/// kept. Specific forms come first, and all forms alone before those with factors. If no fit can
/// predict the largest number of ranks, the error of the fit itself decides. If the network is
/// known, its channels are fitted first, to all curves together. `messages` are the times of
/// ping-pong.
Fits fit_collectives(const std::vector<Curve>& curves, const FormContext& context = {},
                     const MessageTimes& messages = {});

/// Whether a work lies outside those that a model was fitted to.
struct Extrapolation {
  bool in_ranks = false;
  bool in_bytes = false;
  int most_ranks = 0;  ///< measured; 0 if none
};

struct Prediction {
  double seconds = 0;
  /// [s]; nullopt for fewer than six launches. Holds the interval over launches, and the errors of
  /// held-out predictions of an equal step in ranks. If nothing was held out, the errors of the fit
  /// itself.
  std::optional<Interval> interval;
  /// Mean error of held-out predictions of an equal step in ranks, as a fraction.
  std::optional<double> held_out;
  Extrapolation extrapolated;
};

/// Predicts the ranks and bytes of `requested`, with the segment, fan-out and elements that were
/// measured. nullopt if the chosen form has no time for them.
std::optional<Prediction> predict(const Fit& fit, const schedules::Workload& requested);

/// The collective to predict.
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
  std::string no_interval;  ///< reason why there is no interval; empty if there is
  std::vector<int> oversubscribed_ranks = {};  ///< of Curve: measured, but left out
  bool shares_cpus = false;                    ///< of Curve
  /// Mean error of the model on the largest number of ranks, held out; nullopt: none could be.
  std::optional<double> model_held_out = {};
};

/// Predictions beyond this multiple of the most ranks measured need --force.
inline constexpr int farthest_ranks = 8;
/// So do those whose mean held-out error, or that of the model, is larger.
inline constexpr double worst_held_out = 0.5;

/// Reason why a prediction is unreliable, and the remedy; nullopt for reliable ones.
std::optional<Message> objection_to(const PredictedTime& predicted);

/// Predicts from the fit of this algorithm. If the algorithm was never measured, replays its
/// schedule on `network`. InputError if neither is possible.
PredictedTime predict(const Fits& fits, const MeasuredNetwork* network, const Question& question,
                      const schedules::Workload& work);

}  // namespace hockney::collectives
