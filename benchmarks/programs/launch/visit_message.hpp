#pragma once

#include <cstddef>
#include <vector>

#include "core/samples.hpp"

namespace hockney {

/// A visit as numbers, to travel from the rank that took it to the one that keeps it.
std::vector<double> pack(const Visit& visit);

/// The visit to `point` that was packed into `numbers`.
Visit unpack_visit(std::size_t point, const std::vector<double>& numbers);

}  // namespace hockney
