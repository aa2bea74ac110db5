#include "models/collectives/nnls.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hockney::collectives {
namespace {

using Number = long double;
using Matrix = std::vector<std::vector<Number>>;

constexpr Number singular = 1e-12L;  // a pivot this small, where columns have length 1

/// Equations in units of their scales, columns in units of their lengths.
struct Normalised {
  Matrix rows;
  std::vector<Number> values;
  std::vector<Number> lengths;  ///< 0 for a column of zeros
};

Normalised normalise(const std::vector<Equation>& equations) {
  Normalised result;
  result.lengths.assign(equations.front().row.size(), 0);
  for (const Equation& equation : equations) {
    auto& row = result.rows.emplace_back();
    for (const double entry : equation.row) row.push_back(Number{entry} / equation.scale);
    result.values.push_back(Number{equation.value} / equation.scale);
    for (std::size_t j = 0; j < row.size(); ++j) result.lengths[j] += row[j] * row[j];
  }
  for (Number& length : result.lengths) length = std::sqrt(length);
  for (auto& row : result.rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (result.lengths[j] > 0) row[j] /= result.lengths[j];
    }
  }
  return result;
}

/// Normal equations of some columns, with the right side as their last column.
Matrix normal_equations(const Normalised& problem, const std::vector<std::size_t>& columns) {
  Matrix normal(columns.size(), std::vector<Number>(columns.size() + 1, 0));
  for (std::size_t r = 0; r < problem.rows.size(); ++r) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Number left = problem.rows[r][columns[i]];
      for (std::size_t j = 0; j < columns.size(); ++j) {
        normal[i][j] += left * problem.rows[r][columns[j]];
      }
      normal[i].back() += left * problem.values[r];
    }
  }
  return normal;
}

/// Gauss and Jordan without pivoting, which positive definite equations do not need.
std::optional<std::vector<Number>> solve(Matrix normal) {
  for (std::size_t i = 0; i < normal.size(); ++i) {
    if (normal[i][i] < singular) return std::nullopt;
    for (std::size_t k = 0; k < normal.size(); ++k) {
      if (k == i) continue;
      const Number factor = normal[k][i] / normal[i][i];
      for (std::size_t j = i; j <= normal.size(); ++j) normal[k][j] -= factor * normal[i][j];
    }
  }
  std::vector<Number> solution;
  for (std::size_t i = 0; i < normal.size(); ++i) {
    solution.push_back(normal[i].back() / normal[i][i]);
  }
  return solution;
}

std::vector<std::size_t> columns_of(unsigned subset) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; subset >> j != 0; ++j) {
    if ((subset >> j & 1U) != 0) columns.push_back(j);
  }
  return columns;
}

Number cost_of(const Normalised& problem, const std::vector<std::size_t>& columns,
               const std::vector<Number>& solution) {
  Number cost = 0;
  for (std::size_t r = 0; r < problem.rows.size(); ++r) {
    Number residual = problem.values[r];
    for (std::size_t i = 0; i < columns.size(); ++i) {
      residual -= problem.rows[r][columns[i]] * solution[i];
    }
    cost += residual * residual;
  }
  return cost;
}

std::vector<unsigned> smallest_first(std::size_t columns) {
  std::vector<unsigned> subsets;
  for (unsigned subset = 0; subset < 1U << columns; ++subset) subsets.push_back(subset);
  std::ranges::stable_sort(subsets, {}, [](unsigned subset) { return std::popcount(subset); });
  return subsets;
}

std::vector<std::size_t> dependent_columns(const Normalised& problem) {
  std::vector<std::size_t> dependent;
  std::vector<std::size_t> independent;
  for (std::size_t j = 0; j < problem.lengths.size(); ++j) {
    independent.push_back(j);
    if (problem.lengths[j] > 0 && solve(normal_equations(problem, independent))) continue;
    independent.pop_back();
    dependent.push_back(j);
  }
  return dependent;
}

}  // namespace

std::optional<NonNegativeFit> fit_non_negative(const std::vector<Equation>& equations) {
  if (equations.empty() || equations.front().row.empty()) return std::nullopt;
  constexpr Number better = 1 - 1e-9L;
  const Normalised problem = normalise(equations);
  const std::size_t count = problem.lengths.size();
  NonNegativeFit best{.solution = std::vector<double>(count, 0),
                      .inseparable = dependent_columns(problem),
                      .cost = 0};
  Number least = cost_of(problem, {}, {});
  for (const unsigned subset : smallest_first(count)) {
    const auto columns = columns_of(subset);
    // Its part is that of the columns before it.
    const bool is_apart = std::ranges::none_of(columns, [&](std::size_t column) {
      return std::ranges::count(best.inseparable, column) > 0;
    });
    if (!is_apart) continue;
    const auto solution = solve(normal_equations(problem, columns));
    if (!solution || std::ranges::any_of(*solution, [](Number x) { return x < 0; })) continue;
    const Number cost = cost_of(problem, columns, *solution);
    if (cost >= least * better) continue;
    least = cost;
    std::ranges::fill(best.solution, 0);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      best.solution[columns[i]] = static_cast<double>((*solution)[i] / problem.lengths[columns[i]]);
    }
  }
  best.cost = static_cast<double>(least);
  return best;
}

}  // namespace hockney::collectives
