#include "placement/device_links.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace hockney::placement {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTree = std::unique_ptr<hwloc_topology, Destroy>;

HwlocTree load_with_devices(const std::string& xml) {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) throw std::bad_alloc();
  HwlocTree topology(made);
  hwloc_topology_set_io_types_filter(made, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  const bool is_set = xml.empty() || hwloc_topology_set_xml(made, xml.c_str()) == 0;
  if (is_set && hwloc_topology_load(made) == 0) return topology;
  throw RunError({"cannot read the devices of this machine", std::strerror(errno), ""});
}

/// The PCI device of an object of the operating system, such as nvml0, or the object itself.
hwloc_obj_t pci_of(hwloc_obj_t object) {
  while (object != nullptr && object->type == HWLOC_OBJ_OS_DEVICE) object = object->parent;
  return object;
}

/// Whether the matrix `name` has a bandwidth between the devices.
bool has_link(hwloc_topology_t topology, const char* name, hwloc_obj_t one, hwloc_obj_t other) {
  unsigned count = 1;
  hwloc_distances_s* matrix = nullptr;
  const int error = hwloc_distances_get_by_name(topology, name, &count, &matrix, 0);
  if (error != 0 || count == 0) return false;
  hwloc_uint64_t most = 0;
  for (unsigned row = 0; row < matrix->nbobjs; ++row) {
    if (pci_of(matrix->objs[row]) != one) continue;
    for (unsigned column = 0; column < matrix->nbobjs; ++column) {
      if (pci_of(matrix->objs[column]) != other) continue;
      most = std::max(most, matrix->values[std::size_t{row} * matrix->nbobjs + column]);
    }
  }
  hwloc_distances_release(topology, matrix);
  return most > 0;
}

std::vector<hwloc_obj_t> ancestors_of(hwloc_obj_t object) {
  std::vector<hwloc_obj_t> ancestors;
  for (object = object->parent; object != nullptr; object = object->parent) {
    ancestors.push_back(object);
  }
  return ancestors;
}

bool is_bridge(hwloc_obj_t object, hwloc_obj_bridge_type_t upstream) {
  return object->type == HWLOC_OBJ_BRIDGE && object->attr->bridge.upstream_type == upstream;
}

/// What two different devices share in the tree of PCIe and the machine.
DeviceHop shared_part(hwloc_topology_t topology, hwloc_obj_t one, hwloc_obj_t other) {
  const std::vector<hwloc_obj_t> others = ancestors_of(other);
  const std::vector<hwloc_obj_t> own = ancestors_of(one);
  const auto shared = std::ranges::find_first_of(own, others);
  if (shared == own.end()) return DeviceHop::cross_package;
  if (is_bridge(*shared, HWLOC_OBJ_BRIDGE_PCI)) return DeviceHop::pcie_switch;
  if (is_bridge(*shared, HWLOC_OBJ_BRIDGE_HOST)) return DeviceHop::host_bridge;
  const bool is_machine = (*shared)->type == HWLOC_OBJ_MACHINE;
  const int packages = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);
  return is_machine && packages > 1 ? DeviceHop::cross_package : DeviceHop::package;
}

}  // namespace

struct DeviceLinks::State {
  HwlocTree topology;
};

DeviceLinks::DeviceLinks(const std::string& xml)
    : state_(std::make_unique<State>(State{load_with_devices(xml)})) {}
DeviceLinks::DeviceLinks(DeviceLinks&&) noexcept = default;
DeviceLinks& DeviceLinks::operator=(DeviceLinks&&) noexcept = default;
DeviceLinks::~DeviceLinks() = default;

std::optional<DeviceHop> DeviceLinks::between(const std::string& one,
                                              const std::string& other) const {
  if (one == other) return DeviceHop::same_device;
  hwloc_topology_t topology = state_->topology.get();
  hwloc_obj* const first = hwloc_get_pcidev_by_busidstring(topology, one.c_str());
  hwloc_obj* const second = hwloc_get_pcidev_by_busidstring(topology, other.c_str());
  if (first == nullptr || second == nullptr) return std::nullopt;
  for (const auto& [name, hop] : {std::pair{"NVLinkBandwidth", DeviceHop::nvlink},
                                  std::pair{"XGMIBandwidth", DeviceHop::xgmi}}) {
    if (has_link(topology, name, first, second)) return hop;
  }
  return shared_part(topology, first, second);
}

}  // namespace hockney::placement
