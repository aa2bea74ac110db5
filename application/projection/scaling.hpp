#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/statistics.hpp"

namespace hockney::projection {

/// The time of a program at one number of ranks, in one block of launches at all of them.
struct ScalingTime {
  int block = 0;
  int ranks = 1;
  double seconds = 0;
};

/// Whether the problem is the same at every number of ranks (strong scaling), or grows as the ranks
/// do (weak scaling).
enum class Problem { same, grows };

/// T(p) = constant + divided / p + doubled log2(p), none of them negative [s]: what every rank
/// does, what ranks share, and what each doubling adds (Amdahl 1967, with trees of messages). Of a
/// problem that grows nothing is divided.
struct ScalingLaw {
  double constant_seconds = 0;
  double divided_seconds = 0;
  double doubled_seconds = 0;

  [[nodiscard]] double seconds(int ranks) const;
};

/// A number of ranks that was measured, or that the law was asked for.
struct ScalingPoint {
  int ranks = 1;
  bool is_measured = true;
  double seconds = 0;                        ///< median over blocks
  std::optional<Interval> interval_seconds;  ///< over blocks, from six on
  /// T(p0) p0 / (T(p) p), p0 the fewest ranks; of a problem that grows T(p0) / T(p).
  double efficiency = 1;
};

struct ScalingStudy {
  std::optional<ScalingLaw> law;     ///< of the medians; nullopt for two numbers of ranks
  std::vector<ScalingPoint> points;  ///< by ranks; beyond the measured ones, doublings
  /// What the law of all others says of the most ranks, over what was measured, less 1; nullopt for
  /// fewer than four numbers of ranks.
  std::optional<double> held_out_error;
  /// The most ranks of `points` that are as efficient as was asked; nullopt where none is.
  std::optional<ScalingPoint> best;
};

/// Fits the law to relative errors, of the medians and of each block; extrapolates by as many
/// doublings, where there is a law. InputError for fewer than two numbers of ranks, for blocks that
/// lack one, and for an efficiency outside of (0, 1].
ScalingStudy study_scaling(std::span<const ScalingTime> times, double efficiency, int doublings,
                           Problem problem = Problem::same);

}  // namespace hockney::projection
