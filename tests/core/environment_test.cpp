#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {
namespace {

/// A PCI device.
void add_device(const TemporaryFolder& root, const std::string& address, const std::string& vendor,
                const std::string& device, const std::string& kind) {
  const std::string folder = "sys/bus/pci/devices/" + address;
  root.write(folder + "/vendor", vendor + "\n");
  root.write(folder + "/device", device + "\n");
  root.write(folder + "/class", kind + "\n");
}

}  // namespace

TEST_CASE("GPUs are named by their driver, or by maker and number, in order of addresses") {
  const TemporaryFolder root;
  CHECK(read_gpus(root.path()).empty());
  add_device(root, "0000:c1:00.0", "0x1002", "0x74a1", "0x120000");
  add_device(root, "0000:3b:00.0", "0x10de", "0x2335", "0x030200");
  add_device(root, "0000:03:00.0", "0x1a03", "0x2000", "0x030000");  // of the board's controller
  add_device(root, "0000:02:00.0", "0x8086", "0x1592", "0x020000");  // a network adapter
  add_device(root, "0000:04:00.0", "0x8086", "0x7d1d", "0x120000");  // no GPU
  CHECK(read_gpus(root.path()) ==
        std::vector<std::string>{"NVIDIA [10de:2335]", "AMD [1002:74a1]"});
  root.write("proc/driver/nvidia/gpus/0000:3b:00.0/information",
             "Model: \t\t NVIDIA H200\nIRQ:   \t\t 5\n");
  root.write("sys/bus/pci/devices/0000:c1:00.0/product_name", "AMD Instinct MI300X\n");
  CHECK(read_gpus(root.path()) ==
        std::vector<std::string>{"NVIDIA H200 [10de:2335]", "AMD Instinct MI300X [1002:74a1]"});
}

TEST_CASE("a board has a serial number if it may be read and is none of the placeholders") {
  const TemporaryFolder folder;
  const std::string file = "sys/class/dmi/id/board_serial";
  CHECK(read_board_serial(folder.path()).empty());
  folder.write(file, " S1X9 \n");
  CHECK(read_board_serial(folder.path()) == "S1X9");
  for (const char* text : {"To be filled by O.E.M.\n", "None\n", "\n", "Default string\n"}) {
    folder.write(file, text);
    CHECK(read_board_serial(folder.path()).empty());
  }
}

TEST_CASE("hardware of this machine has memory") {
  Host host;
  add_hardware(host);
  CHECK(host.memory_bytes.value_or(0) > 1'000'000);
}

}  // namespace hockney
