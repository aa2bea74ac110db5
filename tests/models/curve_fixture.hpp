#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <variant>
#include <vector>

#include "models/curves.hpp"
#include "models/fit.hpp"

namespace hockney::models {

/// The fit of a curve that can be fitted.
inline Fit fitted(const Curve& curve) { return std::get<Fit>(fit_curve(curve)); }

/// Seconds of n bytes: one segment.
inline double line(double n) { return 1e-6 + 1e-10 * n; }

using Cells = std::vector<std::vector<std::optional<double>>>;

/// A curve of these sizes [B] and rows of launch medians [s].
inline Curve make_curve(const std::vector<std::int64_t>& sizes, const Cells& medians_seconds) {
  Curve curve{.point = {.operation = "pingpong", .ranks = 2, .hop = "l3"}};
  for (const std::int64_t size : sizes) curve.sizes.push_back({size});
  curve.medians_seconds = medians_seconds;
  return curve;
}

/// `launches` equal rows of T(n).
template <class Model>
Curve exact_curve(const std::vector<std::int64_t>& sizes, std::size_t launches, Model model) {
  std::vector<std::optional<double>> row;
  for (const std::int64_t size : sizes) row.push_back(model(static_cast<double>(size)));
  return make_curve(sizes, Cells(launches, row));
}

/// 1, 2, 4 ... 2^(count - 1).
inline std::vector<std::int64_t> powers_of_two(int count) {
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < count; ++i) sizes.push_back(std::int64_t{1} << i);
  return sizes;
}

}  // namespace hockney::models
