#pragma once

#include <span>
#include <vector>

#include "selection/evidence.hpp"

namespace hockney {

/// Sizes between those that were measured of any operation, at the geometric middle, in whole
/// elements of eight bytes; where there is no such size, those that were measured. Ascending.
std::vector<Bytes> held_out_sizes(std::span<const TunedPoint> points);

}  // namespace hockney
