#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/samples.hpp"

namespace hockney {

/// The flag of a series whose received data were not what was sent.
inline constexpr std::string_view corrupt_flag = "corrupt";

/// A visit as numbers, to travel from the rank that took it to the one that keeps it.
std::vector<double> pack(const Visit& visit);

/// The visit to `point` that was packed into `numbers`.
Visit unpack_visit(std::size_t point, const std::vector<double>& numbers);

}  // namespace hockney
