#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/point.hpp"
#include "core/record.hpp"

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
/// same at every size. The scale of a fit is the time itself (weight 1/t^2). The refit of one
/// launch takes the pooled curve's times as scale, because noisy scales favour low times.
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
  /// Sums of w, wn, wn^2, wt, wnt, wt^2 with w = 1/scale^2. Long double, because differences of
  /// prefix sums cancel leading digits.
  struct Sums {
    long double w{}, wn{}, wnn{}, wt{}, wnt{}, wtt{};
  };

  std::vector<Sums> sums_;  ///< sums_[i] of the points before i
};

/// Whether every pair of ranks is a separate curve, or the pairs of one hop class are one curve.
enum class GroupBy { hop, pair };

/// Whether automatic windows, which shrink with the size (default_window), are one curve, or one
/// for each window.
enum class Windows { joined, apart };

/// One point at many sizes, seen by several launches: what a model is fitted to.
struct Curve {
  Point point;               ///< its bytes are undefined; pair is empty if several were pooled; it
                             ///< has no parameter `window` where windows were joined
  std::string setting;       ///< the campaign's setting; empty outside campaigns
  std::string mpi_library;   ///< launches of different libraries never share a curve
  std::size_t pairs = 0;     ///< distinct pairs that were pooled
  std::vector<Bytes> sizes;  ///< ascending, distinct [B]
  /// launches x sizes: median time of one operation [s], > 0; nullopt where a launch has none.
  std::vector<std::vector<std::optional<double>>> medians_seconds;

  /// How many cells of the matrix are empty.
  [[nodiscard]] std::size_t missing_cells() const;
};

/// The curves of some records, and what of the records could not be used.
struct Curves {
  std::vector<Curve> curves;
  std::size_t records_used = 0;
  std::size_t records_left_out = 0;     ///< interrupted or failed launches
  std::size_t series_without_time = 0;  ///< without a launch median (core/samples.hpp)
};

/// Groups the series of complete records by setting, library, operation and point without bytes, in
/// order of first appearance. Each record is a launch and gives at most one row to a curve. A cell
/// is the launch median of the series that fall into it (repetitions, or pairs when grouped by
/// hop). By hop, series without a hop class still keep their pairs apart.
Curves collect_curves(std::span<const Record> records, GroupBy group = GroupBy::hop,
                      Windows windows = Windows::joined);

/// The median over some launches of a curve, size by size.
struct PooledCurve {
  std::vector<TimedSize> points;    ///< scale = the time itself
  std::vector<std::size_t> places;  ///< index of each point in the curve's sizes
};

/// The median over the named rows of the curve's matrix; sizes that none of them has are absent.
PooledCurve pool(const Curve& curve, std::span<const std::size_t> launches);

/// The same after dividing each launch by its factor: the median over sizes of its ratio to the
/// medians (Tukey's median polish; the factors' median is 1). Without it the medians of
/// neighbouring sizes come from different launches, and differences between launches roughen the
/// curve. For finding breakpoints; use `pool` for the times themselves.
PooledCurve pool_levelled(const Curve& curve, std::span<const std::size_t> launches);

/// `pool` of all launches but one, for each launch. Sorts each size once, so the cost grows
/// linearly with the launches. The curve must outlive it.
class PoolWithoutOne {
 public:
  explicit PoolWithoutOne(const Curve& curve);
  [[nodiscard]] PooledCurve pool(std::size_t launch) const;

 private:
  const Curve& curve_;
  std::vector<std::vector<double>> columns_;  ///< of each size, sorted
};

/// 0, 1, ... of the curve's launches.
std::vector<std::size_t> all_launches(const Curve& curve);

/// The points of segment k when the segments of a pooled curve start at `starts`.
std::span<const TimedSize> segment_points(std::span<const TimedSize> points,
                                          const std::vector<std::size_t>& starts, std::size_t k);

/// One line per segment, each fitted to its points alone. Segments have at least two sizes.
std::vector<Line> fit_segments(std::span<const TimedSize> points,
                               const std::vector<std::size_t>& starts);

/// The lines of segment k fitted to single launches, with the pooled curve's times as scale. Skips
/// launches that lack more than half of the segment's sizes, or all but one.
std::vector<Line> launch_lines(const Curve& curve, const PooledCurve& pooled,
                               const std::vector<std::size_t>& starts, std::size_t k);

}  // namespace hockney::models
