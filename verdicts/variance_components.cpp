#include "verdicts/variance_components.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace hockney::verdicts {
namespace {

/// How many values, and what they sum up to, by level of a factor.
struct Level {
  double count = 0;
  double sum = 0;
};
using Levels = std::map<int, Level>;

/// The quadratic forms of a design, and what the variances make them expect.
class QuadraticForms {
 public:
  QuadraticForms(std::span<const ValueGroup> groups, std::size_t factors)
      : groups_(groups), factors_(factors) {
    double sum = 0;
    for (const ValueGroup& group : groups) {
      count_ += group.count;
      sum += group.count * group.mean;
    }
    mean_ = sum / count_;
    for (std::size_t i = 0; i < factors; ++i) levels_.push_back(levels_of(i));
  }

  /// Of a factor: the squared sums of its levels, about the mean of all. Past the last one: of all
  /// values.
  [[nodiscard]] double form(std::size_t factor) const {
    double total = 0;
    if (factor < factors_) {
      for (const auto& [level, found] : levels_[factor]) total += found.sum * found.sum;
      return total;
    }
    for (const ValueGroup& group : groups_) {
      total += group.squares + group.count * (group.mean - mean_) * (group.mean - mean_);
    }
    return total;
  }

  /// What one unit of the variance of `b` adds to the form of `a`.
  [[nodiscard]] double expected(std::size_t a, std::size_t b) const {
    if (a == factors_ && b == factors_) return count_ - 1;
    if (a == factors_) std::swap(a, b);
    if (b == factors_) return count_ - squared_counts(a) / count_;
    double both = 0;
    double mixed = 0;
    for (const auto& [levels, count] : shared(a, b)) {
      both += count * count;
      mixed += count * levels_[a].at(levels.first).count * levels_[b].at(levels.second).count;
    }
    return both - 2 * mixed / count_ + squared_counts(a) * squared_counts(b) / (count_ * count_);
  }

 private:
  [[nodiscard]] Levels levels_of(std::size_t factor) const {
    Levels levels;
    for (const ValueGroup& group : groups_) {
      Level& level = levels[group.levels[factor]];
      level.count += group.count;
      level.sum += group.count * (group.mean - mean_);
    }
    return levels;
  }

  [[nodiscard]] double squared_counts(std::size_t factor) const {
    double total = 0;
    for (const auto& [level, found] : levels_[factor]) total += found.count * found.count;
    return total;
  }

  /// How many values two levels have in common.
  [[nodiscard]] std::map<std::pair<int, int>, double> shared(std::size_t a, std::size_t b) const {
    std::map<std::pair<int, int>, double> counts;
    for (const ValueGroup& group : groups_) {
      counts[{group.levels[a], group.levels[b]}] += group.count;
    }
    return counts;
  }

  std::span<const ValueGroup> groups_;
  std::size_t factors_;
  double count_ = 0;
  double mean_ = 0;
  std::vector<Levels> levels_;
};

/// Rows of a linear system, each with its right side last.
using System = std::vector<std::vector<double>>;

/// By elimination (Boost 1.74 has none that compiles as C++20); empty where the rows, brought to
/// the same size, are not independent.
std::vector<double> solve(System rows) {
  constexpr double least_pivot = 1e-9;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double scale = rows[i][i];
    if (scale <= 0) return {};
    for (double& value : rows[i]) value /= scale;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto pivot = std::max_element(
        rows.begin() + static_cast<std::ptrdiff_t>(i), rows.end(),
        [i](const auto& a, const auto& b) { return std::abs(a[i]) < std::abs(b[i]); });
    std::iter_swap(rows.begin() + static_cast<std::ptrdiff_t>(i), pivot);
    if (std::abs(rows[i][i]) < least_pivot) return {};
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double times = k == i ? 0 : rows[k][i] / rows[i][i];
      for (std::size_t j = i; j <= rows.size(); ++j) rows[k][j] -= times * rows[i][j];
    }
  }
  std::vector<double> solution;
  for (std::size_t i = 0; i < rows.size(); ++i) solution.push_back(rows[i].back() / rows[i][i]);
  return solution;
}

}  // namespace

std::vector<double> variance_components(std::span<const ValueGroup> groups, std::size_t factors) {
  if (groups.empty()) return {};
  const QuadraticForms forms(groups, factors);
  System system(factors + 1);
  for (std::size_t i = 0; i <= factors; ++i) {
    for (std::size_t j = 0; j <= factors; ++j) system[i].push_back(forms.expected(i, j));
    system[i].push_back(forms.form(i));
  }
  return solve(std::move(system));
}

}  // namespace hockney::verdicts
