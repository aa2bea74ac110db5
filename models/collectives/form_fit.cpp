#include "models/collectives/form_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

namespace hockney::collectives {
namespace {

/// Equations of one message size.
struct SizeEquations {
  std::int64_t bytes = 0;
  std::vector<Equation> equations;
};

/// All equations of the sizes first <= i < last.
std::vector<Equation> equations_between(const std::vector<SizeEquations>& sizes, std::size_t first,
                                        std::size_t last);

constexpr std::size_t fewest_sizes = 3;
constexpr std::size_t most_segments = 4;
constexpr double impossible = std::numeric_limits<double>::infinity();

/// Least cost of the sizes before `end` in some number of segments, and where the last one begins.
struct Best {
  double cost = impossible;
  std::size_t begin = 0;
};

double cost_between(const std::vector<SizeEquations>& sizes, std::size_t first, std::size_t last) {
  const auto equations = equations_between(sizes, first, last);
  const bool enough = !equations.empty() && equations.size() > equations.front().row.size();
  if (!enough) return impossible;
  const auto fit = fit_non_negative(equations);
  if (!fit) return impossible;
  return fit->cost;
}

/// table[k][end] with k+1 segments.
std::vector<std::vector<Best>> divide(const std::vector<SizeEquations>& sizes,
                                      std::size_t segments) {
  const std::size_t count = sizes.size();
  std::vector<std::vector<Best>> table(segments, std::vector<Best>(count + 1));
  std::vector<std::vector<double>> costs(count + 1, std::vector<double>(count + 1, impossible));
  for (std::size_t first = 0; first < count; ++first) {
    for (std::size_t last = first + fewest_sizes; last <= count; ++last) {
      costs[first][last] = cost_between(sizes, first, last);
    }
  }
  for (std::size_t last = 1; last <= count; ++last) table[0][last] = {costs[0][last], 0};
  for (std::size_t k = 1; k < segments; ++k) {
    for (std::size_t last = 1; last <= count; ++last) {
      for (std::size_t first = 1; first < last; ++first) {
        const double cost = table[k - 1][first].cost + costs[first][last];
        if (cost < table[k][last].cost) table[k][last] = {cost, first};
      }
    }
  }
  return table;
}

std::vector<Equation> equations_between(const std::vector<SizeEquations>& sizes, std::size_t first,
                                        std::size_t last) {
  std::vector<Equation> all;
  for (std::size_t i = first; i < last; ++i) {
    all.insert(all.end(), sizes[i].equations.begin(), sizes[i].equations.end());
  }
  return all;
}

/// The first size of each segment, by exact dynamic programming. `sizes` ascend; a segment has at
/// least three, and there are at most four segments. The Bayesian information criterion chooses
/// their number; relative residuals below the noise floor count as the noise floor.
std::vector<std::size_t> size_segments(const std::vector<SizeEquations>& sizes,
                                       double noise_floor) {
  const std::size_t most = std::min(most_segments, sizes.size() / fewest_sizes);
  if (most < 2) return {0};
  const auto table = divide(sizes, most);
  const auto all = static_cast<double>(equations_between(sizes, 0, sizes.size()).size());
  const auto columns = static_cast<double>(sizes.front().equations.front().row.size());
  std::size_t best = 0;
  double least = impossible;
  for (std::size_t k = 0; k < most; ++k) {
    const double residual = std::max(table[k].back().cost / all, noise_floor * noise_floor);
    const auto segments = static_cast<double>(k + 1);
    const double criterion =
        all * std::log(residual) + ((columns + 1) * segments - 1) * std::log(all);
    if (criterion < least) best = k;
    least = std::min(least, criterion);
  }
  std::vector<std::size_t> starts;
  for (std::size_t end = sizes.size(), k = best + 1; k > 0; --k) {
    end = table[k - 1][end].begin;
    starts.insert(starts.begin(), end);
  }
  return starts;
}

using Number = long double;
using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Number, Eigen::Dynamic, 1>;

constexpr Number singular = 1e-12L;  // a pivot this small, where columns have length 1

/// Equations in units of their scales, columns in units of their lengths.
struct Normalised {
  Matrix rows;
  Vector values;
  Vector lengths;  ///< 0 for a column of zeros
  Matrix gram;     ///< of the normal equations
  Vector right;    ///< their right side
};

Normalised normalise(const std::vector<Equation>& equations) {
  const auto rows = static_cast<Eigen::Index>(equations.size());
  const auto columns = static_cast<Eigen::Index>(equations.front().row.size());
  Normalised result{.rows = Matrix(rows, columns), .values = Vector(rows)};
  for (Eigen::Index r = 0; r < rows; ++r) {
    const Equation& equation = equations[static_cast<std::size_t>(r)];
    const Eigen::Map<const Eigen::RowVectorXd> row(equation.row.data(), columns);
    result.rows.row(r) = row.cast<Number>() / equation.scale;
    result.values(r) = Number{equation.value} / equation.scale;
  }
  result.lengths = result.rows.colwise().norm();
  for (Eigen::Index j = 0; j < columns; ++j) {
    if (result.lengths(j) > 0) result.rows.col(j) /= result.lengths(j);
  }
  result.gram = result.rows.transpose() * result.rows;
  result.right = result.rows.transpose() * result.values;
  return result;
}

using ColumnIndices = std::vector<Eigen::Index>;

/// Least squares of some columns.
struct Solution {
  Vector values;
  Number cost = 0;  ///< sum of squared residuals
};

/// `columns` are not empty; nullopt if one is a combination of the others.
std::optional<Solution> solve(const Normalised& problem, const ColumnIndices& columns) {
  const Eigen::LDLT<Matrix> normal(problem.gram(columns, columns));
  if (normal.vectorD().minCoeff() < singular) return std::nullopt;
  Solution solution{.values = normal.solve(problem.right(columns))};
  Vector residuals = problem.values;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    residuals -= solution.values(static_cast<Eigen::Index>(i)) * problem.rows.col(columns[i]);
  }
  solution.cost = residuals.squaredNorm();
  return solution;
}

ColumnIndices columns_of(unsigned subset) {
  ColumnIndices columns;
  for (Eigen::Index j = 0; subset >> j != 0; ++j) {
    if ((subset >> j & 1U) != 0) columns.push_back(j);
  }
  return columns;
}

std::vector<unsigned> smallest_first(std::size_t columns) {
  std::vector<unsigned> subsets;
  for (unsigned subset = 0; subset < 1U << columns; ++subset) subsets.push_back(subset);
  std::ranges::stable_sort(subsets, {}, [](unsigned subset) { return std::popcount(subset); });
  return subsets;
}

std::vector<std::size_t> dependent_columns(const Normalised& problem) {
  std::vector<std::size_t> dependent;
  ColumnIndices independent;
  for (Eigen::Index j = 0; j < problem.lengths.size(); ++j) {
    independent.push_back(j);
    if (problem.lengths(j) > 0 && solve(problem, independent)) continue;
    independent.pop_back();
    dependent.push_back(static_cast<std::size_t>(j));
  }
  return dependent;
}

Equation equation_of(const Form& form, const TimedWork& time) {
  return {form.row(time.work), time.seconds, time.scale_seconds};
}

bool is_known(const std::vector<double>& row) {
  return std::ranges::any_of(row, [](double entry) { return entry != 0; });
}

/// nullopt where the form has no time for one of the works.
std::optional<std::vector<SizeEquations>> by_size(const Form& form,
                                                  const std::vector<TimedWork>& times) {
  std::map<std::int64_t, std::vector<Equation>> sizes;
  for (const TimedWork& time : times) {
    Equation equation = equation_of(form, time);
    if (!is_known(equation.row)) return std::nullopt;
    sizes[time.work.bytes.value].push_back(std::move(equation));
  }
  std::vector<SizeEquations> result;
  result.reserve(sizes.size());
  for (auto& [bytes, equations] : sizes) result.push_back({bytes, std::move(equations)});
  return result;
}

const FormSegment& segment_of(const std::vector<FormSegment>& segments, Bytes bytes) {
  const auto found = std::ranges::lower_bound(segments, bytes, {}, &FormSegment::to);
  return found == segments.end() ? segments.back() : *found;
}

double time_of(const std::vector<double>& row, const std::vector<double>& parameters) {
  double seconds = 0;
  for (std::size_t j = 0; j < row.size(); ++j) seconds += row[j] * parameters[j];
  return seconds;
}

/// Fits the parameters of each segment to its times; nullopt if a segment has none.
std::optional<std::vector<FormSegment>> fit_segments(const Form& form,
                                                     std::vector<FormSegment> segments,
                                                     const std::vector<TimedWork>& times) {
  for (FormSegment& segment : segments) {
    std::vector<Equation> equations;
    for (const TimedWork& time : times) {
      const bool inside = time.work.bytes >= segment.from && time.work.bytes <= segment.to;
      if (inside) equations.push_back(equation_of(form, time));
    }
    const auto fit = fit_non_negative(equations);
    if (!fit) return std::nullopt;
    segment.parameters = fit->solution;
    segment.inseparable = fit->inseparable;
    segment.intervals.assign(fit->solution.size(), std::nullopt);
  }
  return segments;
}

std::vector<WorkError> errors_of(const FormFit& fit, const std::vector<TimedWork>& times) {
  std::vector<WorkError> errors;
  for (const TimedWork& time : times) {
    const double seconds = fit.at(time.work).value_or(0);
    errors.push_back({time.work, std::abs(seconds - time.seconds) / time.seconds});
  }
  return errors;
}

double mean_of(const std::vector<WorkError>& errors) {
  double sum = 0;
  for (const WorkError& error : errors) sum += error.relative;
  return sum / static_cast<double>(errors.size());
}

std::size_t inseparable_parameters(const FormFit& fit) {
  std::size_t count = 0;
  for (const FormSegment& segment : fit.segments) count += segment.inseparable.size();
  return count;
}

/// Errors of a fit to up to `most` ranks at each larger number of ranks; nullopt if it has no time
/// there.
std::optional<std::vector<StepError>> errors_above(const FormFit& fit, int most,
                                                   const std::vector<TimedWork>& times) {
  std::vector<StepError> steps;
  for (const TimedWork& time : times) {
    if (time.work.ranks <= most) continue;
    const double seconds = fit.at(time.work).value_or(0);
    if (seconds <= 0) return std::nullopt;
    steps.push_back({std::log2(static_cast<double>(time.work.ranks) / most),
                     {time.work, std::abs(seconds - time.seconds) / time.seconds},
                     std::log(time.seconds / seconds)});
  }
  return steps;
}

/// Predicts every number of ranks from each set of the smaller ones, with the same segments. Skips
/// sets that leave more parameters inseparable than all ranks together do. Empty if a set has no
/// fit, or its fit no time.
std::vector<StepError> hold_out(const FormFit& fit, const std::vector<TimedWork>& times) {
  std::set<int> distinct;
  for (const TimedWork& time : times) distinct.insert(time.work.ranks);
  const std::vector<int> ranks(distinct.begin(), distinct.end());
  std::vector<StepError> steps;
  for (std::size_t fitted = 1; fitted < ranks.size(); ++fitted) {
    const int most = ranks[fitted - 1];
    std::vector<TimedWork> train = times;
    std::erase_if(train, [&](const TimedWork& time) { return time.work.ranks > most; });
    const auto found = refit(fit, train);
    if (!found) return {};
    if (inseparable_parameters(*found) > inseparable_parameters(fit)) continue;
    const auto errors = errors_above(*found, most, times);
    if (!errors) return {};
    steps.insert(steps.end(), errors->begin(), errors->end());
  }
  return steps;
}

double message_bytes(const Form& form, const schedules::Workload& work) {
  return form.message_bytes ? form.message_bytes(work) : static_cast<double>(work.bytes.value);
}

/// nullopt where the fit without factors has no time.
std::optional<FactorCurve> measure_factors(const FormFit& fit, Bend bend,
                                           const std::vector<TimedWork>& times) {
  if (bend == Bend::none) return FactorCurve();
  std::vector<Factor> factors;
  for (const TimedWork& time : times) {
    const double seconds = fit.unbent_at(time.work).value_or(0);
    if (seconds <= 0) return std::nullopt;
    factors.push_back(
        {time.work.ranks, message_bytes(fit.form, time.work), time.seconds / seconds});
  }
  return FactorCurve(bend, factors);
}

std::optional<FormFit> fit_divided(const Form& form, const std::vector<FormSegment>& divided,
                                   Bend bend, const std::vector<TimedWork>& times) {
  auto segments = fit_segments(form, divided, times);
  if (!segments) return std::nullopt;
  FormFit fit{form, std::move(*segments), {}, {}};
  auto factors = measure_factors(fit, bend, times);
  if (!factors) return std::nullopt;
  fit.factors = std::move(*factors);
  return fit;
}

}  // namespace

