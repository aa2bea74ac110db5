#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "models/collectives/collective_fit.hpp"
#include "models/collectives/measured_network.hpp"

namespace hockney::collectives {

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
