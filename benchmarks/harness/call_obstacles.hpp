#pragma once

#include <optional>
#include <string>

#include "benchmarks/harness/operation.hpp"

namespace hockney {

/// Why an operation cannot be called as a point says: there is no such root, blocks are too large
/// for MPI's counts, or what a call overwrites cannot be put back before the next one. nullopt when
/// it can be. Only for points without a size_obstacle (message.hpp).
std::optional<std::string> call_obstacle(const Descriptor& descriptor, const Point& point);

/// What the buffers of one rank of one place need [B], at most.
double buffer_bytes(const Descriptor& descriptor, const Point& point);

}  // namespace hockney
