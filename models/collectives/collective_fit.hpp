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
  Curve curve;                        ///< what it was fitted to
  FormFit model;                      ///< with the least held-out error
  std::vector<FormFit> launches;      ///< the same form fitted to single launches
  std::vector<TriedForm> candidates;  ///< in the order in which they were tried
  double noise_floor = 0;             ///< relative, as a fraction
};

/// A curve that no form could be fitted to.
struct Failure {
  Curve curve;
  std::string reason;
};

struct Fits {
  std::vector<Fit> fits;
  std::vector<Failure> failures;
  std::map<std::string, GammaTable> gammas;  ///< by MPI library
  std::vector<Channel> channels;             ///< of the network, where it is known
};

/// Fits every form to every curve and keeps the one that predicts numbers of ranks it has not seen
/// best; a more specific one is kept where it is as good within a twentieth, or a thousandth of the
/// times. With fewer than three numbers of ranks the error of the fit itself decides. Where the
/// network is known, its channels are fitted first, to all curves together.
Fits fit_collectives(const std::vector<Curve>& curves, const FormContext& context = {});

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
  /// [s]; nullopt for fewer than six launches. Over launches, and wider by the largest relative
  /// error on numbers of ranks that were held out (of the fit itself where none could be).
  std::optional<Interval> interval;
  std::optional<double> held_out;  ///< mean error on numbers of ranks not seen, as a fraction
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
  std::string no_interval;  ///< why there is none; empty when there is one
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
