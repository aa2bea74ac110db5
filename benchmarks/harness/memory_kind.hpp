#pragma once

#include <compare>
#include <string>
#include <vector>

#include "benchmarks/harness/point.hpp"

namespace hockney::benchmarks {

/// What buffers are made of.
enum class MemoryKind {
  host,  ///< ordinary pages of the system, near the rank that touched them first
  huge,  ///< huge pages
  numa,  ///< pages of one NUMA node
  cuda,  ///< memory of a GPU, by the CUDA runtime
  rocm   ///< the same by the HIP runtime
};

/// How a NUMA node is chosen: by its number, or by how far it is from where the rank runs.
enum class NodeChoice { number, near, far };

/// The memory that the buffers of a rank are in.
struct Memory {
  MemoryKind kind = MemoryKind::host;
  NodeChoice choice = NodeChoice::number;  ///< of numa
  int node = 0;                            ///< of numa by number, as the system counts them

  friend auto operator<=>(const Memory&, const Memory&) = default;
};

/// Whether the host's processors cannot look at it: MPI may get its addresses, nobody else.
inline bool is_on_device(const Memory& memory) {
  return memory.kind == MemoryKind::cuda || memory.kind == MemoryKind::rocm;
}

/// The memory of both sides of an operation: of the first rank of a pair, or the first half of the
/// ranks, and of the others.
struct MemorySides {
  Memory first;
  Memory second;

  friend bool operator==(const MemorySides&, const MemorySides&) = default;
};

/// "host", "huge", "numa:3", "numa:near", "numa:far", "cuda", "rocm".
std::string memory_name(const Memory& memory);

/// The same, and "cuda-to-host" where the sides differ.
std::string memory_name(const MemorySides& sides);

/// All names, but for the numbers of nodes and for sides that differ.
const std::vector<std::string>& memory_names();

/// InputError naming the nearest memory when there is none called `name`.
MemorySides parse_memory(const std::string& name);

inline std::string parameter_text(const MemorySides& sides) { return memory_name(sides); }
inline constexpr Parameter<MemorySides> memory_parameter{"memory"};

/// The point's memory at one of its ranks.
Memory memory_at(const Point& point, int rank);

}  // namespace hockney::benchmarks
