#include "models/factor_curve.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace hockney::models {
namespace {

/// Linear between the points, constant outside. `points` must not be empty.
double interpolate(const std::map<double, double>& points, double place) {
  const auto above = points.lower_bound(place);
  if (above == points.end()) return points.rbegin()->second;
  if (above == points.begin()) return above->second;
  const auto below = std::prev(above);
  const double share = (place - below->first) / (above->first - below->first);
  return std::lerp(below->second, above->second, share);
}

/// How far `place` lies outside the points; 0 inside.
double distance(const std::map<double, double>& points, double place) {
  return std::max({points.begin()->first - place, place - points.rbegin()->first, 0.0});
}

double log_of(int ranks) { return std::log2(static_cast<double>(ranks)); }

}  // namespace

FactorCurve::FactorCurve(Bend bend, const std::vector<Factor>& factors) : bend_(bend) {
  std::map<int, std::map<double, std::pair<double, int>>> sums;
  for (const Factor& each : factors) {
    const int ranks = bend == Bend::sizes_and_ranks ? each.ranks : all_ranks;
    auto& [sum, count] = sums[ranks][std::log1p(each.message_bytes)];
    sum += std::log(each.factor);
    ++count;
  }
  for (const auto& [ranks, row] : sums) {
    for (const auto& [place, sum] : row) curves_[ranks][place] = sum.first / sum.second;
  }
}

double FactorCurve::at(int ranks, double message_bytes) const {
  if (bend_ == Bend::none || curves_.empty()) return 1;
  const double place = std::log1p(message_bytes);
  if (bend_ == Bend::sizes) return std::exp(interpolate(curves_.begin()->second, place));
  const double log_ranks = log_of(ranks);
  return std::exp(at_ranks(log_ranks, place) + growth_beyond(log_ranks, place));
}

double FactorCurve::at_ranks(double log_ranks, double place) const {
  std::map<double, double> over_ranks;
  for (const auto& [ranks, curve] : curves_) over_ranks[log_of(ranks)] = interpolate(curve, place);
  return interpolate(over_ranks, log_ranks);
}

double FactorCurve::growth_beyond(double log_ranks, double place) const {
  const double largest = log_of(curves_.rbegin()->first);
  if (log_ranks <= largest) return 0;
  // The slope over ranks, among those that were measured on both sides of this size.
  std::vector<std::pair<double, double>> points;
  for (const auto& [ranks, curve] : curves_) {
    if (distance(curve, place) == 0) points.emplace_back(log_of(ranks), interpolate(curve, place));
  }
  if (points.size() < 2) return 0;
  double mean_rank = 0;
  double mean_factor = 0;
  for (const auto& [rank, factor] : points) {
    mean_rank += rank / static_cast<double>(points.size());
    mean_factor += factor / static_cast<double>(points.size());
  }
  double spread = 0;
  double covariance = 0;
  for (const auto& [rank, factor] : points) {
    spread += (rank - mean_rank) * (rank - mean_rank);
    covariance += (rank - mean_rank) * (factor - mean_factor);
  }
  const double seen = points.back().first - points.front().first;
  return std::max(covariance / spread, 0.0) * std::min(log_ranks - largest, seen);
}

std::vector<Factor> FactorCurve::factors() const {
  std::vector<Factor> all;
  for (const auto& [ranks, curve] : curves_) {
    for (const auto& [place, factor] : curve) {
      constexpr double thousandths = 1000;  // of a byte: removes rounding of the logarithm
      const double bytes = std::round(thousandths * std::expm1(place)) / thousandths;
      all.push_back({ranks, bytes, std::exp(factor)});
    }
  }
  return all;
}

}  // namespace hockney::models
