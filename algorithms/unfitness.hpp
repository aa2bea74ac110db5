#pragma once

#include <optional>
#include <string>

#include "algorithms/workload.hpp"

namespace hockney {

// Reasons why an algorithm is replaced by another; nullopt where it is not.

/// The vector has fewer elements than ranks.
std::optional<std::string> fewer_elements_than_ranks(const Workload& workload);

/// It has fewer elements than the largest power of two ranks.
std::optional<std::string> fewer_elements_than_power(const Workload& workload);

std::optional<std::string> ranks_no_power_of_two(const Workload& workload);

std::optional<std::string> odd_ranks(const Workload& workload);

std::optional<std::string> not_two_ranks(const Workload& workload);

}  // namespace hockney
