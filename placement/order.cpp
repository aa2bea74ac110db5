#include "placement/order.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>

namespace hockney {
namespace {

/// The groups around a PU, outermost first, down to itself.
using Path = std::vector<std::vector<int>>;

Path path_of(const Pu& pu) {
  return {{pu.package},         pu.numa,   {pu.l3.value_or(-1)},
          {pu.l2.value_or(-1)}, {pu.core}, {pu.os_cpu}};
}

/// The place of each group inside the group around it, innermost first: PU in core, core in L2,
/// ..., package in machine.
using Position = std::vector<std::size_t>;

std::vector<Position> positions_of(const std::vector<Pu>& pus) {
  std::map<Path, std::size_t> place_of;
  std::map<Path, std::size_t> members;
  std::vector<Position> positions;
  for (const Pu& pu : pus) {
    Path group;
    Position position;
    for (const std::vector<int>& level : path_of(pu)) {
      const Path around = group;
      group.push_back(level);
      const auto [known, is_new] = place_of.try_emplace(group, members[around]);
      if (is_new) ++members[around];
      position.push_back(known->second);
    }
    std::ranges::reverse(position);
    positions.push_back(position);
  }
  return positions;
}

/// The CPUs in ascending order of what `key` makes of their positions; equal ones stay as they are.
template <class Key>
std::vector<int> ordered(const std::vector<Pu>& pus, Key key) {
  const std::vector<Position> positions = positions_of(pus);
  std::vector<std::size_t> order(pus.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t index) { return key(positions[index]); });
  std::vector<int> cpus;
  cpus.reserve(order.size());
  for (const std::size_t index : order) cpus.push_back(pus[index].os_cpu);
  return cpus;
}

}  // namespace

std::vector<int> compact_order(const Topology& topology) {
  return ordered(topology.pus, [](const Position& position) { return position.front(); });
}

std::vector<int> scatter_order(const Topology& topology) {
  return ordered(topology.pus, [](const Position& position) { return position; });
}

}  // namespace hockney
