#include "placement/topology.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "placement/machine.hpp"

namespace hockney::placement {
namespace {

std::vector<Pu> all_pus(const Topology& topology) {
  std::vector<Pu> pus = topology.pus;
  pus.insert(pus.end(), topology.left_out.begin(), topology.left_out.end());
  return pus;
}

std::string word(const std::optional<int>& group) { return group ? std::to_string(*group) : "-"; }

std::string line(const Pu& pu) {
  return fmt::format("{} {} {} {} {} {}\n", pu.os_cpu, pu.core, word(pu.l2), word(pu.l3),
                     pu.numa.empty() ? "-" : format_cpus(pu.numa), pu.package);
}

constexpr std::size_t saturation = std::size_t{1} << 40U;

/// The text without parentheses (attributes) and brackets (attached memory) and their content.
std::string levels_only(std::string_view text) {
  std::string levels;
  int depth = 0;
  for (const char letter : text) {
    if (letter == '(' || letter == '[') ++depth;
    if (depth == 0) levels += letter;
    if (letter == ')' || letter == ']') --depth;
  }
  return levels;
}

std::optional<std::size_t> level_count(const std::string& level) {
  const std::size_t colon = level.rfind(':');
  const std::string number = colon == std::string::npos ? level : level.substr(colon + 1);
  char* end = nullptr;
  const std::size_t count = std::strtoul(number.c_str(), &end, 0);
  if (number.empty() || *end != '\0') return std::nullopt;
  return count;
}

bool has_attribute(std::string_view element, const std::string& name) {
  return element.find(fmt::format(" {}=\"", name)) != std::string_view::npos;
}

}  // namespace

TopologyCounts count_groups(const Topology& topology) {
  std::set<int> packages;
  std::set<int> numa_nodes;
  std::set<int> l3_caches;
  std::set<int> cores;
  for (const Pu& pu : topology.pus) {
    packages.insert(pu.package);
    numa_nodes.insert(pu.numa.begin(), pu.numa.end());
    if (pu.l3) l3_caches.insert(*pu.l3);
    cores.insert(pu.core);
  }
  return {packages.size(), numa_nodes.size(), l3_caches.size(), cores.size(), topology.pus.size()};
}

const Pu* find_pu(const Topology& topology, int os_cpu) {
  for (const std::vector<Pu>* pus : {&topology.pus, &topology.left_out}) {
    const auto found = std::ranges::find(*pus, os_cpu, &Pu::os_cpu);
    if (found != pus->end()) return &*found;
  }
  return nullptr;
}

std::vector<int> usable_cpus(const Topology& topology) {
  std::vector<int> cpus;
  cpus.reserve(topology.pus.size());
  for (const Pu& pu : topology.pus) cpus.push_back(pu.os_cpu);
  std::ranges::sort(cpus);
  return cpus;
}

Topology restricted_to(const Topology& topology, const std::vector<int>& os_cpus) {
  if (os_cpus.empty()) {
    throw InputError({fmt::format("no CPU of topology '{}' is left to use", topology.source),
                      "the list of allowed CPUs is empty", "allow at least one"});
  }
  for (const int cpu : os_cpus) {
    if (find_pu(topology, cpu) == nullptr) throw InputError(unknown_cpu(topology, cpu));
  }
  const std::set<int> wanted(os_cpus.begin(), os_cpus.end());
  Topology restricted = topology;
  restricted.pus.clear();
  restricted.left_out.clear();
  std::vector<Pu> pus = all_pus(topology);
  std::ranges::sort(pus, {}, [](const Pu& pu) { return std::pair(pu.core, pu.os_cpu); });
  for (const Pu& pu : pus) {
    (wanted.contains(pu.os_cpu) ? restricted.pus : restricted.left_out).push_back(pu);
  }
  return restricted;
}

std::string topology_digest(const Topology& topology) {
  std::vector<Pu> pus = all_pus(topology);
  std::ranges::sort(pus, {}, &Pu::os_cpu);
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const Pu& pu : pus) {
    for (const char letter : line(pu)) {
      hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    }
  }
  return fmt::format("{:016x}", hash);
}

std::optional<int> xml_major_version(std::string_view xml) {
  const std::size_t start = xml.find("<topology");
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view element = xml.substr(start, xml.find('>', start) - start);
  constexpr std::string_view attribute = "version=\"";
  const std::size_t version = element.find(attribute);
  if (version == std::string_view::npos) return 1;
  return std::atoi(std::string(element.substr(version + attribute.size())).c_str());
}

bool xml_has_half_a_set(std::string_view xml) {
  constexpr std::string_view tag = "<object ";
  for (std::size_t at = xml.find(tag); at < xml.size(); at = xml.find(tag, at + 1)) {
    const std::string_view element = xml.substr(at, xml.find('>', at) - at);
    for (const std::string set : {"cpuset", "nodeset"}) {
      if (has_attribute(element, set) != has_attribute(element, "complete_" + set)) return true;
    }
  }
  return false;
}

std::optional<std::size_t> synthetic_pu_count(std::string_view text) {
  std::istringstream levels(levels_only(text));
  std::size_t product = 1;
  for (std::string level; levels >> level;) {
    const std::optional<std::size_t> count = level_count(level);
    if (!count) return std::nullopt;
    product = *count == 0 || product <= saturation / *count ? product * *count : saturation;
  }
  return product;
}

}  // namespace hockney::placement
