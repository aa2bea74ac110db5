#pragma once

#include <vector>

#include "core/guideline.hpp"
#include "verdicts/guideline_times.hpp"

namespace hockney::verdicts {

/// The guidelines that imported records can be held against: their suites measure no mock-ups, so
/// that a right side is another call, or the sum of several calls' times.
std::vector<Guideline> imported_guidelines();

/// Adds the right sides that are sums, such as "reduce + bcast" of every size of allreduce at
/// which both were measured: in each launch the sum of their times. Where the calls of a sum need
/// other sizes (a block of each rank, or the blocks of all), these must have been measured.
void add_sums(GuidelineTimes& times);

}  // namespace hockney::verdicts
