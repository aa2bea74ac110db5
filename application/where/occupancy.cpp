#include "application/where/occupancy.hpp"

#include <algorithm>

namespace hockney::where {

PartKey part_of(const placement::Pu& pu, Domain domain) {
  switch (domain) {
    case Domain::l3:
      return pu.l3 ? PartKey{*pu.l3} : PartKey{};
    case Domain::kind:
      return pu.kind ? PartKey{*pu.kind} : PartKey{};
    case Domain::numa:
      return pu.numa;
    case Domain::package:
      return {pu.package};
    case Domain::node:
      break;
  }
  return {};
}

Occupancy::Occupancy(const Whereabouts& all, const NodeCpus& node)
    : node_(&node), ranks_(ranks_on(all, node.host)) {
  for (const placement::Pu& pu : node.pus) pus_[pu.os_cpu] = &pu;
  for (const RankPlace* rank : ranks_) {
    for (std::size_t i = 0; i < rank->threads.size(); ++i) {
      threads_.push_back({rank->rank, static_cast<int>(i), &rank->threads[i]});
    }
  }
}

std::set<int> Occupancy::cores_of(const std::vector<int>& cpus) const {
  std::set<int> cores;
  for (const int cpu : cpus) {
    if (const auto pu = pus_.find(cpu); pu != pus_.end()) cores.insert(pu->second->core);
  }
  return cores;
}

std::vector<int> Occupancy::whole_cores(const std::vector<int>& cpus) const {
  const std::set<int> cores = cores_of(cpus);
  std::vector<int> whole;
  for (const auto& [cpu, pu] : pus_) {
    if (cores.contains(pu->core)) whole.push_back(cpu);
  }
  return whole;
}

std::set<PartKey> Occupancy::parts_of(const std::vector<int>& cpus, Domain domain) const {
  std::set<PartKey> parts;
  for (const int cpu : cpus) {
    if (const auto pu = pus_.find(cpu); pu != pus_.end())
      parts.insert(part_of(*pu->second, domain));
  }
  return parts;
}

std::map<PartKey, std::size_t> Occupancy::cores_by_part(Domain domain) const {
  std::map<PartKey, std::set<int>> cores;
  for (const placement::Pu& pu : node_->pus) cores[part_of(pu, domain)].insert(pu.core);
  std::map<PartKey, std::size_t> counts;
  for (const auto& [part, its_cores] : cores) counts[part] = its_cores.size();
  return counts;
}

std::vector<Occupant> Occupancy::confined_to(const std::vector<int>& cpus) const {
  std::vector<Occupant> confined;
  std::ranges::copy_if(threads_, std::back_inserter(confined), [&](const Occupant& thread) {
    return std::ranges::includes(cpus, thread.place->allowed_cpus);
  });
  return confined;
}

std::vector<int> Occupancy::idle_cpus() const {
  std::set<int> busy;
  for (const Occupant& thread : threads_) busy.merge(cores_of(thread.place->allowed_cpus));
  std::vector<int> idle;
  for (const auto& [cpu, pu] : pus_) {
    if (!busy.contains(pu->core)) idle.push_back(cpu);
  }
  return idle;
}

std::set<int> Occupancy::local_memory(const std::vector<int>& cpus) const {
  std::set<int> nodes;
  for (const int cpu : cpus) {
    const auto pu = pus_.find(cpu);
    if (pu != pus_.end()) nodes.insert(pu->second->numa.begin(), pu->second->numa.end());
  }
  return nodes;
}

std::vector<int> cpus_of(const RankPlace& rank) {
  std::set<int> cpus;
  for (const ThreadPlace& thread : rank.threads) {
    cpus.insert(thread.allowed_cpus.begin(), thread.allowed_cpus.end());
  }
  return {cpus.begin(), cpus.end()};
}

}  // namespace hockney::where
