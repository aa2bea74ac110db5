#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/operation.hpp"
#include "benchmarks/launch/options.hpp"

namespace hockney {

/// The parameters of a point: its axes beside size and ranks.
using Parameters = std::map<std::string, std::string>;

/// Every set of parameters that an operation is measured with: datatypes, operators, cache states
/// and variants in all combinations, in hockney's own way; then those with hot buffers once more
/// for every suite whose numbers are asked for.
std::vector<Parameters> parameters_of(const Descriptor& descriptor, const LaunchOptions& options);

/// Hot where no state is named.
CacheState cache_of(const Parameters& parameters);

/// The suite whose number the point is; nullopt for hockney's own.
std::optional<Suite> suite_of(const Parameters& parameters);

/// The planted slow-down of the point's variant, 0 without one.
double slow_down_of(const Parameters& parameters, const LaunchOptions& options);

}  // namespace hockney