std::optional<NonNegativeFit> fit_non_negative(const std::vector<Equation>& equations) {
  if (equations.empty() || equations.front().row.empty()) return std::nullopt;
  constexpr Number better = 1 - 1e-9L;
  const Normalised problem = normalise(equations);
  const std::size_t count = equations.front().row.size();
  NonNegativeFit best{.solution = std::vector<double>(count, 0),
                      .inseparable = dependent_columns(problem),
                      .cost = 0};
  Number least = problem.values.squaredNorm();
  for (const unsigned subset : smallest_first(count)) {
    const ColumnIndices columns = columns_of(subset);
    // An inseparable column repeats those before it.
    const bool is_apart = std::ranges::none_of(columns, [&](Eigen::Index column) {
      return std::ranges::count(best.inseparable, static_cast<std::size_t>(column)) > 0;
    });
    if (!is_apart || columns.empty()) continue;
    const auto solution = solve(problem, columns);
    if (!solution || solution->values.minCoeff() < 0) continue;
    if (solution->cost >= least * better) continue;
    least = solution->cost;
    std::ranges::fill(best.solution, 0);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      best.solution[static_cast<std::size_t>(columns[i])] = static_cast<double>(
          solution->values(static_cast<Eigen::Index>(i)) / problem.lengths(columns[i]));
    }
  }
  best.cost = static_cast<double>(least);
  return best;
}

