#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/where/rank_bindings.hpp"
#include "core/text.hpp"

namespace hockney::where {

/// Faults in the placement of ranks and threads, worst first.
enum class FaultKind {
  shared_cpu,       ///< more threads than allowed CPUs
  cpu_limit,        ///< more threads than the CPUs whose time their control group allows
  shared_core,      ///< hyperthreads of a core at work while other cores are idle
  idle_cores,       ///< those idle cores
  other_job,        ///< as shared_cpu, with threads of other jobs that are bound there
  unbound,          ///< a thread, or one of several ranks, may run anywhere on the node
  across_packages,  ///< threads of a rank that fit into one package
  across_numa,
  across_l3,
  across_kinds,  ///< threads of a rank on several kinds of cores, that fit on one kind
  far_memory,    ///< a thread's newly touched memory is not local to it
  empty_node     ///< a requested node without a rank
};

constexpr auto words_of(std::type_identity<FaultKind>) {
  return std::to_array<std::string_view>({"shared-cpu", "cpu-limit", "shared-core", "idle-cores",
                                          "other-job", "unbound", "across-packages", "across-numa",
                                          "across-l3", "across-kinds", "far-memory", "empty-node"});
}

/// One fault on one node.
struct Fault {
  FaultKind kind = FaultKind::shared_cpu;
  std::string host;
  std::vector<int> ranks;   ///< with the fault, ascending; empty for idle cores and empty nodes
  std::size_t threads = 0;  ///< number of their threads
  std::vector<int> cpus;    ///< allowed ones, or the idle ones; for far memory its NUMA nodes
  std::size_t cores = 0;    ///< number of cores of these CPUs
  std::vector<OtherProcess> others{};  ///< that share them
  std::optional<CpuLimit> limit{};     ///< that the threads exceed

  friend bool operator==(const Fault&, const Fault&) = default;
};

/// All faults, worst first, on each node in its order. Uses the affinities of threads, so faults
/// hold for the whole run, not only for the moment of the probe.
std::vector<Fault> find_faults(const RankBindings& all);

/// "8 threads of rank 0 share 1 core (CPU 0) of node1": the fault without its remedy.
std::string fault_text(const Fault& fault);

/// "'hello' (pid 123, user ann)": at most two processes, and the number of the others.
std::string process_text(const std::vector<OtherProcess>& processes);

/// Unbound processes of others that use CPU time on a crowded node: they and the ranks have more
/// threads than CPUs. No fault, as they are not bound to the ranks' CPUs.
std::vector<OtherProcess> crowding_processes(const RankBindings& all, const NodeCpus& node);

/// Parts of a node in which a rank's threads may be kept together, from small to large. `kind`: all
/// cores of one kind, on processors with several.
enum class Domain { l3, kind, numa, package, node };

/// The smallest of L3 cache, NUMA node and package in which all ranks of each node fit, with a core
/// for each thread. `node` if none is large enough.
Domain tightest_domain(const RankBindings& all);

/// Number of cores in the smallest part of that kind.
std::size_t smallest_part(const RankBindings& all, Domain domain);

/// A part of a node, identified by properties that its PUs share.
using PartKey = std::vector<int>;

PartKey part_of(const placement::Pu& pu, Domain domain);

/// A thread on a node.
struct Occupant {
  int rank = 0;
  int thread = 0;
  const ThreadPlace* place = nullptr;  ///< never null
};

/// Allowed CPUs of all threads of one node. Points into the RankBindings that it was made from.
class Occupancy {
 public:
  Occupancy(const RankBindings& all, const NodeCpus& node);

  [[nodiscard]] const NodeCpus& node() const { return *node_; }
  [[nodiscard]] const std::vector<const RankPlace*>& ranks() const { return ranks_; }
  [[nodiscard]] const std::vector<Occupant>& threads() const { return threads_; }

  /// The cores of some CPUs; ignores CPUs of other nodes.
  [[nodiscard]] std::set<int> cores_of(const std::vector<int>& cpus) const;
  /// All CPUs of the cores of `cpus`, ascending.
  [[nodiscard]] std::vector<int> whole_cores(const std::vector<int>& cpus) const;
  /// The parts of that kind which contain some of the CPUs.
  [[nodiscard]] std::set<PartKey> parts_of(const std::vector<int>& cpus, Domain domain) const;
  /// Number of cores in each part of that kind.
  [[nodiscard]] std::map<PartKey, std::size_t> cores_by_part(Domain domain) const;
  /// Threads that are bound to a subset of these CPUs, ascending.
  [[nodiscard]] std::vector<Occupant> confined_to(const std::vector<int>& cpus) const;
  /// The CPUs of cores on which no thread may run, ascending.
  [[nodiscard]] std::vector<int> idle_cpus() const;
  /// The NUMA nodes that are local to at least one of the CPUs.
  [[nodiscard]] std::set<int> local_memory(const std::vector<int>& cpus) const;

 private:
  const NodeCpus* node_;
  std::vector<const RankPlace*> ranks_;
  std::vector<Occupant> threads_;
  std::map<int, const placement::Pu*> pus_;
};

/// Allowed CPUs of all threads of a rank, ascending.
std::vector<int> cpus_of(const RankPlace& rank);

}  // namespace hockney::where
