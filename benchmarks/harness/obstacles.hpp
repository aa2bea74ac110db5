#pragma once

#include <mpi.h>
#include <optional>
#include <string>

#include "benchmarks/harness/catalogue.hpp"

namespace hockney::benchmarks {

/// Why an operation cannot be called as a point says: there is no such root, blocks are too large
/// for MPI's counts, or what a call overwrites cannot be put back before the next one. nullopt when
/// it can be. Only for points without a size_obstacle (message.hpp).
std::optional<std::string> call_obstacle(const Descriptor& descriptor, const Point& point);

/// Why a point cannot be measured with a persistent request: this MPI has none, its root changes,
/// or its buffers move. nullopt when it can.
std::optional<std::string> persistent_obstacle(const Point& point);

/// Messages, or calls on other ranks' memory, of one rank that can be under way at once, at most.
double messages_under_way(const Descriptor& descriptor, const Point& point);

/// How many buffers one rank has in one place, at most, and what they need [B].
double buffer_count(const Descriptor& descriptor, const Point& point);
double buffer_bytes(const Descriptor& descriptor, const Point& point);

/// Why floors cannot be measured between ranks of a node; nullopt where they can.
struct FloorObstacles {
  std::optional<std::string> shared_memory;
  std::optional<std::string> peer_memory;
  std::optional<std::string> work;  ///< the same of what a rank does by itself

  /// What stands in the way of data that travel so; nullopt for MPI, and for devices.
  [[nodiscard]] const std::optional<std::string>& of(Carrier carrier) const;
};

/// Tries both on the ranks of each node; the same on every rank. Under a simulator, whose ranks
/// pass data without taking time, neither can be. Collective.
FloorObstacles find_floor_obstacles(MPI_Comm comm);

}  // namespace hockney::benchmarks
