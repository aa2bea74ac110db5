#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/quantities.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "models/curves.hpp"
#include "models/factor_curve.hpp"

namespace hockney::models {

/// Noise below this is not believed, so that the rounding of a simulator's clock is no breakpoint.
inline constexpr double least_noise_floor = 1e-3;

/// Relative standard deviation of one cell once the launch's own factor is taken out: from
/// (ln t[l,s] - ln t[m,s]) - (ln t[l,s'] - ln t[m,s']) of launches l, m and neighbouring sizes
/// s, s', whose standard deviation is twice that of a cell. What a launch does to all sizes alike,
/// or smoothly from small to large, cancels: it moves the curve and does not roughen it. Robust:
/// 1.4826 times the median magnitude. nullopt without two launches that share two sizes.
std::optional<double> cell_noise(const Curve& curve);

/// Relative scatter of a curve from size to size: each time against the line through its two
/// neighbours, in units of the standard deviation this difference has for unit relative noise
/// (Gasser, Sroka and Jennen-Steinmetz 1986), 1.4826 times the median magnitude. It needs no second
/// launch and sees what every launch repeats, such as slow odd sizes; a breakpoint spoils two
/// triples and hardly moves the median. nullopt for fewer than three sizes.
std::optional<double> size_scatter(std::span<const TimedSize> points);

/// With fewer sizes than this their scatter is no noise: neighbours are so far apart that a bend of
/// the curve between them looks the same.
inline constexpr std::size_t sizes_for_scatter = 10;

/// The relative noise of a curve that is the median of `launches` launches, as a fraction: the
/// largest of the cell noise so averaged, the scatter from size to size, and least_noise_floor. The
/// scatter of fewer than sizes_for_scatter sizes counts only where there is no cell noise.
double noise_floor(std::optional<double> cell, std::size_t launches,
                   std::span<const TimedSize> pooled);

/// Distinct sizes every segment must have when there is more than one: two parameters and at least
/// two residuals to judge them by.
inline constexpr std::size_t sizes_per_segment = 4;

/// A division of the sizes of a curve into runs, each with its own line.
struct Segmentation {
  std::vector<std::size_t> starts;  ///< index of the first size of each segment; starts[0] == 0
  double cost = 0;                  ///< sum of squared relative residuals

  [[nodiscard]] std::size_t segments() const { return starts.size(); }
  /// One past the last size of segment k of a curve with `sizes` sizes.
  [[nodiscard]] std::size_t end(std::size_t k, std::size_t sizes) const {
    return k + 1 < starts.size() ? starts[k + 1] : sizes;
  }
};

/// The best division into 1, 2, ... `most` segments (fewer when the sizes do not suffice): exact
/// dynamic programming over the segment neighbourhood, D[k][e] = min_s D[k-1][s] + cost(s, e)
/// (Bellman 1961; Bai and Perron 2003), O(most n^2). Empty for fewer than two sizes.
std::vector<Segmentation> best_segmentations(const LineCosts& costs, std::size_t most);

/// n ln(max(cost/n, floor^2)) + (3k - 1) ln n: two parameters a segment and one place a breakpoint.
/// No division scores below what the noise `floor` (relative, as a fraction) leaves undecided.
double information_criterion(const Segmentation& segmentation, std::size_t sizes, double floor);

/// The candidate with the lowest criterion, the one with fewer segments when two are equal.
/// `candidates` must not be empty.
const Segmentation& choose_segmentation(const std::vector<Segmentation>& candidates,
                                        std::size_t sizes, double floor);

/// A change of protocol somewhere between two neighbouring sizes of the grid.
struct Breakpoint {
  std::size_t place = 0;  ///< index of the first size after it
  /// Share of the replicates that have a breakpoint within one grid step; nullopt for one launch.
  std::optional<double> recurrence;

