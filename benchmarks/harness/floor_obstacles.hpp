#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "benchmarks/harness/operation.hpp"

namespace hockney {

/// Why floors cannot be measured between ranks of a node; nullopt where they can.
struct FloorObstacles {
  std::optional<std::string> shared_memory;
  std::optional<std::string> peer_memory;

  /// What stands in the way of data that travel so; nullopt for MPI.
  [[nodiscard]] const std::optional<std::string>& of(Carrier carrier) const;
};

/// Tries both on the ranks of each node; the same on every rank. Under a simulator, whose ranks
/// pass data without taking time, neither can be. Collective.
FloorObstacles find_floor_obstacles(MPI_Comm comm);

}  // namespace hockney
