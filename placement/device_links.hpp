#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace hockney::placement {

/// How two GPUs of a node are connected, near to far.
enum class DeviceHop {
  same_device,
  nvlink,        ///< NVLink, between NVIDIA's
  xgmi,          ///< Infinity Fabric, between AMD's
  pcie_switch,   ///< PCIe below one root port
  host_bridge,   ///< PCIe through one host bridge
  package,       ///< PCIe through several host bridges of a package
  cross_package  ///< through the connection between packages
};

constexpr auto words_of(std::type_identity<DeviceHop>) {
  return std::to_array<std::string_view>(
      {"same-device", "nvlink", "xgmi", "pcie-switch", "host-bridge", "package", "cross-package"});
}

/// The connections of the GPUs of a machine, as hwloc finds them. It finds NVLink and XGMI only
/// with its plugins for NVML and RSMI; without them a connection is named after the PCIe tree.
class DeviceLinks {
 public:
  /// RunError if hwloc cannot read the machine. `xml` is a file of lstopo that describes another
  /// machine; empty: this one.
  explicit DeviceLinks(const std::string& xml = "");
  DeviceLinks(const DeviceLinks&) = delete;
  DeviceLinks& operator=(const DeviceLinks&) = delete;
  DeviceLinks(DeviceLinks&&) noexcept;
  DeviceLinks& operator=(DeviceLinks&&) noexcept;
  ~DeviceLinks();

  /// For two PCI addresses such as "0000:3b:00.0"; nullopt if hwloc lacks one of them.
  [[nodiscard]] std::optional<DeviceHop> between(const std::string& one,
                                                 const std::string& other) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hockney::placement
