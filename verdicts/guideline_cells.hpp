#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney::verdicts {

/// Both sides of a guideline in one launch, or, between numbers of ranks, in two launches with one
/// number.
struct SidePair {
  int launch = 0;            ///< its number
  double left_seconds = 0;   ///< launch median, > 0
  double right_seconds = 0;  ///< the same, without the factor
  /// What a difference must exceed to be seen: the clock's resolution and how far the ranks' clocks
  /// may be apart.
  double clock_seconds = 0;
};

/// A guideline at one size and place: what is judged.
struct GuidelineCell {
  Guideline guideline;
  std::string campaign;  ///< empty outside campaigns
  std::string setting;
  Point left;
  Point right;
  double factor = 1;  ///< the guideline's, times k where the right side is done in k parts
  std::vector<SidePair> pairs;
};

/// A size and place where a guideline was to be judged, and cannot be.
struct UnmeasuredCell {
  std::string guideline;
  Point left;
  std::string reason;
};

struct GuidelineCells {
  std::vector<GuidelineCell> cells;
  std::vector<UnmeasuredCell> unmeasured;
  std::size_t launches = 0;           ///< complete ones
  std::size_t launches_left_out = 0;  ///< interrupted or failed
};

/// Every cell of the guidelines that the records state, in order of guidelines and sizes. Points
/// belong together when ranks, hop, pair and all parameters that no side names are the same; sides
/// of one size map come from the same launch. Points timed like other suites are left out.
/// InputError when no record states a guideline, or two state different ones of one name.
GuidelineCells guideline_cells(std::span<const Record> records);

}  // namespace hockney::verdicts
