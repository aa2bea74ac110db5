#include "application/where/faults.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/text.hpp"
#include "application/where/occupancy.hpp"

namespace hockney::where {
namespace {

constexpr std::array parts_of_nodes{Domain::l3, Domain::numa, Domain::package};
constexpr std::array bounds_of_threads{Domain::l3, Domain::kind, Domain::numa, Domain::package};

/// The numbers of the ranks of some threads, each once.
std::vector<int> ranks_of(const std::vector<Occupant>& threads) {
  std::set<int> ranks;
  for (const Occupant& thread : threads) ranks.insert(thread.rank);
  return {ranks.begin(), ranks.end()};
}

Fault fault_of(FaultKind kind, const Occupancy& node, const std::vector<Occupant>& threads,
               const std::vector<int>& cpus) {
  return {.kind = kind,
          .host = node.node().host,
          .ranks = ranks_of(threads),
          .threads = threads.size(),
          .cpus = cpus,
          .cores = node.cores_of(cpus).size(),
          .others = {}};
}

/// Every affinity that a thread of the node has, smallest first.
std::vector<std::vector<int>> affinities(const Occupancy& node) {
  std::set<std::vector<int>> different;
  for (const Occupant& thread : node.threads()) {
    different.insert(thread.place->allowed_cpus);
    different.insert(node.whole_cores(thread.place->allowed_cpus));
  }
  std::vector<std::vector<int>> all(different.begin(), different.end());
  std::ranges::stable_sort(all, {}, &std::vector<int>::size);
  return all;
}

/// More threads than CPUs, or than cores while others are idle, are confined to some CPUs: then
/// they must share, wherever the system puts them. Of affinities in each other the innermost.
std::vector<Fault> sharing(const Occupancy& node) {
  std::vector<Fault> faults;
  const std::vector<int> idle = node.idle_cpus();
  for (const std::vector<int>& cpus : affinities(node)) {
    const auto inside = [&](const Fault& fault) { return std::ranges::includes(cpus, fault.cpus); };
    if (std::ranges::any_of(faults, inside)) continue;
    const std::vector<Occupant> confined = node.confined_to(cpus);
    if (confined.size() > cpus.size()) {
      faults.push_back(fault_of(FaultKind::shared_cpu, node, confined, cpus));
    } else if (confined.size() > node.cores_of(cpus).size() && !idle.empty()) {
      faults.push_back(fault_of(FaultKind::shared_core, node, confined, cpus));
    }
  }
  if (!faults.empty() && !idle.empty()) {
    faults.push_back(fault_of(FaultKind::idle_cores, node, {}, idle));
  }
  return faults;
}

/// Whether a process of others can get out of the way of ranks on the node.
bool is_bound(const Occupancy& node, const OtherProcess& process) {
  return !std::ranges::all_of(node.node().pus, [&](const placement::Pu& pu) {
    return std::ranges::binary_search(process.allowed_cpus, pu.os_cpu);
  });
}

/// Bound processes of others that may go nowhere but to these CPUs.
std::vector<OtherProcess> others_confined_to(const Occupancy& node, const std::vector<int>& cpus) {
  std::vector<OtherProcess> confined;
  std::ranges::copy_if(
      node.node().others, std::back_inserter(confined), [&](const OtherProcess& process) {
        return is_bound(node, process) && std::ranges::includes(cpus, process.allowed_cpus);
      });
  return confined;
}

std::size_t threads_of(const std::vector<OtherProcess>& processes) {
  std::size_t threads = 0;
  for (const OtherProcess& process : processes) threads += process.threads;
  return threads;
}

/// Threads of ranks and of other jobs that are confined to the same CPUs and are more than these.
/// Of affinities in each other the innermost.
std::vector<Fault> beside_others(const Occupancy& node) {
  std::vector<std::vector<int>> places = affinities(node);
  for (const OtherProcess& process : node.node().others) places.push_back(process.allowed_cpus);
  std::ranges::stable_sort(places, {}, &std::vector<int>::size);
  std::vector<Fault> faults;
  for (const std::vector<int>& cpus : places) {
    const auto inside = [&](const Fault& fault) { return std::ranges::includes(cpus, fault.cpus); };
    if (std::ranges::any_of(faults, inside)) continue;
    const std::vector<Occupant> confined = node.confined_to(cpus);
    std::vector<OtherProcess> others = others_confined_to(node, cpus);
    const bool is_crowded = confined.size() + threads_of(others) > cpus.size();
    if (confined.empty() || others.empty() || !is_crowded) continue;
    faults.push_back(fault_of(FaultKind::other_job, node, confined, cpus));
    faults.back().others = std::move(others);
  }
  return faults;
}

/// Whether a thread may leave the smallest part of the node that it could be kept in.
bool may_leave_its_part(const Occupancy& node, const ThreadPlace& thread) {
  return std::ranges::any_of(bounds_of_threads, [&](Domain domain) {
    return node.parts_of(thread.allowed_cpus, domain).size() > 1;
  });
}

/// Whether other ranks may be on the cores where this one may, of which each could have its own.
bool overlaps_others(const Occupancy& node, const RankPlace& rank) {
  const std::vector<int> cpus = cpus_of(rank);
  if (node.cores_of(cpus).size() < 2) return false;  // bound, to the same core: that is sharing
  return std::ranges::any_of(node.ranks(), [&](const RankPlace* other) {
    std::vector<int> both;
    std::ranges::set_intersection(cpus, cpus_of(*other), std::back_inserter(both));
    return other->rank != rank.rank && !both.empty();
  });
}

/// Nothing is to be said of it where there are more threads than cores: none can have its own.
std::vector<Fault> unbound(const Occupancy& node) {
  std::map<std::vector<int>, std::vector<Occupant>> found;  // by where they may go
  const bool has_room = node.threads().size() <= node.cores_by_part(Domain::node).begin()->second;
  for (const RankPlace* rank : node.ranks()) {
    const bool overlaps = has_room && overlaps_others(node, *rank);
    for (std::size_t i = 0; i < rank->threads.size(); ++i) {
      const ThreadPlace& thread = rank->threads[i];
      if (!overlaps && !may_leave_its_part(node, thread)) continue;
      found[thread.allowed_cpus].push_back({rank->rank, static_cast<int>(i), &thread});
    }
  }
  std::vector<Fault> faults;
  faults.reserve(found.size());
  for (const auto& [cpus, threads] : found) {
    faults.push_back(fault_of(FaultKind::unbound, node, threads, cpus));
  }
  return faults;
}

/// Whether each rank of the node has room for all its threads in one part of that kind.
bool ranks_fit(const Occupancy& node, Domain domain) {
  std::size_t most = 1;
  for (const RankPlace* rank : node.ranks()) most = std::max(most, rank->threads.size());
  std::size_t room = 0;
  for (const auto& [part, cores] : node.cores_by_part(domain)) room += cores / most;
  return room >= node.ranks().size();
}

/// The coarsest parts over which the rank's threads are spread, though they would fit into one.
std::optional<FaultKind> spread_of(const Occupancy& node, const RankPlace& rank) {
  const std::vector<int> cpus = cpus_of(rank);
  const auto is_spread = [&](Domain domain) {
    return node.parts_of(cpus, domain).size() > 1 && ranks_fit(node, domain);
  };
  if (is_spread(Domain::package)) return FaultKind::across_packages;
  if (is_spread(Domain::numa)) return FaultKind::across_numa;
  if (is_spread(Domain::kind)) return FaultKind::across_kinds;
  if (is_spread(Domain::l3)) return FaultKind::across_l3;
  return std::nullopt;
}

std::vector<Fault> spreading(const Occupancy& node) {
  std::vector<Fault> faults;
  for (const RankPlace* rank : node.ranks()) {
    const auto leaves = [&](const ThreadPlace& thread) { return may_leave_its_part(node, thread); };
    if (rank->threads.size() < 2 || std::ranges::any_of(rank->threads, leaves)) continue;
    const auto kind = spread_of(node, *rank);
    if (!kind) continue;
    const std::vector<int> cpus = cpus_of(*rank);
    faults.push_back({.kind = *kind,
                      .host = rank->host,
                      .ranks = {rank->rank},
                      .threads = rank->threads.size(),
                      .cpus = cpus,
                      .cores = node.cores_of(cpus).size(),
                      .others = {}});
  }
  return faults;
}

std::vector<Fault> far_memory(const Occupancy& node) {
  std::vector<Occupant> far;
  std::set<int> where;
  for (const Occupant& thread : node.threads()) {
    const auto memory = thread.place->memory_node;
    if (!memory || node.local_memory(thread.place->allowed_cpus).contains(*memory)) continue;
    far.push_back(thread);
    where.insert(*memory);
  }
  if (far.empty()) return {};
  Fault fault = fault_of(FaultKind::far_memory, node, far, {});
  fault.cpus.assign(where.begin(), where.end());
  return {fault};
}

}  // namespace

std::vector<Fault> find_faults(const Whereabouts& all) {
  std::vector<Fault> faults;
  for (const NodeCpus& node : all.nodes) {
    const Occupancy occupancy(all, node);
    for (const auto& find : {sharing, beside_others, unbound, spreading, far_memory}) {
      std::ranges::move(find(occupancy), std::back_inserter(faults));
    }
  }
  for (const std::string& host : all.empty_hosts) {
    faults.push_back({.kind = FaultKind::empty_node, .host = host, .ranks = {}, .cpus = {}});
  }
  std::ranges::stable_sort(faults, {}, &Fault::kind);
  return faults;
}

std::vector<OtherProcess> crowding_processes(const Whereabouts& all, const NodeCpus& node) {
  const Occupancy occupancy(all, node);
  std::vector<OtherProcess> free = node.others;
  std::erase_if(free, [&](const OtherProcess& process) { return is_bound(occupancy, process); });
  const std::size_t threads = occupancy.threads().size() + threads_of(free);
  return threads > node.pus.size() ? free : std::vector<OtherProcess>();
}

Domain tightest_domain(const Whereabouts& all) {
  for (const Domain domain : parts_of_nodes) {
    const auto fits = [&](const NodeCpus& node) { return ranks_fit(Occupancy(all, node), domain); };
    if (std::ranges::all_of(all.nodes, fits)) return domain;
  }
  return Domain::node;
}

std::size_t smallest_part(const Whereabouts& all, Domain domain) {
  std::size_t smallest = 0;
  for (const NodeCpus& node : all.nodes) {
    for (const auto& [part, cores] : Occupancy(all, node).cores_by_part(domain)) {
      smallest = smallest == 0 ? cores : std::min(smallest, cores);
    }
  }
  return smallest;
}

}  // namespace hockney::where
