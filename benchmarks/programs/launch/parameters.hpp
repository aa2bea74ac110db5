#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "core/point.hpp"

namespace hockney::benchmarks::programs {

/// The parameters of a point: its axes beside size and ranks.
using Parameters = std::map<std::string, std::string>;

/// How the calls of a point are made and timed, as far as the launch has a part in it.
struct Treatment {
  CacheState cache = CacheState::hot;
  Cadence cadence = Cadence::isolated;
  Work work = Work::none;      ///< beside the calls, or instead of them
  double slow_down = 0;        ///< planted; 0.1: a tenth slower
  std::optional<Suite> suite;  ///< timed like it; nullopt: hockney's own way

  friend bool operator==(const Treatment&, const Treatment&) = default;
};

/// Parameters with the treatment that they name.
struct ParameterSet {
  Parameters names;
  Treatment treatment;

  friend bool operator==(const ParameterSet&, const ParameterSet&) = default;
};

/// Every set of parameters that an operation is measured with: datatypes, operators, counts, roots,
/// flows, places, cache states, memories, cadences and variants in all combinations, in hockney's
/// own way; then those with hot buffers once more for every suite whose numbers are asked for.
std::vector<ParameterSet> parameters_of(const Descriptor& descriptor, const LaunchOptions& options);

/// The same of all points of one size that differ in the work beside their calls only.
std::string name_without_work(Point point);

}  // namespace hockney::benchmarks::programs
