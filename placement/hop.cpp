#include "placement/hop.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/binding.hpp"

namespace hockney {
namespace {

struct NamedHop {
  Hop hop;
  std::string_view name;
};

constexpr std::array hop_names{
    NamedHop{Hop::smt, "smt"},
    NamedHop{Hop::l2, "l2"},
    NamedHop{Hop::l3, "l3"},
    NamedHop{Hop::numa, "numa"},
    NamedHop{Hop::package, "package"},
    NamedHop{Hop::cross_package, "cross-package"},
    NamedHop{Hop::cross_node, "cross-node"},
};

bool share(const std::optional<int>& a, const std::optional<int>& b) { return a && a == b; }

const Pu& known_pu(const Topology& topology, int os_cpu) {
  const Pu* pu = find_pu(topology, os_cpu);
  if (pu == nullptr) throw InputError(unknown_cpu(topology, os_cpu));
  return *pu;
}

}  // namespace

std::string hop_name(Hop hop) {
  return std::string(std::ranges::find(hop_names, hop, &NamedHop::hop)->name);
}

Hop parse_hop(std::string_view name) {
  const auto* const found = std::ranges::find(hop_names, name, &NamedHop::name);
  if (found != hop_names.end()) return found->hop;
  std::vector<std::string> valid;
  valid.reserve(hop_names.size());
  for (const NamedHop& named : hop_names) valid.emplace_back(named.name);
  throw InputError({"unknown hop class '" + std::string(name) + "'",
                    "it is no distance between ranks", suggest(name, valid)});
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
  if (share(a.l3, b.l3)) return Hop::l3;
  if (a.package != b.package) return Hop::cross_package;
  return a.numa == b.numa ? Hop::numa : Hop::package;
}

std::optional<Hop> hop_class(const Topology& topology, int cpu_a, int cpu_b) {
  return hop_class(known_pu(topology, cpu_a), known_pu(topology, cpu_b));
}

}  // namespace hockney
