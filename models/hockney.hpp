#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hockney::models {

/// T(n) = alpha + beta n (Hockney 1994), both >= 0.
struct Line {
  double alpha_seconds = 0;          ///< startup time [s]
  double beta_seconds_per_byte = 0;  ///< time per byte [s/B]

  /// T(bytes) [s].
  [[nodiscard]] double at(double bytes) const {
    return alpha_seconds + beta_seconds_per_byte * bytes;
  }

  friend bool operator==(const Line&, const Line&) = default;
};

/// A time to fit. Residuals count in units of `scale_seconds`, so that a relative error weighs the
/// same at every size. The scale of a curve's own fit is its own time (weight 1/t^2); the refit of
/// one launch takes the pooled curve's, because a scale as noisy as the time favours the low ones.
struct TimedSize {
  double bytes = 0;          ///< message size [B]
  double seconds = 0;        ///< observed time [s], > 0
  double scale_seconds = 0;  ///< [s], > 0
};

/// The non-negative line with the least sum of ((T(n) - t)/scale)^2: closed-form NNLS of two
/// variables. nullopt for fewer than two distinct sizes.
std::optional<Line> fit_line(std::span<const TimedSize> points);

/// Costs of fit_line for all ranges of a curve, O(1) each from prefix sums.
class LineCosts {
 public:
  explicit LineCosts(std::span<const TimedSize> points);

  /// Least sum of squared relative residuals of the points first <= i < last, last - first >= 2.
  [[nodiscard]] long double cost(std::size_t first, std::size_t last) const;

  [[nodiscard]] std::size_t size() const { return sums_.size() - 1; }

 private:
  /// Sums of w, wn, wn^2, wt, wnt, wt^2 with w = 1/scale^2; long double, because differences of
  /// prefixes lose what large early sums leave no room for.
  struct Sums {
    long double w{}, wn{}, wnn{}, wt{}, wnt{}, wtt{};
  };

  std::vector<Sums> sums_;  ///< sums_[i] of the points before i
};

}  // namespace hockney::models
