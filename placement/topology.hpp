#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hockney::placement {

/// One processing unit: a hardware thread with a number of the operating system. Group numbers are
/// hwloc's logical ones (L#), but NUMA nodes have the numbers of numactl (P#).
struct Pu {
  int os_cpu = 0;
  int core = 0;
  std::optional<int> l2;  ///< group that shares an L2 cache, or an L1 without L2
  std::optional<int> l3;
  std::vector<int> numa;  ///< memory local to this PU, ascending; several with tiered memory
  int package = 0;
  /// Kind of its core on machines with several kinds; 0 is the most powerful (hwloc's cpukinds).
  std::optional<int> kind{};

  friend bool operator==(const Pu&, const Pu&) = default;
};

/// A last-level cache.
struct LastCache {
  std::size_t bytes = 0;
  std::size_t line_bytes = 0;   ///< 0 if unknown to hwloc
  std::size_t inner_bytes = 0;  ///< of the next inner cache; 0 without one
  std::vector<int> os_cpus;     ///< PUs that share it

  friend bool operator==(const LastCache&, const LastCache&) = default;
};

/// The processing units of one node, as a value.
struct Topology {
  std::vector<Pu> pus;                 ///< usable by this process; PUs of a core are adjacent
  std::vector<Pu> left_out;            ///< excluded by a cgroup, a cpuset or taskset
  bool is_this_system = false;         ///< binding to its CPUs is possible
  std::string source;                  ///< "live", "xml FILE" or "synthetic TEXT"
  std::string cpu_model;               ///< empty if unknown to hwloc
  std::vector<LastCache> last_caches;  ///< of known size, in order of their first PU

  friend bool operator==(const Topology&, const Topology&) = default;
};

/// The numbers of different groups of the usable PUs.
struct TopologyCounts {
  std::size_t packages = 0;
  std::size_t numa_nodes = 0;
  std::size_t l3_caches = 0;
  std::size_t cores = 0;
  std::size_t pus = 0;

  friend bool operator==(const TopologyCounts&, const TopologyCounts&) = default;
};

TopologyCounts count_groups(const Topology& topology);

/// The PU with this number, usable or left out, as a pointer into `topology`; nullptr if unknown.
const Pu* find_pu(const Topology& topology, int os_cpu);

/// The numbers of the usable PUs, ascending.
std::vector<int> usable_cpus(const Topology& topology);

/// The same node with exactly `os_cpus` usable and all others left out. Ranks of one node with
/// different CPUs restrict it to the union, and so agree on one topology. InputError for an unknown
/// number or an empty list.
Topology restricted_to(const Topology& topology, const std::vector<int>& os_cpus);

/// A digest of the structure in 16 hexadecimal digits: FNV-1a, 64 bits (Fowler, Noll and Vo).
/// The input is a line for each PU in the order of os_cpu, with "-" for a missing group:
/// "<os_cpu> <core> <l2> <l3> <numa> <package>\n". Usability, source, cache sizes and model are
/// excluded, so all ranks of a node agree.
std::string topology_digest(const Topology& topology);

// Checks of a machine's description before hwloc reads it, for messages with the cause. hwloc
// itself reports only "invalid".

/// The major version of hwloc's XML format: 1 if the document has no version, as with hwloc 1;
/// nullopt if the text has no topology element.
std::optional<int> xml_major_version(std::string_view xml);

/// Whether an object element has only one of cpuset and complete_cpuset, or of the two nodesets.
/// Files of hwloc have both or neither; hwloc 2.9 crashes if one is missing.
bool xml_has_half_a_set(std::string_view xml);

/// The number of PUs of a synthetic description: the product of its levels' counts. It is 16 for
/// "pack:2 [numa] core:4(size=1MB) 2"; numbers are read as in hwloc, so 0x10 is 16. nullopt if a
/// level has no count. Saturates at 2^40.
std::optional<std::size_t> synthetic_pu_count(std::string_view text);

}  // namespace hockney::placement
