#pragma once

#include <span>
#include <vector>

#include "history/night.hpp"

namespace hockney {

/// One figure for each node at each point: how many times longer its pairs take than those of a
/// usual node that night (`node_ratio`), so that a node which degrades slowly is found like any
/// other change. Points whose pairs cannot be told apart into nodes give none.
std::vector<NightFigure> node_figures(std::span<const NightPair> pairs);

}  // namespace hockney