std::string FormFit::name() const {
  switch (factors.bend()) {
    case Bend::none:
      return form.name;
    case Bend::sizes:
      return form.name + " x curve";
    case Bend::sizes_and_ranks:
      return form.name + " x curve(p)";
  }
  return {};
}

std::optional<double> FormFit::unbent_at(const schedules::Workload& work) const {
  const auto row = form.row(work);
  if (!is_known(row)) return std::nullopt;
  return time_of(row, segment_of(segments, work.bytes).parameters);
}

std::optional<double> FormFit::at(const schedules::Workload& work) const {
  const auto seconds = unbent_at(work);
  if (!seconds) return std::nullopt;
  return *seconds * factors.at(work.ranks, message_bytes(form, work));
}

std::optional<FormFit> refit(const FormFit& fit, const std::vector<TimedWork>& times) {
  return fit_divided(fit.form, fit.segments, fit.factors.bend(), times);
}

std::optional<FormFit> fit_form(const Form& form, const std::vector<TimedWork>& times,
                                double noise_floor, Bend bend) {
  const auto sizes = by_size(form, times);
  if (!sizes || times.size() < form.parameters.size()) return std::nullopt;
  const auto starts =
      bend == Bend::none ? size_segments(*sizes, noise_floor) : std::vector<std::size_t>{0};
  std::vector<FormSegment> segments;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : sizes->size();
    segments.push_back(
        {.from = Bytes{(*sizes)[starts[k]].bytes}, .to = Bytes{(*sizes)[end - 1].bytes}});
  }
  auto fit = fit_divided(form, segments, bend, times);
  if (!fit) return std::nullopt;
  FormErrors& errors = fit->errors;
  errors.in_sample = errors_of(*fit, times);
  errors.mape = mean_of(errors.in_sample);
  errors.maximum = std::ranges::max_element(errors.in_sample, {}, &WorkError::relative)->relative;
  errors.steps = hold_out(*fit, times);
  if (errors.steps.empty()) return fit;
  // The last step ends at the largest number of ranks.
  std::vector<WorkError> of_largest;
  for (const StepError& step : errors.steps) {
    const bool is_largest = step.error.work.ranks == errors.steps.back().error.work.ranks;
    if (is_largest) of_largest.push_back(step.error);
  }
  errors.held_out = mean_of(of_largest);
  errors.held_out_worst = *std::ranges::max_element(of_largest, {}, &WorkError::relative);
  return fit;
}

}  // namespace hockney::collectives
