#pragma once

#include <vector>

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/launch/workload.hpp"
#include "core/verification_run.hpp"

namespace hockney::benchmarks::programs {

/// What is called once, the same on every rank.
struct VerificationWorkload {
  LaunchPlan workload;
  std::vector<std::size_t> points;  ///< indices into the workload's points
};

/// The points of a launch in which all ranks take part through MPI, without any communication. How
/// time is taken and where buffers are is left out: it chooses no algorithm.
VerificationWorkload plan_verification(const LaunchOptions& options, int ranks);

/// Its points for the document (core/verification_run.hpp), none of them begun.
std::vector<VerificationPoint> planned_points(const VerificationWorkload& plan);

/// The settings of collective operations that this process' environment asks for, with the names
/// that the library has for their values.
std::vector<AskedAlgorithm> requested_algorithms();

/// hockney-algorithms.
NamedProgram algorithms_program();

}  // namespace hockney::benchmarks::programs
