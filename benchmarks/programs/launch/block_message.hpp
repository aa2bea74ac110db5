#pragma once

#include <cstddef>
#include <vector>

#include "core/samples.hpp"

namespace hockney::benchmarks::programs {

/// Packs a measurement block into bytes for a message from the measuring rank to the one that keeps
/// blocks. Both run this same program.
std::vector<std::byte> pack(const MeasurementBlock& block);

/// Unpacks a block of `point`.
MeasurementBlock unpack_block(std::size_t point, const std::vector<std::byte>& bytes);

}  // namespace hockney::benchmarks::programs
