#pragma once

#include <string>
#include <vector>

#include "application/advice/changes.hpp"

namespace hockney::advice {

/// A change, and what the models say of it.
struct Advice {
  Change change;
  projection::Projection projection;
};

/// What is worth changing in a run, and what is not.
struct Findings {
  double seconds = 0;                ///< the run took
  std::vector<Advice> worth;         ///< those that gain most first
  std::vector<Advice> tried;         ///< the others, in the order in which they were tried
  std::vector<std::string> placing;  ///< what is wrong with the processors of ranks, in a sentence
};

/// A change is worth it where even the end of its range that gains least gains this share of the
/// run's time.
inline constexpr double least_gain = 0.01;

/// Tries every change of a run. Of several values of one thing the one that gains most is advised;
/// of eager limits the smallest that gains nearly as much, as buffers take memory. Nothing is worth
/// it where ranks take turns on processors: models know of none that wait for each other so.
Findings find_advice(const Run& run);

/// Ranks that have one processor for several, and nodes with more ranks than processors.
std::vector<std::string> placing_faults(const profile::Profile& profile);

}  // namespace hockney::advice
