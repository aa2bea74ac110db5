#pragma once

#include <cstddef>
#include <vector>

#include "core/samples.hpp"

namespace hockney::benchmarks::programs {

/// A measurement block as bytes, to travel from the rank that measured it to the one that keeps it,
/// both of them processes of this very program.
std::vector<std::byte> pack(const MeasurementBlock& block);

/// The block of `point` that was packed into `bytes`.
MeasurementBlock unpack_block(std::size_t point, const std::vector<std::byte>& bytes);

}  // namespace hockney::benchmarks::programs
