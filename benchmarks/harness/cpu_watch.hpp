#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <vector>

#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/cpu_use.hpp"

namespace hockney::benchmarks {

/// Watches on one rank of each host what others use of the job's CPUs. A reading takes a few
/// milliseconds on a node of a thousand processes.
class CpuWatch {
 public:
  /// Reads each host for the first time. Collective.
  CpuWatch(MPI_Comm comm, const JobPlacement& job);

  /// Reads each host again. Returns the use on each host in order of nodes on rank 0, empty on the
  /// others; nullopt for a host without proc(5). Collective.
  [[nodiscard]] std::vector<std::optional<OtherUse>> finish() const;

 private:
  MPI_Comm comm_;
  int node_;
  std::size_t nodes_;
  bool reads_;  ///< first rank of its host
  OwnUse own_;
  CpuReading before_;
};

}  // namespace hockney::benchmarks
