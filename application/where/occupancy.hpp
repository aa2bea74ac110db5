#pragma once

#include <map>
#include <set>
#include <vector>

#include "application/where/faults.hpp"
#include "application/where/whereabouts.hpp"

namespace hockney::where {

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
