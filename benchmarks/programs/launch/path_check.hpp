#pragma once

#include <optional>

#include "benchmarks/programs/launch/options.hpp"
#include "core/error.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

/// Flags the series of the expected sizes whose path is proven to be another one, or is not
/// proven, and their record. Only series whose messages were counted are asked.
void flag_paths(Record& record, const std::optional<ExpectedPath>& expected);

/// One line about the paths that differ; nullopt when all are as expected.
std::optional<Message> path_difference(const Record& record,
                                       const std::optional<ExpectedPath>& expected);

}  // namespace hockney::benchmarks::programs
