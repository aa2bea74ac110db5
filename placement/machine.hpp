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

/// The largest number Linux gives a CPU (NR_CPUS is at most 8192).
inline constexpr int largest_cpu = 8191;

/// {0,1,2,5} to "0-2,5", the kernel's spelling; the numbers are sorted first, "none" for no number.
std::string format_cpus(std::vector<int> cpus);

/// "4,0-2" to {4,0,1,2}, in the order written. InputError for anything else, for a descending range
/// and for numbers above largest_cpu.
std::vector<int> parse_cpus(std::string_view text);

/// What to say about a CPU the node does not have.
Message unknown_cpu(const Topology& topology, int os_cpu);

/// What the operating system says about this process, next to what was requested.
struct Binding {
  int requested_cpu = 0;
  std::vector<int> allowed_cpus;  ///< the affinity of all threads of the process, ascending
  int last_cpu = 0;               ///< where the calling thread runs (sched_getcpu)
};

/// Binds every thread of this process to one CPU, strictly, and reads back; the calling thread is
/// on that CPU when this returns. `who` names the process in messages, such as "rank 3". InputError
/// when `topology` is not of this system or has no such CPU; RunError when the operating system
/// refuses, for example because a cpuset forbids the CPU.
Binding bind_this_process(const Topology& topology, int os_cpu, const std::string& who);

/// Binds the calling thread alone to one CPU and reads back; it is on that CPU when this returns.
/// `who` names the thread in messages. RunError when the operating system refuses, or has it
/// elsewhere.
void bind_this_thread(int os_cpu, const std::string& who);

/// Reads back without binding: after MPI_Init, say, which may have moved the process.
Binding read_binding(int requested_cpu);

/// nullopt when the process is confined to the requested CPU and was seen there; otherwise what
/// differs.
std::optional<Message> verify(const Binding& binding, const std::string& who);

/// Gives the process, on leaving the scope, the CPU affinity it had on entering.
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

/// The NUMA nodes of this machine, by the numbers the system gives them, and memory on them.
class NodeMemory {
 public:
  /// Reads the topology of this machine; RunError when hwloc cannot.
  NodeMemory();
  /// That of a text (hwloc manual, "Synthetic topologies"), where nothing can be bound.
  explicit NodeMemory(const std::string& synthetic);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  NodeMemory(NodeMemory&&) noexcept;
  NodeMemory& operator=(NodeMemory&&) noexcept;
  ~NodeMemory();

  /// Ascending.
  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }

  /// The node whose memory a CPU reaches soonest; nullopt for a CPU that is near none.
  [[nodiscard]] std::optional<int> near(int os_cpu) const;

  /// The node that is farthest from it, by the distances that the machine states, else by how
  /// little of the tree they share; the smallest number of several. nullopt when there is no other
  /// node than the near one.
  [[nodiscard]] std::optional<int> far(int os_cpu) const;

  /// Binds whole pages, which nobody has touched yet, to a node. Why that was refused; empty when
  /// it was not.
  [[nodiscard]] std::string bind(void* memory, std::size_t bytes, int node) const;

  /// The nodes that the touched pages are on, as the kernel says now, ascending; empty when it does
  /// not say.
  [[nodiscard]] std::vector<int> nodes_of(const void* memory, std::size_t bytes) const;

 private:
  struct State;

  [[nodiscard]] double distance(int from, int to) const;

  std::unique_ptr<State> state_;
  std::vector<int> nodes_;
};

/// The CPU that the calling thread runs on now.
int current_cpu();

// All three need hwloc 2; this header does not. Without a core or package object in the topology, a
// PU is its own core and the machine one package. InputError when the topology numbers one CPU
// twice, or a CPU above largest_cpu. None of them prints: hwloc's own warnings about a file or a
// text are silenced.

/// This machine, or the one that hwloc's own variables (HWLOC_XMLFILE, HWLOC_SYNTHETIC ...) put in
/// its place; `is_this_system` and `source` tell. Left out: what cgroups forbid and what the CPU
/// affinity of this process excludes. RunError when hwloc cannot read the machine.
Topology read_live_topology();

/// A file as written by lstopo, of hwloc 1 or 2. Left out: what the file marks as not allowed.
/// InputError when it cannot be read, is malformed, or was written by a newer hwloc.
Topology read_xml_topology(const std::string& file);

/// A text such as "pack:2 numa:2 l3:2 l2:4 core:1 pu:2" (hwloc manual, "Synthetic topologies").
/// InputError when hwloc rejects it, when it describes more than largest_cpu + 1 PUs, and when its
/// `indexes` give one number to several PUs.
Topology read_synthetic_topology(const std::string& text);

}  // namespace hockney::placement
