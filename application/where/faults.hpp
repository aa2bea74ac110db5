#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "application/where/whereabouts.hpp"
#include "core/text.hpp"

namespace hockney::where {

/// What is wrong with where ranks and threads run, worst first.
enum class FaultKind {
  shared_cpu,       ///< more threads than CPUs where they may run
  shared_core,      ///< hyperthreads of a core at work while other cores have nothing to do
  idle_cores,       ///< those other cores
  other_job,        ///< as shared_cpu, together with threads of other jobs that are bound there
  unbound,          ///< a thread, or one of several ranks, may go anywhere on the node
  across_packages,  ///< threads of a rank that would fit into one package
  across_numa,
  across_l3,
  across_kinds,  ///< threads of a rank are on cores of several kinds and would fit on those of one
  far_memory,    ///< memory that a thread touches first is not local to it
  empty_node     ///< a node that was asked for has no rank
};

constexpr auto words_of(std::type_identity<FaultKind>) {
  return std::to_array<std::string_view>({"shared-cpu", "shared-core", "idle-cores", "other-job",
                                          "unbound", "across-packages", "across-numa", "across-l3",
                                          "across-kinds", "far-memory", "empty-node"});
}

/// One fault on one node.
struct Fault {
  FaultKind kind = FaultKind::shared_cpu;
  std::string host;
  std::vector<int> ranks;   ///< that have it, ascending; none of idle cores and of empty nodes
  std::size_t threads = 0;  ///< how many of their threads
  std::vector<int> cpus;    ///< where they may run, or that are idle; of far memory its NUMA nodes
  std::size_t cores = 0;    ///< of these CPUs
  std::vector<OtherProcess> others{};  ///< that share them

  friend bool operator==(const Fault&, const Fault&) = default;
};

/// All of them, worst first, on each node in its order. The CPUs of a thread are those its affinity
/// allows, so what is said holds for as long as it lives, not for the moment of the probe.
std::vector<Fault> find_faults(const Whereabouts& all);

/// "8 threads of rank 0 share 1 core (CPU 0) of node1": what is wrong, without what mends it.
std::string fault_text(const Fault& fault);

/// "'hello' (pid 123, user ann)": at most two, and how many more.
std::string process_text(const std::vector<OtherProcess>& processes);

/// Processes of others that may go anywhere on the node and use CPU time, where they and the ranks
/// have more threads than the node has CPUs. Nobody has put them there: no fault.
std::vector<OtherProcess> crowding_processes(const Whereabouts& all, const NodeCpus& node);

/// Parts of a node into which the threads of a rank are best put together, near to far; `kind`: all
/// cores of one kind, of a machine that has several.
enum class Domain { l3, kind, numa, package, node };

/// The nearest of L3 cache, NUMA node and package that holds every rank of each node with all its
/// threads on cores of their own; `node` where none does.
Domain tightest_domain(const Whereabouts& all);

/// How many cores the smallest part of that kind has.
std::size_t smallest_part(const Whereabouts& all, Domain domain);

/// A part of a node, by what its PUs have in common.
using PartKey = std::vector<int>;

PartKey part_of(const placement::Pu& pu, Domain domain);

/// A thread on a node.
struct Occupant {
  int rank = 0;
  int thread = 0;
  const ThreadPlace* place = nullptr;  ///< never null
};

/// Who may be where on one node. It points into the whereabouts it is made of.
class Occupancy {
 public:
  Occupancy(const Whereabouts& all, const NodeCpus& node);

  [[nodiscard]] const NodeCpus& node() const { return *node_; }
  [[nodiscard]] const std::vector<const RankPlace*>& ranks() const { return ranks_; }
  [[nodiscard]] const std::vector<Occupant>& threads() const { return threads_; }

  /// The cores of some CPUs; those that are not of the node count for nothing.
  [[nodiscard]] std::set<int> cores_of(const std::vector<int>& cpus) const;
  /// All CPUs of these cores, ascending.
  [[nodiscard]] std::vector<int> whole_cores(const std::vector<int>& cpus) const;
  /// The parts of that kind which some CPUs are in.
  [[nodiscard]] std::set<PartKey> parts_of(const std::vector<int>& cpus, Domain domain) const;
  /// How many cores each part of that kind has.
  [[nodiscard]] std::map<PartKey, std::size_t> cores_by_part(Domain domain) const;
  /// Threads that may go nowhere but to these CPUs, ascending.
  [[nodiscard]] std::vector<Occupant> confined_to(const std::vector<int>& cpus) const;
  /// The CPUs of cores where no thread may go, ascending.
  [[nodiscard]] std::vector<int> idle_cpus() const;
  /// The NUMA nodes that are local to one of the CPUs.
  [[nodiscard]] std::set<int> local_memory(const std::vector<int>& cpus) const;

 private:
  const NodeCpus* node_;
  std::vector<const RankPlace*> ranks_;
  std::vector<Occupant> threads_;
  std::map<int, const placement::Pu*> pus_;
};

/// Where any thread of a rank may go, ascending.
std::vector<int> cpus_of(const RankPlace& rank);

}  // namespace hockney::where
