#pragma once

#include <string>
#include <vector>

#include "application/where/occupancy.hpp"

namespace hockney::where {

/// A node drawn: a line for each part under one L3 cache, in one NUMA node of one package, with its
/// cores and who may be on them: "node1  package 0  NUMA 0  L3 0  cores 0-3: rank 0 threads 0-3".
/// Cores in a row that have the same threads, none, or one thread each in order, are one entry.
std::vector<std::string> picture_of(const Occupancy& node);

}  // namespace hockney::where
