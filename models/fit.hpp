#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/statistics.hpp"
#include "core/units.hpp"
#include "models/breakpoints.hpp"
#include "models/curves.hpp"
#include "models/hockney.hpp"
#include "models/pooled_curve.hpp"

namespace hockney::models {

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
  double mape = 0;     ///< mean over the sizes of the pooled curve
  double maximum = 0;  ///< largest of them
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
  FitErrors errors;
  double noise_floor = 0;  ///< relative noise of the pooled curve, as a fraction
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

/// The model's time at a size of at least 0 bytes; outside the domain the nearest segment's line.
Prediction predict(const Fit& fit, Bytes size);

}  // namespace hockney::models
