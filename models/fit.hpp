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

/// Least noise assumed, so that the rounding of a simulator's clock makes no breakpoint.
inline constexpr double least_noise_floor = 1e-3;

/// Relative standard deviation of one cell without the launch's own factor. Computed from (ln
/// t[l,s] - ln t[m,s]) - (ln t[l,s'] - ln t[m,s']) of launches l, m and neighbouring sizes s, s';
/// its standard deviation is twice that of a cell. Effects of a launch on all sizes alike, or
/// smooth over the sizes, cancel: they move the curve without roughening it. Robust: 1.4826 times
/// the median magnitude. nullopt without two launches that share two sizes.
std::optional<double> cell_noise(const Curve& curve);

/// Relative scatter of a curve from size to size (Gasser, Sroka and Jennen-Steinmetz 1986).
/// Compares each time with the line through its two neighbours, over the standard deviation of this
/// difference for unit relative noise. Returns 1.4826 times the median magnitude. It needs no
/// second launch, and includes effects that every launch repeats, such as slow odd sizes. A
/// breakpoint spoils two triples and hardly moves the median. nullopt for fewer than three sizes.
std::optional<double> size_scatter(std::span<const TimedSize> points);

/// Fewest sizes whose scatter counts as noise. Fewer sizes lie so far apart that a bend of the
/// curve looks like scatter.
inline constexpr std::size_t sizes_for_scatter = 10;

/// The relative noise of the median over `launches` launches, as a fraction. The largest of the
/// cell noise of that median, the scatter from size to size, and least_noise_floor. The scatter of
/// fewer than sizes_for_scatter sizes counts only where there is no cell noise.
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

/// The best division into 1, 2, ... `most` segments, or fewer if the sizes do not suffice. Exact
/// dynamic programming: D[k][e] = min_s D[k-1][s] + cost(s, e) (Bellman 1961; Bai and Perron 2003),
/// O(most n^2). Empty for fewer than two sizes.
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

/// Evidence for the accepted breakpoints of a fit.
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

/// Finds the segments of a curve of at least two sizes. The information criterion on the pooled
/// curve proposes breakpoints. Those that recur in at least least_recurrence of the replicates are
/// accepted. A replicate is a random half of the launches, pooled and segmented with its own noise
/// floor. Halves come in complementary pairs (Shah and Samworth 2013), because a bootstrap would
/// repeat the noise of the launches that proposed the breakpoint. The draw is seeded, so equal
/// curves give equal segments. With one launch the criterion alone decides.
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
  /// Intervals of the median of the fits to single launches [s], [s/B]; nullopt for fewer than six
  /// launches.
  std::optional<Interval> alpha_seconds;
  std::optional<Interval> beta_seconds_per_byte;
};

/// Relative errors |T(n) - t|/t as fractions of 1.
struct FitErrors {
  double mape = 0;              ///< mean over the sizes of the pooled curve
  double maximum = 0;           ///< largest of them
  std::vector<Bytes> off = {};  ///< sizes off by more than noise; empty if `mape` is not
  /// Mean over sizes, each predicted by its segment's line fitted without it (the criterion of
  /// Extra-P, Calotoiu et al. 2013): the error to expect at sizes between.
  std::optional<double> held_out;
  /// Mean over launches and sizes, each launch predicted from all others: the error to expect of
  /// the next launch. nullopt for one launch.
  std::optional<double> held_out_launch;
};

/// A change of segment between two measured sizes.
struct FittedBreakpoint {
  Bytes after{};   ///< largest measured size below it [B]
  Bytes before{};  ///< smallest measured size above it [B]
  std::optional<double> recurrence;
  /// Limits of the library at this place (models/fit_set.hpp). Empty: unexplained; nullopt: the
  /// limits were not measured.
  std::optional<std::vector<std::string>> names;
};

/// A model of one curve. Its domain is from the first segment's `from` to the last one's `to`.
struct Fit {
  Point point;  ///< as in Curve: its bytes are undefined
  std::string setting;
  std::string mpi_library;
  std::size_t pairs = 0;
  std::size_t launches = 0;
  std::size_t sizes = 0;
  std::size_t missing_cells = 0;  ///< of launches x sizes
  std::vector<Segment> segments;  ///< ascending, at least one
  FitErrors errors;               ///< of the segments' lines
  double noise_floor = 0;         ///< relative noise of the pooled curve, as a fraction
  /// Measured times over those of the lines, if the lines are off by more than noise.
  FactorCurve factors;
  /// Mean over sizes, each predicted from the others by lines and factors; nullopt without factors.
  std::optional<double> curve_held_out;
  Confirmation confirmed_by = Confirmation::none_needed;
  std::vector<FittedBreakpoint> breakpoints;  ///< one fewer than segments
  std::vector<FittedBreakpoint> rejected;     ///< seen in the pooled curve, not in the launches

  /// "hockney" for one segment, "piecewise-hockney" for more.
  [[nodiscard]] std::string model() const;
};

/// 1/beta of the last segment [B/s], the one bandwidth of a curve; nullopt if the time grows less
/// over it than the model errs.
std::optional<double> asymptotic_bandwidth(const Fit& fit);

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

/// Position of a size relative to the measured sizes.
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

/// The model's time at a size of at least 0 bytes: the line of its segment times its factor.
/// Outside the domain, the line of the nearest segment times the factor of the nearest size.
Prediction predict(const Fit& fit, Bytes size);

/// The same without the factors.
Prediction predict_by_lines(const Fit& fit, Bytes size);

}  // namespace hockney::models
