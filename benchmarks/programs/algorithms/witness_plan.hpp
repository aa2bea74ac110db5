#pragma once

#include <vector>

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/workload.hpp"
#include "core/witness.hpp"

namespace hockney {

/// What is called once, the same on every rank.
struct WitnessPlan {
  LaunchPlan workload;
  std::vector<std::size_t> points;  ///< indices into the workload's points
};

/// The points of a launch in which all ranks take part through MPI, without any communication. How
/// time is taken and where buffers are is left out: it chooses no algorithm.
WitnessPlan plan_witness(const LaunchOptions& options, int ranks);

/// They as a witness tells of them, not yet begun.
std::vector<WitnessedPoint> planned_points(const WitnessPlan& plan);

/// The settings of collective operations that this process' environment asks for, with the names
/// that the library has for their values.
std::vector<AskedAlgorithm> asked_algorithms();

}  // namespace hockney
