#include "placement/device_links.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::placement {
namespace {

/// A GPU of lstopo's XML at a PCI address, with its NVML device `number`.
std::string gpu(const std::string& address, int number) {
  const std::string index = std::to_string(number);
  return R"(<object type="PCIDev" gp_index="2)" + index + R"(" pci_busid=")" + address +
         R"(" pci_type="0302 [10de:2330] [10de:16c1] a1" pci_link_speed="63.0">
    <object type="OSDev" gp_index="3)" +
         index + R"(" name="nvml)" + index + R"(" subtype="NVML" osdev_type="5"/></object>)";
}

/// A host bridge around PCI devices.
std::string host_bridge(int number, const std::string& bus, const std::string& content) {
  return R"(<object type="Bridge" gp_index="4)" + std::to_string(number) +
         R"(" bridge_type="0-1" depth="0" bridge_pci="0000:[)" + bus + R"(]">)" + content +
         "</object>";
}

std::string pcie_switch(int number, const std::string& address, const std::string& bus,
                        const std::string& content) {
  return R"(<object type="Bridge" gp_index="5)" + std::to_string(number) +
         R"(" bridge_type="1-1" depth="1" bridge_pci="0000:[)" + bus + R"(]" pci_busid=")" +
         address + R"(" pci_type="0604 [10b5:8747] [10b5:8747] ca" pci_link_speed="15.7">)" +
         content + "</object>";
}

std::string package(int number, const std::string& content) {
  const std::string set = number == 0 ? "0x00000001" : "0x00000002";
  const std::string sets = R"( cpuset=")" + set + R"(" complete_cpuset=")" + set +
                           R"(" nodeset=")" + set + R"(" complete_nodeset=")" + set + R"(")";
  const std::string index = std::to_string(number);
  return R"(<object type="Package" os_index=")" + index + "\"" + sets + R"( gp_index="6)" + index +
         R"("><object type="NUMANode" os_index=")" + index + "\"" + sets + R"( gp_index="7)" +
         index + R"(" local_memory="1024"/><object type="Core" os_index="0")" + sets +
         R"( gp_index="8)" + index + R"("><object type="PU" os_index=")" + index + "\"" + sets +
         R"( gp_index="9)" + index + R"("/></object>)" + content + "</object>";
}

/// Two packages: GPUs 1 and 2 behind a switch and 3 beside it, 4 below another host bridge of the
/// package, and 5 at the other package. NVLink joins 3 and 5.
std::string machine_with_devices() {
  const std::string near =
      host_bridge(
          0, "00-0f",
          pcie_switch(0, "0000:00:01.0", "01-02", gpu("0000:01:00.0", 1) + gpu("0000:02:00.0", 2)) +
              gpu("0000:00:03.0", 3)) +
      host_bridge(1, "10-1f", gpu("0000:10:00.0", 4));
  const std::string far = host_bridge(2, "80-8f", gpu("0000:80:00.0", 5));
  return R"(<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0"><object type="Machine" os_index="0" cpuset="0x00000003"
 complete_cpuset="0x00000003" allowed_cpuset="0x00000003" nodeset="0x00000003"
 complete_nodeset="0x00000003" allowed_nodeset="0x00000003" gp_index="1">)" +
         package(0, near) + package(1, far) + R"(</object>
<distances2hetero nbobjs="2" kind="9" name="NVLinkBandwidth" indexing="gp">
<indexes length="18">OSDev:33 OSDev:35 </indexes>
<u64values length="10">0 50 50 0 </u64values></distances2hetero></topology>)";
}

class Machine {
 public:
  Machine() { std::ofstream(file()) << machine_with_devices(); }
  [[nodiscard]] std::string file() const { return folder_.path() + "/machine.xml"; }

 private:
  TemporaryFolder folder_;
};

TEST_CASE("two GPUs of a node are as far apart as PCIe and NVLink say") {
  const Machine machine;
  const DeviceLinks links(machine.file());
  const std::string first = "0000:01:00.0";
  CHECK(links.between(first, first) == DeviceHop::same_device);
  CHECK(links.between(first, "0000:02:00.0") == DeviceHop::pcie_switch);
  CHECK(links.between(first, "0000:00:03.0") == DeviceHop::host_bridge);
  CHECK(links.between(first, "0000:10:00.0") == DeviceHop::package);
  CHECK(links.between(first, "0000:80:00.0") == DeviceHop::cross_package);
  CHECK(links.between("0000:00:03.0", "0000:80:00.0") == DeviceHop::nvlink);
  CHECK(links.between("0000:80:00.0", "0000:00:03.0") == DeviceHop::nvlink);
}

TEST_CASE("a device that hwloc lacks has no connection to others, and is the same as itself") {
  const Machine machine;
  const DeviceLinks links(machine.file());
  CHECK(links.between("0000:01:00.0", "0000:77:00.0") == std::nullopt);
  CHECK(links.between("0000:77:00.0", "0000:77:00.0") == DeviceHop::same_device);
  CHECK(links.between("0000:01:00.0", "not an address") == std::nullopt);
}

TEST_CASE("this machine can be read, and a file that is none is refused") {
  CHECK_NOTHROW(DeviceLinks());
  CHECK_THROWS_AS(DeviceLinks("/nonexistent.xml"), RunError);
}

}  // namespace
}  // namespace hockney::placement
