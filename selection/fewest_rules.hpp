#pragma once

#include <span>
#include <vector>

#include "selection/evidence.hpp"

namespace hockney {

/// One thing that may be chosen at a point.
struct Option {
  const Candidate* candidate = nullptr;  ///< nullptr: the default
  double regret = 0;                     ///< above the best option, as a share of its time
};

/// The default and what is shown to be faster, but what regrets more than `most_regret`.
std::vector<Option> options_at(const TunedPoint& point, double most_regret);

/// For each point of one curve, in order of bytes, an option of it: those that change the fewest
/// times from one point to the next and, of these, regret the least in all (Viterbi 1967).
std::vector<Option> fewest_rules(std::span<const TunedPoint> curve, double most_regret);

}  // namespace hockney
