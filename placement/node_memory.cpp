#include "placement/node_memory.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "placement/hwloc_handle.hpp"

namespace hockney::placement {

struct NodeMemory::State {
  detail::HwlocTopology topology;

  [[nodiscard]] hwloc_obj_t node(int number) const {
    hwloc_obj_t found = nullptr;
    while ((found = hwloc_get_next_obj_by_type(topology.get(), HWLOC_OBJ_NUMANODE, found)) !=
           nullptr) {
      if (static_cast<int>(found->os_index) == number) return found;
    }
    return nullptr;
  }
};

namespace {

detail::HwlocTopology load(const std::string& synthetic) {
  detail::HwlocTopology topology = detail::new_topology();
  const bool is_made =
      synthetic.empty() || hwloc_topology_set_synthetic(topology.get(), synthetic.c_str()) == 0;
  if (is_made && hwloc_topology_load(topology.get()) == 0) return topology;
  throw RunError({"cannot read the NUMA nodes of this machine", std::strerror(errno), ""});
}

std::vector<int> numbers_of_nodes(hwloc_topology_t topology) {
  std::vector<int> numbers;
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr) {
    numbers.push_back(static_cast<int>(node->os_index));
  }
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

NodeMemory::NodeMemory() : NodeMemory(std::string()) {}

NodeMemory::NodeMemory(const std::string& synthetic)
    : state_(std::make_unique<State>(State{load(synthetic)})),
      nodes_(numbers_of_nodes(state_->topology.get())) {}

NodeMemory::NodeMemory(NodeMemory&&) noexcept = default;
NodeMemory& NodeMemory::operator=(NodeMemory&&) noexcept = default;
NodeMemory::~NodeMemory() = default;

std::optional<int> NodeMemory::near(int os_cpu) const {
  for (const int number : nodes_) {
    const hwloc_obj_t node = state_->node(number);
    if (node->cpuset != nullptr &&
        hwloc_bitmap_isset(node->cpuset, static_cast<unsigned>(os_cpu)) != 0)
      return number;
  }
  return std::nullopt;
}

/// As the machine states it (ACPI SLIT); else how far up the tree the two meet.
double NodeMemory::distance(int from, int to) const {
  hwloc_topology_t topology = state_->topology.get();
  const hwloc_obj_t here = state_->node(from);
  const hwloc_obj_t there = state_->node(to);
  hwloc_distances_s* stated = nullptr;
  unsigned count = 1;
  const int found = hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &stated,
                                                HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
  if (found == 0 && count > 0) {
    hwloc_uint64_t forth = 0;
    hwloc_uint64_t back = 0;
    const int known = hwloc_distances_obj_pair_values(stated, here, there, &forth, &back);
    hwloc_distances_release(topology, stated);
    if (known == 0) return static_cast<double>(forth);
  }
  return -static_cast<double>(hwloc_get_common_ancestor_obj(topology, here, there)->depth);
}

std::optional<int> NodeMemory::far(int os_cpu) const {
  const std::optional<int> own = near(os_cpu);
  if (!own) return std::nullopt;
  std::vector<int> others = nodes_;
  std::erase(others, *own);
  if (others.empty()) return std::nullopt;
  return *std::ranges::max_element(others, {}, [&](int node) { return distance(*own, node); });
}

std::string NodeMemory::bind(void* memory, std::size_t bytes, int node) const {
  const hwloc_obj_t object = state_->node(node);
  if (object == nullptr) return "there is no NUMA node " + std::to_string(node);
  const int bound =
      hwloc_set_area_membind(state_->topology.get(), memory, bytes, object->nodeset,
                             HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT);
  return bound == 0 ? std::string() : std::strerror(errno);
}

std::vector<int> NodeMemory::nodes_of(const void* memory, std::size_t bytes) const {
  const detail::HwlocBitmap nodes = detail::new_bitmap();
  const int known = hwloc_get_area_memlocation(state_->topology.get(), memory, bytes, nodes.get(),
                                               HWLOC_MEMBIND_BYNODESET);
  return known == 0 ? detail::members(nodes.get()) : std::vector<int>();
}

int current_cpu() { return ::sched_getcpu(); }

}  // namespace hockney::placement
