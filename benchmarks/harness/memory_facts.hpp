#pragma once

#include <mpi.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/buffer_pool.hpp"
#include "benchmarks/harness/memory_kind.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/provenance.hpp"

namespace hockney::benchmarks {

/// Of a launch: ranks share a device.
inline constexpr std::string_view device_shared_flag = "device-shared";

/// Whether the MPI library itself says that it takes addresses of a device's memory.
struct GpuAwareness {
  std::optional<bool> says;  ///< nullopt where it has no function that would say
  std::string function;      ///< that said so, or that it lacks
};

/// Asks the functions that Open MPI and MPICH have for it, where they are linked.
GpuAwareness gpu_awareness(MemoryKind kind);

/// What the ranks of a launch were found to have of the memory that was asked for.
struct MemoryFacts {
  /// Why a rank has no such memory, of every rank in order; empty where it has. By name.
  std::map<std::string, std::vector<std::string>> refusals;
  /// Why MPI is not given addresses of such memory. By name; none where it is.
  std::map<std::string, std::string> unsendable;

  /// Why a rank has no such memory, with its rank and host; nullopt when it has.
  [[nodiscard]] std::optional<std::string> obstacle(const Memory& memory, const Site& site) const;
};

/// Tries each memory on every rank, the same on all. Memory of a device is given to MPI where the
/// library says that it takes it, or `asserted` does: one that does not ends in a segmentation
/// fault. Collective.
MemoryFacts find_memory_facts(MPI_Comm comm, const std::vector<MemorySides>& wanted,
                              const std::vector<Site>& sites, bool asserted);

/// What the pools of all ranks took, by what it turned out to be; on every rank. Collective.
std::vector<BufferMemoryUse> gather_buffer_memory(MPI_Comm comm, const BufferPool& pool,
                                                  const std::vector<Site>& sites);

/// Pure part of it, from what pack_evidence() made on each rank.
std::vector<BufferMemoryUse> merge_evidence(const std::vector<std::string>& packed,
                                            const std::vector<Site>& sites);
std::string pack_evidence(const BufferPool& pool);

/// Whether ranks of these shared a device.
bool shares_device(const std::vector<BufferMemoryUse>& buffers);

}  // namespace hockney::benchmarks
