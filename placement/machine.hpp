#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "placement/topology.hpp"

namespace hockney::placement {

/// The largest CPU number of Linux (NR_CPUS is at most 8192).
inline constexpr int largest_cpu = 8191;

/// {0,1,2,5} to "0-2,5", the kernel's notation. Sorts the numbers; "none" for an empty list.
std::string format_cpus(std::vector<int> cpus);

/// "4,0-2" to {4,0,1,2}, in the order written. InputError for other texts, descending ranges and
/// numbers above largest_cpu.
std::vector<int> parse_cpus(std::string_view text);

/// The error message for a CPU that the node does not have.
Message unknown_cpu(const Topology& topology, int os_cpu);

/// The CPU that was requested for this process, and what the operating system reports.
struct Binding {
  int requested_cpu = 0;
  std::vector<int> allowed_cpus;  ///< the affinity of all threads of the process, ascending
  int last_cpu = 0;               ///< CPU of the calling thread (sched_getcpu)
};

/// Binds every thread of this process strictly to one CPU and reads the binding back. The calling
/// thread is on that CPU when this returns. `who` names the process in messages, such as "rank 3".
/// InputError if `topology` is not of this system or has no such CPU. RunError if the operating
/// system refuses, for example because a cpuset forbids the CPU.
Binding bind_this_process(const Topology& topology, int os_cpu, const std::string& who);

/// Binds only the calling thread to one CPU and reads the binding back. The thread is on that CPU
/// when this returns. `who` names it in messages. RunError if the operating system refuses or runs
/// it on another CPU.
void bind_this_thread(int os_cpu, const std::string& who);

/// Reads the binding without binding, for example after MPI_Init, which may have moved the process.
Binding read_binding(int requested_cpu);

/// nullopt if the process is bound to the requested CPU and ran there; otherwise the difference.
std::optional<Message> verify(const Binding& binding, const std::string& who);

/// Restores the CPU affinity of the process at the end of the scope.
class ScopedBinding {
 public:
  ScopedBinding();
  ScopedBinding(const ScopedBinding&) = delete;
  ScopedBinding& operator=(const ScopedBinding&) = delete;
  ScopedBinding(ScopedBinding&&) = delete;
  ScopedBinding& operator=(ScopedBinding&&) = delete;
  ~ScopedBinding();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The NUMA nodes of this machine, with the numbers of the operating system, and memory on them.
class NodeMemory {
 public:
  /// Reads the topology of this machine; RunError if hwloc fails.
  NodeMemory();
  /// A synthetic topology (hwloc manual, "Synthetic topologies"), without binding.
  explicit NodeMemory(const std::string& synthetic);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  NodeMemory(NodeMemory&&) noexcept;
  NodeMemory& operator=(NodeMemory&&) noexcept;
  ~NodeMemory();

  /// Ascending.
  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }

  /// The node nearest to a CPU; nullopt if no node is near it.
  [[nodiscard]] std::optional<int> near(int os_cpu) const;

  /// The node farthest from the near one, by the machine's distances. Without distances, the node
  /// that shares the least of the topology tree. If several are equal, the smallest number. nullopt
  /// if there is only the near node.
  [[nodiscard]] std::optional<int> far(int os_cpu) const;

  /// Binds whole, untouched pages to a node. Returns the error; empty on success.
  [[nodiscard]] std::string bind(void* memory, std::size_t bytes, int node) const;

  /// The nodes of the touched pages, as the kernel reports them, ascending; empty if it does not.
  [[nodiscard]] std::vector<int> nodes_of(const void* memory, std::size_t bytes) const;

 private:
  struct State;

  [[nodiscard]] double distance(int from, int to) const;

  std::unique_ptr<State> state_;
  std::vector<int> nodes_;
};

/// The CPU that the calling thread runs on now.
int current_cpu();

// All three need hwloc 2; this header does not. In a topology without core objects each PU is a
// core; without package objects the machine is one package. InputError if the topology has a CPU
// number twice, or one above largest_cpu. None prints: hwloc's warnings about a file or a text are
// silenced.

/// This machine, or the one in hwloc's variables (HWLOC_XMLFILE, HWLOC_SYNTHETIC ...); see
/// `is_this_system` and `source`. CPUs outside the cgroup or the affinity of this process are left
/// out. RunError if hwloc cannot read the machine.
Topology read_live_topology();

/// A file of lstopo (hwloc 1 or 2). CPUs that the file marks as not allowed are left out.
/// InputError if it cannot be read, is malformed, or is of a newer hwloc.
Topology read_xml_topology(const std::string& file);

/// A text such as "pack:2 numa:2 l3:2 l2:4 core:1 pu:2" (hwloc manual, "Synthetic topologies").
/// InputError if hwloc rejects it, it has more than largest_cpu + 1 PUs, or its `indexes` repeat a
/// number.
Topology read_synthetic_topology(const std::string& text);

}  // namespace hockney::placement
