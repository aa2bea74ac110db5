#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hockney::verdicts {

// Finds the states of a machine from figures that every launch measured without MPI: one state,
// unless the launches show several.
//
// A figure splits the launches in two if there is a gap between their values. The test is that of
// find_modes (variability.hpp): the largest gap over the pooled deviation of both parts, with the
// null distribution of one skewed or heavy-tailed group. It is applied to the values at every
// moment of the launches, and to their medians. The tests of all figures are corrected by
// Bonferroni, with 0.8 of alpha for the medians; so at most alpha of the campaigns on a machine
// with one state show several. The most significant figure splits the launches, and both parts are
// tested again in the same way.
//
// Launches must be independent; at least six are needed, and two in each part. Values nearer than a
// least ratio count as one state.

/// A figure of the machine, such as the round trip of a cache line.
struct StateFigure {
  /// launches x moments of the launch; the same number of moments in every launch. A value that is
  /// not positive is unknown.
  std::vector<std::vector<double>> values;
  double least_ratio = 1.1;  ///< of two states, > 1
};

/// A place where the launches are split: values up to the limit are in one part, others in the
/// other one.
struct StateSplit {
  std::size_t figure = 0;  ///< index
  double limit = 0;        ///< geometric middle of the gap
  double p_adjusted = 1;   ///< corrected for all tests of these launches
};

/// The states of the launches, numbered from 0, smaller values of the splitting figures first.
struct FoundStates {
  std::size_t states = 1;
  std::vector<StateSplit> splits;            ///< the most important first; empty for one state
  std::vector<std::vector<std::size_t>> of;  ///< state of each launch at each moment
};

inline constexpr double states_alpha = 0.01;

/// The states of `launches` launches. O(figures launches log launches) for each split.
FoundStates find_states(std::span<const StateFigure> figures, std::size_t launches,
                        double alpha = states_alpha);

}  // namespace hockney::verdicts
