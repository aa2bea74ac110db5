#include "components/application/where/faults.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "placement/machine.hpp"

namespace hockney::where {
namespace {

/// Sentences of this file.
namespace words {

constexpr std::string_view in_different_parts =
    "{} are in different {} ({}) of {} and would fit into one";
constexpr std::string_view shares_with = "{} {} {} with {}";
constexpr std::string_view limited = "{} share the time of {} of {} ({})";
constexpr std::string_view one_limited = "{} has the time of {} of {} ({})";
constexpr std::string_view shared_core = "{} share {} as hyperthreads";
constexpr std::string_view idle = "{} {} nothing to do";
constexpr std::string_view unbound = "{} {} not bound: anywhere on {}";
constexpr std::string_view across_kinds =
    "{} are on cores of different kinds ({}) of {} and would fit on one kind";
constexpr std::string_view far_memory = "memory of {} is on NUMA node {} of {}, which is not local";
constexpr std::string_view empty_node = "node {} has no rank";

}  // namespace words

constexpr std::array parts_of_nodes{Domain::l3, Domain::numa, Domain::package};
constexpr std::array bounds_of_threads{Domain::l3, Domain::kind, Domain::numa, Domain::package};

/// Distinct rank numbers of some threads.
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

/// Distinct affinities of the node's threads, smallest first.
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

/// Sets of CPUs that must be shared: they confine more threads than they have CPUs, or than cores
/// while others are idle. Of nested affinities only the innermost is reported.
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

/// Control groups whose threads are more than the CPUs whose time they get, smallest limit first.
/// Of nested groups only the tightest is reported; none if the threads have no more CPUs anyway.
std::vector<Fault> beyond_limits(const Occupancy& node) {
  std::map<std::uint64_t, CpuLimit> limits;
  for (const RankPlace* rank : node.ranks()) {
    for (const CpuLimit& limit : rank->limits) limits.emplace(limit.group, limit);
  }
  std::vector<CpuLimit> ordered;
  for (const auto& [group, limit] : limits) ordered.push_back(limit);
  std::ranges::stable_sort(ordered, {}, &CpuLimit::cpus);
  std::vector<Fault> faults;
  for (const CpuLimit& limit : ordered) {
    std::vector<Occupant> inside;
    std::set<int> cpus;
    for (const RankPlace* rank : node.ranks()) {
      if (std::ranges::count(rank->limits, limit.group, &CpuLimit::group) == 0) continue;
      for (std::size_t i = 0; i < rank->threads.size(); ++i) {
        const ThreadPlace& thread = rank->threads[i];
        inside.push_back({rank->rank, static_cast<int>(i), &thread});
        cpus.insert(thread.allowed_cpus.begin(), thread.allowed_cpus.end());
      }
    }
    const bool exceeds = limit.cpus < static_cast<double>(std::min(inside.size(), cpus.size()));
    Fault fault = fault_of(FaultKind::cpu_limit, node, inside, {cpus.begin(), cpus.end()});
    const bool is_known = std::ranges::any_of(faults, [&](const Fault& tighter) {
      return std::ranges::includes(tighter.ranks, fault.ranks);
    });
    if (!exceeds || is_known) continue;
    fault.limit = limit;
    faults.push_back(std::move(fault));
  }
  return faults;
}

/// Whether a process of others lacks some CPU of the node, and so cannot avoid the ranks.
bool is_bound(const Occupancy& node, const OtherProcess& process) {
  return !std::ranges::all_of(node.node().pus, [&](const placement::Pu& pu) {
    return std::ranges::binary_search(process.allowed_cpus, pu.os_cpu);
  });
}

/// Bound processes of others that are confined to these CPUs.
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

/// Sets of CPUs that confine threads of ranks and of other jobs, in sum more than CPUs. Of nested
/// affinities only the innermost is reported.
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

/// Whether a thread may run in several parts of some kind in `bounds_of_threads`.
bool may_leave_its_part(const Occupancy& node, const ThreadPlace& thread) {
  return std::ranges::any_of(bounds_of_threads, [&](Domain domain) {
    return node.parts_of(thread.allowed_cpus, domain).size() > 1;
  });
}

/// Whether another rank may run on a CPU of this rank. False for a rank that is bound to one core.
bool overlaps_others(const Occupancy& node, const RankPlace& rank) {
  const std::vector<int> cpus = cpus_of(rank);
  if (node.cores_of(cpus).size() < 2) return false;  // bound to one core: reported as shared
  return std::ranges::any_of(node.ranks(), [&](const RankPlace* other) {
    std::vector<int> both;
    std::ranges::set_intersection(cpus, cpus_of(*other), std::back_inserter(both));
    return other->rank != rank.rank && !both.empty();
  });
}

/// Reports nothing about overlaps if there are more threads than cores.
std::vector<Fault> unbound(const Occupancy& node) {
  std::map<std::vector<int>, std::vector<Occupant>> found;  // by allowed CPUs
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

/// Whether parts of that kind have room for all ranks of the node, without dividing a rank.
bool ranks_fit(const Occupancy& node, Domain domain) {
  std::size_t most = 1;
  for (const RankPlace* rank : node.ranks()) most = std::max(most, rank->threads.size());
  std::size_t room = 0;
  for (const auto& [part, cores] : node.cores_by_part(domain)) room += cores / most;
  return room >= node.ranks().size();
}

/// The coarsest kind of part over which the rank's threads are spread although one part suffices.
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

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "8 threads of rank 0"; for ranks of one thread each "ranks 0-3".
std::string who(const Fault& fault) {
  const std::string ranks =
      (fault.ranks.size() == 1 ? "rank " : "ranks ") + placement::format_cpus(fault.ranks);
  return fault.threads == fault.ranks.size()
             ? ranks
             : fmt::format("{} of {}", counted(fault.threads, "thread"), ranks);
}

/// "CPU 0", "CPUs 0-3,8".
std::string cpu_words(const std::vector<int>& cpus) {
  return (cpus.size() == 1 ? "CPU " : "CPUs ") + placement::format_cpus(cpus);
}

std::string spread(const Fault& fault, const std::string& parts) {
  return fmt::format(words::in_different_parts, who(fault), parts, cpu_words(fault.cpus),
                     fault.host);
}

std::string limited_text(const Fault& fault) {
  const CpuLimit limit = fault.limit.value_or(CpuLimit{});
  const std::string time = fmt::format("{} CPU{}", limit.cpus, limit.cpus == 1 ? "" : "s");
  return fault.threads == 1
             ? fmt::format(words::one_limited, who(fault), time, fault.host, limit.file)
             : fmt::format(words::limited, who(fault), time, fault.host, limit.file);
}

}  // namespace

std::vector<Fault> find_faults(const RankBindings& all) {
  std::vector<Fault> faults;
  for (const NodeCpus& node : all.nodes) {
    const Occupancy occupancy(all, node);
    for (const auto& find :
         {sharing, beyond_limits, beside_others, unbound, spreading, far_memory}) {
      std::ranges::move(find(occupancy), std::back_inserter(faults));
    }
  }
  for (const std::string& host : all.empty_hosts) {
    faults.push_back({.kind = FaultKind::empty_node, .host = host, .ranks = {}, .cpus = {}});
  }
  std::ranges::stable_sort(faults, {}, &Fault::kind);
  return faults;
}

std::vector<OtherProcess> crowding_processes(const RankBindings& all, const NodeCpus& node) {
  const Occupancy occupancy(all, node);
  std::vector<OtherProcess> free = node.others;
  std::erase_if(free, [&](const OtherProcess& process) { return is_bound(occupancy, process); });
  const std::size_t threads = occupancy.threads().size() + threads_of(free);
  return threads > node.pus.size() ? free : std::vector<OtherProcess>();
}

Domain tightest_domain(const RankBindings& all) {
  for (const Domain domain : parts_of_nodes) {
    const auto fits = [&](const NodeCpus& node) { return ranks_fit(Occupancy(all, node), domain); };
    if (std::ranges::all_of(all.nodes, fits)) return domain;
  }
  return Domain::node;
}

std::size_t smallest_part(const RankBindings& all, Domain domain) {
  std::size_t smallest = 0;
  for (const NodeCpus& node : all.nodes) {
    for (const auto& [part, cores] : Occupancy(all, node).cores_by_part(domain)) {
      smallest = smallest == 0 ? cores : std::min(smallest, cores);
    }
  }
  return smallest;
}

std::string process_text(const std::vector<OtherProcess>& processes) {
  constexpr std::size_t most = 2;
  std::vector<std::string> texts;
  for (const OtherProcess& process : processes) {
    if (texts.size() == most) break;
    texts.push_back(fmt::format("'{}' (pid {}{})", process.command, process.pid,
                                process.user.empty() ? "" : ", user " + process.user));
  }
  if (processes.size() <= most) return join(texts);
  return fmt::format("{} and {} more", join(texts), processes.size() - most);
}

std::string fault_text(const Fault& fault) {
  const bool is_one = fault.threads == 1;
  const std::string there =
      fmt::format("{} ({}) of {}", counted(fault.cores, "core"), cpu_words(fault.cpus), fault.host);
  switch (fault.kind) {
    case FaultKind::shared_cpu:
      return fmt::format("{} share {}", who(fault), there);
    case FaultKind::cpu_limit:
      return limited_text(fault);
    case FaultKind::other_job: {
      const std::size_t count = fault.others.size();
      const std::string others =
          count == 1 ? "another process" : fmt::format("{} other processes", count);
      return fmt::format(words::shares_with, who(fault), is_one ? "shares" : "share", there,
                         others);
    }
    case FaultKind::shared_core:
      return fmt::format(words::shared_core, who(fault), there);
    case FaultKind::idle_cores:
      return fmt::format(words::idle, there, fault.cores == 1 ? "has" : "have");
    case FaultKind::unbound:
      return fmt::format(words::unbound, who(fault), is_one ? "is" : "are", there);
    case FaultKind::across_packages:
      return spread(fault, "packages");
    case FaultKind::across_numa:
      return spread(fault, "NUMA nodes");
    case FaultKind::across_l3:
      return spread(fault, "L3 caches");
    case FaultKind::across_kinds:
      return fmt::format(words::across_kinds, who(fault), cpu_words(fault.cpus), fault.host);
    case FaultKind::far_memory:
      return fmt::format(words::far_memory, who(fault), placement::format_cpus(fault.cpus),
                         fault.host);
    case FaultKind::empty_node:
      break;
  }
  return fmt::format(words::empty_node, fault.host);
}

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

Occupancy::Occupancy(const RankBindings& all, const NodeCpus& node)
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
