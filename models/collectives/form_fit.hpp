#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/statistics.hpp"
#include "models/collectives/forms.hpp"
#include "models/factor_curve.hpp"

namespace hockney::collectives {

using models::Bend;
using models::Factor;
using models::FactorCurve;

/// One equation: sum of row[j] x[j] should be `value`; residuals count in units of `scale`.
struct Equation {
  std::vector<double> row;
  double value = 0;
  double scale = 1;  ///< > 0
};

struct NonNegativeFit {
  std::vector<double> solution;          ///< all >= 0
  std::vector<std::size_t> inseparable;  ///< columns that are combinations of those before them
  double cost = 0;                       ///< sum of squared residuals in units of the scales
};

/// Non-negative least squares of at most four columns. Solves for every subset of the separable
/// columns. Of equally good subsets it takes the smallest, then the first. nullopt for no equations
/// or no columns.
std::optional<NonNegativeFit> fit_non_negative(const std::vector<Equation>& equations);

/// A time to fit; residuals count in units of the scale, the pooled time, so that relative errors
/// weigh the same everywhere.
struct TimedWork {
  schedules::Workload work;
  double seconds = 0;        ///< [s], > 0
  double scale_seconds = 0;  ///< [s], > 0
};

/// The parameters of a form for a range of sizes.
struct FormSegment {
  Bytes from{};
  Bytes to{};
  std::vector<double> parameters;                  ///< in the units of the form's names, >= 0
  std::vector<std::size_t> inseparable;            ///< parameters that these times cannot separate
  std::vector<std::optional<Interval>> intervals;  ///< over launches; of each parameter
};

/// A work and how far its time is from a model's.
struct WorkError {
  schedules::Workload work;
  double relative = 0;  ///< |T - t|/t as a fraction
};

/// The error on a number of ranks that is larger than all those fitted.
struct StepError {
  double doublings = 0;  ///< log2 of the ranks over the most ranks fitted, > 0
  WorkError error;
  double log_ratio = 0;  ///< ln(t/T)
};

struct FormErrors {
  double mape = 0;
  double maximum = 0;
  std::vector<WorkError> in_sample;  ///< in the order of the times
  /// Each number of ranks predicted from each set of the smaller ones; empty where that is not
  /// possible.
  std::vector<StepError> steps;

  std::optional<double> held_out;           ///< mean over `steps` to the largest number of ranks
  std::optional<WorkError> held_out_worst;  ///< the largest of them
};

struct FormFit {
  Form form;
  std::vector<FormSegment> segments;  ///< ascending, at least one
  FactorCurve factors;                ///< measured times over those of the segments
  FormErrors errors;

  /// "closed"; "closed x curve" with factors over sizes, "closed x curve(p)" over ranks as well.
  [[nodiscard]] std::string name() const;
  /// The model's time [s]; nullopt where the form has none for this work.
  [[nodiscard]] std::optional<double> at(const schedules::Workload& work) const;
  /// The time of the segments alone.
  [[nodiscard]] std::optional<double> unbent_at(const schedules::Workload& work) const;
};

/// Fits a form to the times of one algorithm. Without a bend, the information criterion with this
/// noise floor (a fraction) chooses the number of size segments. With a bend there is one segment.
/// nullopt if the form has no time for one of the works, or there are fewer times than parameters.
std::optional<FormFit> fit_form(const Form& form, const std::vector<TimedWork>& times,
                                double noise_floor, Bend bend = Bend::none);

/// The same form with the same segments and bend fitted to other times: those of one launch.
std::optional<FormFit> refit(const FormFit& fit, const std::vector<TimedWork>& times);

}  // namespace hockney::collectives
