#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "core/point.hpp"

namespace hockney {

/// The parameters of a point: its axes beside size and ranks.
using Parameters = std::map<std::string, std::string>;

/// Every set of parameters that an operation is measured with: datatypes, operators, counts, roots,
/// places, cache states, cadences and variants in all combinations, in hockney's own way; then
/// those with hot buffers once more for every suite whose numbers are asked for.
std::vector<Parameters> parameters_of(const Descriptor& descriptor, const LaunchOptions& options);

/// Hot where no state is named.
CacheState cache_of(const Parameters& parameters);

/// Whether calls follow each other in a row; one by one where no cadence is named.
bool is_streaming(const Parameters& parameters);

/// Whether something else goes on beside the calls of a point, or instead of them.
bool has_work(const Point& point);

/// The same of all points of one size that differ in the work beside their calls only.
std::string name_without_work(Point point);

/// The suite whose number the point is; nullopt for hockney's own.
std::optional<Suite> suite_of(const Parameters& parameters);

/// The planted slow-down of the point's variant, 0 without one.
double slow_down_of(const Parameters& parameters, const LaunchOptions& options);

}  // namespace hockney
