#pragma once

#include "benchmarks/harness/placement.hpp"
#include "benchmarks/launch/options.hpp"

namespace hockney {

/// How ranks begin together: as asked; else at an agreed time, or after a barrier where ranks share
/// CPUs and under a simulator. InputError for an agreed time under a simulator.
StartScheme choose_start(const LaunchOptions& options, const JobPlacement& job);

}  // namespace hockney
