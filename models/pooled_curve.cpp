#include "models/pooled_curve.hpp"

#include <numeric>
#include <optional>

#include "core/statistics.hpp"

namespace hockney {
namespace {

using Cells = std::vector<std::vector<std::optional<double>>>;

/// The median over rows of column `place`, each row divided by its factor.
std::optional<double> column_median(const Cells& rows, const std::vector<double>& factors,
                                    std::size_t place) {
  std::vector<double> times;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::optional<double>& cell = rows[row][place];
    if (cell) times.push_back(*cell / factors[row]);
  }
  return median(times);
}

std::vector<std::optional<double>> column_medians(const Cells& rows,
                                                  const std::vector<double>& factors,
                                                  std::size_t columns) {
  std::vector<std::optional<double>> medians;
  for (std::size_t place = 0; place < columns; ++place) {
    medians.push_back(column_median(rows, factors, place));
  }
  return medians;
}

/// By how much each row stands above the medians, at its median size; scaled to median 1.
std::vector<double> row_factors(const Cells& rows,
                                const std::vector<std::optional<double>>& medians) {
  std::vector<double> factors;
  for (const auto& row : rows) {
    std::vector<double> ratios;
    for (std::size_t place = 0; place < row.size(); ++place) {
      const std::optional<double>& cell = row[place];
      const std::optional<double>& usual = medians[place];
      if (cell && usual) ratios.push_back(*cell / *usual);
    }
    factors.push_back(median(ratios).value_or(1));
  }
  const double centre = median(factors).value_or(1);
  for (double& factor : factors) factor /= centre;
  return factors;
}

PooledCurve assemble(const Curve& curve, const std::vector<std::optional<double>>& medians) {
  PooledCurve pooled;
  for (std::size_t place = 0; place < curve.sizes.size(); ++place) {
    const std::optional<double>& time = medians[place];
    if (!time) continue;
    pooled.points.push_back({static_cast<double>(curve.sizes[place].value), *time, *time});
    pooled.places.push_back(place);
  }
  return pooled;
}

Cells rows_of(const Curve& curve, std::span<const std::size_t> launches) {
  Cells rows;
  for (const std::size_t launch : launches) rows.push_back(curve.medians_seconds[launch]);
  return rows;
}

/// Median polish converges in a few passes; the second one changes little already.
constexpr int polishing_passes = 2;

}  // namespace

PooledCurve pool(const Curve& curve, std::span<const std::size_t> launches) {
  const std::vector<double> unlevelled(launches.size(), 1.0);
  return assemble(curve, column_medians(rows_of(curve, launches), unlevelled, curve.sizes.size()));
}

PooledCurve pool_levelled(const Curve& curve, std::span<const std::size_t> launches) {
  const Cells rows = rows_of(curve, launches);
  std::vector<double> factors(rows.size(), 1.0);
  for (int pass = 0; pass < polishing_passes; ++pass) {
    factors = row_factors(rows, column_medians(rows, factors, curve.sizes.size()));
  }
  return assemble(curve, column_medians(rows, factors, curve.sizes.size()));
}

std::vector<std::size_t> all_launches(const Curve& curve) {
  std::vector<std::size_t> launches(curve.medians_seconds.size());
  std::iota(launches.begin(), launches.end(), std::size_t{0});
  return launches;
}

}  // namespace hockney
