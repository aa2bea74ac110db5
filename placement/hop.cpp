#include "placement/hop.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/named_values.hpp"
#include "core/text.hpp"
#include "placement/binding.hpp"

namespace hockney::placement {
namespace {

constexpr NamedValues<Hop, 9> hop_names{{{Hop::smt, "smt"},
                                         {Hop::l2, "l2"},
                                         {Hop::l3, "l3"},
                                         {Hop::l3_efficient, "l3-efficient"},
                                         {Hop::kinds, "kinds"},
                                         {Hop::numa, "numa"},
                                         {Hop::package, "package"},
                                         {Hop::cross_package, "cross-package"},
                                         {Hop::cross_node, "cross-node"}}};

bool share(const std::optional<int>& a, const std::optional<int>& b) { return a && a == b; }

const Pu& known_pu(const Topology& topology, int os_cpu) {
  const Pu* pu = find_pu(topology, os_cpu);
  if (pu == nullptr) throw InputError(unknown_cpu(topology, os_cpu));
  return *pu;
}

bool wanted(const Pu& a, const Pu& b, Hop hop) { return hop_class(a, b) == hop; }

/// Pairs of the class, first come first served, no PU in two of them.
std::vector<CpuPair> match(const std::vector<Pu>& pus, Hop hop) {
  std::vector<CpuPair> pairs;
  std::vector<bool> used(pus.size(), false);
  for (std::size_t i = 0; i < pus.size(); ++i) {
    for (std::size_t j = i + 1; j < pus.size() && !used[i]; ++j) {
      if (used[j] || !wanted(pus[i], pus[j], hop)) continue;
      used[i] = used[j] = true;
      pairs.push_back(make_pair_of(pus[i].os_cpu, pus[j].os_cpu));
    }
  }
  return pairs;
}

std::vector<CpuPair> evenly_spaced(const std::vector<CpuPair>& pairs, std::size_t count) {
  if (pairs.size() <= count) return pairs;
  std::vector<CpuPair> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(pairs[i * pairs.size() / count]);
  return chosen;
}

}  // namespace

std::string hop_name(Hop hop) { return name_in(hop_names, hop); }

Hop parse_hop(std::string_view name) {
  return value_in(hop_names, name, "unknown hop class '" + std::string(name) + "'",
                  "it is no distance between ranks");
}

std::vector<Hop> parse_hops(std::string_view names) {
  std::vector<Hop> hops;
  for (const std::string& name : split(names, ',')) hops.push_back(parse_hop(name));
  return hops;
}

std::optional<Hop> hop_class(const Pu& a, const Pu& b) {
  if (a.os_cpu == b.os_cpu) return std::nullopt;
  if (a.core == b.core) return Hop::smt;
  if (share(a.l2, b.l2)) return Hop::l2;
  if (a.package != b.package && !share(a.l3, b.l3)) return Hop::cross_package;
  if (a.kind != b.kind) return Hop::kinds;
  if (share(a.l3, b.l3)) return a.kind.value_or(0) == 0 ? Hop::l3 : Hop::l3_efficient;
  return a.numa == b.numa ? Hop::numa : Hop::package;
}

std::optional<Hop> hop_class(const Topology& topology, int cpu_a, int cpu_b) {
  return hop_class(known_pu(topology, cpu_a), known_pu(topology, cpu_b));
}

CpuPair make_pair_of(int cpu_a, int cpu_b) {
  return {std::min(cpu_a, cpu_b), std::max(cpu_a, cpu_b)};
}

std::vector<HopPair> all_pairs(const Topology& topology) {
  const std::vector<Pu>& pus = topology.pus;
  std::vector<HopPair> pairs;
  pairs.reserve(pus.size() * (pus.size() - 1) / 2);
  for (std::size_t i = 0; i < pus.size(); ++i) {
    for (std::size_t j = i + 1; j < pus.size(); ++j) {
      const std::optional<Hop> hop = hop_class(pus[i], pus[j]);
      if (hop) pairs.push_back({*hop, make_pair_of(pus[i].os_cpu, pus[j].os_cpu)});
    }
  }
  return pairs;
}

std::vector<HopCount> count_pairs(const Topology& topology) {
  const std::vector<Pu>& pus = topology.pus;
  std::map<Hop, std::size_t> counts;
  for (std::size_t i = 0; i < pus.size(); ++i) {
    for (std::size_t j = i + 1; j < pus.size(); ++j) {
      const std::optional<Hop> hop = hop_class(pus[i], pus[j]);
      if (hop) ++counts[*hop];
    }
  }
  std::vector<HopCount> listed;
  listed.reserve(counts.size());
  for (const auto& [hop, pairs] : counts) listed.push_back({hop, pairs});
  return listed;
}

std::vector<Pu> first_of_each_core(const Topology& topology) {
  std::set<int> cores;
  std::vector<Pu> firsts;
  for (const Pu& pu : topology.pus) {
    if (cores.insert(pu.core).second) firsts.push_back(pu);
  }
  return firsts;
}

bool beside_cpu_zero(const Topology& topology, const Pu& pu) {
  const Pu* zero = find_pu(topology, 0);
  return zero != nullptr && zero->core == pu.core;
}

std::vector<CpuPair> spread_pairs(const Topology& topology, Hop hop, std::size_t count) {
  const std::vector<Pu> candidates = hop == Hop::smt ? topology.pus : first_of_each_core(topology);
  std::vector<Pu> quiet = candidates;
  std::erase_if(quiet, [&](const Pu& pu) { return beside_cpu_zero(topology, pu); });
  const std::vector<CpuPair> pairs = match(quiet, hop);
  return evenly_spaced(pairs.size() < count ? match(candidates, hop) : pairs, count);
}

}  // namespace hockney::placement