  friend bool operator==(const Breakpoint&, const Breakpoint&) = default;
};

/// What stands behind the accepted breakpoints of a fit.
enum class Confirmation { none_needed, bic, launches };

constexpr auto words_of(std::type_identity<Confirmation>) {
  return std::to_array<std::string_view>({"none_needed", "bic", "launches"});
}

struct Segments {
  std::vector<std::size_t> starts;  ///< index of the first size of each segment; starts[0] == 0
  double noise_floor = 0;           ///< relative, as a fraction
  Confirmation confirmed_by = Confirmation::none_needed;
  std::vector<Breakpoint> accepted;
  std::vector<Breakpoint> rejected;  ///< preferred by the criterion, but not recurring
};

/// The least recurrence with which a breakpoint is accepted.
inline constexpr double least_recurrence = 0.8;

/// Finds the segments of a curve of at least two sizes: the information criterion on the pooled
/// curve proposes breakpoints, and those that recur in at least least_recurrence of the replicates
/// stay where they are. A replicate is a random half of the launches, pooled and segmented by
/// itself with its own noise floor; halves come in complementary pairs (Shah and Samworth 2013),
/// because a bootstrap would repeat the noise of the very launches that proposed the breakpoint.
/// The draw is seeded, so equal curves give equal segments. With one launch the criterion alone
/// decides.
Segments find_segments(const Curve& curve, std::size_t most);

/// Lines are off where their error is more than so many times the noise floor.
inline constexpr double most_noise_floors = 3;

/// Fewest sizes a curve needs: with two, a line passes through both and nothing can contradict it.
inline constexpr std::size_t sizes_per_fit = 3;

/// One line and the sizes it was fitted to.
struct Segment {
  Bytes from{};  ///< smallest measured size [B]
  Bytes to{};    ///< largest measured size [B]
  Line line;     ///< fitted to the medians over launches
  /// Intervals of the medians over launches of the refits of single launches; nullopt with fewer
  /// than six of them. [s], [s/B]
  std::optional<Interval> alpha_seconds;
  std::optional<Interval> beta_seconds_per_byte;
};

/// Relative errors |T(n) - t|/t as fractions of 1.
struct FitErrors {
  double mape = 0;              ///< mean over the sizes of the pooled curve
  double maximum = 0;           ///< largest of them
  std::vector<Bytes> off = {};  ///< sizes whose error is more than noise, where `mape` is as well
  /// Mean over sizes, each predicted by its segment's line fitted without it (the criterion of
  /// Extra-P, Calotoiu et al. 2013): what to expect at a size nobody measured.
  std::optional<double> held_out;
  /// Mean over launches and sizes, each launch predicted from all others: what to expect of the
  /// next launch. nullopt for one launch.
  std::optional<double> held_out_launch;
};

/// A change of segment between two measured sizes.
struct FittedBreakpoint {
  Bytes after{};   ///< largest measured size below it [B]
  Bytes before{};  ///< smallest measured size above it [B]
  std::optional<double> recurrence;
  /// Limits of the library that it stands for; empty: unexplained; nullopt: nobody asked the
  /// library (models/fit_set.hpp).
  std::optional<std::vector<std::string>> names;
};

/// A model of one curve. Its domain is from the first segment's `from` to the last one's `to`.
struct Fit {
  Point point;  ///< as in Curve: its bytes mean nothing
  std::string setting;
  std::string mpi_library;
  std::size_t pairs = 0;
  std::size_t launches = 0;
  std::size_t sizes = 0;
  std::size_t missing_cells = 0;  ///< of launches x sizes
  std::vector<Segment> segments;  ///< ascending, at least one
  FitErrors errors;               ///< of the segments' lines
  double noise_floor = 0;         ///< relative noise of the pooled curve, as a fraction
  /// Where the lines are off by more than noise: measured times over theirs. No factors otherwise.
  FactorCurve factors;
  /// Mean over sizes, each predicted from the others by lines and factors; nullopt without factors.
  std::optional<double> curve_held_out;
  Confirmation confirmed_by = Confirmation::none_needed;
  std::vector<FittedBreakpoint> breakpoints;  ///< one fewer than segments
  std::vector<FittedBreakpoint> rejected;     ///< seen in the pooled curve, not in the launches

  /// "hockney" for one segment, "piecewise-hockney" for more.
  [[nodiscard]] std::string model() const;
};

/// A curve that cannot be fitted because it has fewer than sizes_per_fit sizes.
struct FitFailure {
  Point point;
  std::string setting;
  std::size_t launches = 0;
  std::vector<Bytes> sizes;
};

struct FitOptions {
  std::size_t max_segments = 10;
};

std::variant<Fit, FitFailure> fit_curve(const Curve& curve, const FitOptions& options = {});

/// Where a size lies in relation to what was measured.
enum class Region { inside, between_segments, below_domain, above_domain };

struct Prediction {
  double seconds = 0;
  Region region = Region::inside;
  /// Between two segments: the upper one's line [s]. The change lies somewhere between the measured
  /// sizes, so either may hold; `seconds` is the lower one's, which protocols keep up to a limit.
  std::optional<double> upper_seconds;

  /// Whether the model is asked for a size outside what it was fitted to.
  [[nodiscard]] bool extrapolated() const {
    return region == Region::below_domain || region == Region::above_domain;
  }
};

/// The model's time at a size of at least 0 bytes: the line of its segment, times the factors where
/// the fit has them; outside the domain the nearest segment's line and the nearest size's factor.
Prediction predict(const Fit& fit, Bytes size);

/// The same without the factors.
Prediction predict_by_lines(const Fit& fit, Bytes size);

}  // namespace hockney::models
