#pragma once

#include <cstddef>
#include <vector>

#include "placement/hop.hpp"
#include "placement/topology.hpp"

namespace hockney::placement {

/// Few usable CPUs whose pairs show many of the wanted hop classes, at most `most_cpus` of them, in
/// the order they were chosen.
///
/// A greedy set cover. Classes are taken near to far, but smt last, because MPI jobs seldom put two
/// ranks on one core. For each class not shown yet the pair that needs the fewest new CPUs is
/// added; among those the one that shows most further classes, then the one from which most of the
/// missing classes can be reached, then one away from the core of CPU 0, then the first. One PU per
/// core is used, except for smt. Classes nest, so k CPUs show at most k-1 of them; on machines
/// whose parts are alike the cover reaches that bound.
std::vector<int> cover_hops(const Topology& topology, const std::vector<Hop>& wanted,
                            std::size_t most_cpus);

}  // namespace hockney::placement
