#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hockney::placement {

/// One processing unit: a hardware thread that the operating system numbers. The group numbers are
/// hwloc's logical ones (L#), except for NUMA nodes, which carry the numbers numactl shows (P#).
struct Pu {
  int os_cpu = 0;
  int core = 0;
  std::optional<int> l2;  ///< group that shares an L2 cache, or an L1 where there is no L2
  std::optional<int> l3;
  std::vector<int> numa;  ///< memory local to this PU, ascending; several with tiered memory
  int package = 0;
  /// Of its core, where the machine has several: 0 the most powerful (hwloc's cpukinds).
  std::optional<int> kind{};

  friend bool operator==(const Pu&, const Pu&) = default;
};

/// A cache with no other cache behind it.
struct LastCache {
  std::size_t bytes = 0;
  std::size_t line_bytes = 0;   ///< 0 when hwloc does not know it
  std::size_t inner_bytes = 0;  ///< of the cache before it, on the way from a PU; 0 without one
  std::vector<int> os_cpus;     ///< of the PUs behind it

  friend bool operator==(const LastCache&, const LastCache&) = default;
};

/// The processing units of one node, as a value.
struct Topology {
  std::vector<Pu> pus;          ///< those this process may use; PUs of a core side by side
  std::vector<Pu> left_out;     ///< those a cgroup, a cpuset or taskset keeps from this process
  bool is_this_system = false;  ///< only then can a process be bound to its CPUs
  std::string source;           ///< "live", "xml FILE" or "synthetic TEXT"
  std::string cpu_model;        ///< empty when hwloc does not know it
  std::vector<LastCache> last_caches;  ///< of known size, in order of their first PU

  friend bool operator==(const Topology&, const Topology&) = default;
};

/// How many different groups the usable PUs belong to.
struct TopologyCounts {
  std::size_t packages = 0;
  std::size_t numa_nodes = 0;
  std::size_t l3_caches = 0;
  std::size_t cores = 0;
  std::size_t pus = 0;

  friend bool operator==(const TopologyCounts&, const TopologyCounts&) = default;
};

TopologyCounts count_groups(const Topology& topology);

/// The PU with this number, usable or left out; nullptr when the node has none. It points into
/// `topology`.
const Pu* find_pu(const Topology& topology, int os_cpu);

/// The numbers of the usable PUs, ascending.
std::vector<int> usable_cpus(const Topology& topology);

/// The same node with exactly `os_cpus` usable and all others left out. Ranks of one node that were
/// given different CPUs agree on one topology by restricting it to the union. InputError when a
/// number is not of this node or the list is empty.
Topology restricted_to(const Topology& topology, const std::vector<int>& os_cpus);

/// 16 hexadecimal digits that change whenever the structure does: FNV-1a, 64 bits (Fowler, Noll and
/// Vo), over the lines "<os_cpu> <core> <l2> <l3> <numa> <package>\n" of all PUs in the order of
/// os_cpu, "-" for a missing group. Usability, source, cache sizes and model do not enter, so the
/// ranks of a node agree whatever they may use.
std::string topology_digest(const Topology& topology);

// What can be said about a description of a machine before hwloc reads it, so that the message
// names the reason: hwloc itself only answers "invalid".

/// The major version of hwloc's XML format: 1 where the document states none, as hwloc 1 did;
/// nullopt when the text has no topology element.
std::optional<int> xml_major_version(std::string_view xml);

/// Whether an object element has a cpuset without a complete_cpuset or the reverse, or likewise a
/// nodeset: files of hwloc always have both or neither, and hwloc 2.9 crashes on half of one.
bool xml_has_half_a_set(std::string_view xml);

/// How many PUs a synthetic description stands for: the product of the counts of its levels, 16 for
/// "pack:2 [numa] core:4(size=1MB) 2"; numbers are read as hwloc does, 0x10 being 16. nullopt when
/// a level has no count. Saturates at 2^40.
std::optional<std::size_t> synthetic_pu_count(std::string_view text);

}  // namespace hockney::placement
