#pragma once

#include <span>
#include <vector>

#include "verdicts/compare.hpp"

namespace hockney {

/// A crossover for every curve that was compared at two sizes or more, with intervals at `level`.
/// `points` are those of `comparisons`, in the same order. Where launches were not paired there are
/// no crossings, for that reason.
std::vector<Crossover> find_crossovers(std::span<const MatchedPoint> points,
                                       std::span<const Comparison> comparisons, double level);

}  // namespace hockney
