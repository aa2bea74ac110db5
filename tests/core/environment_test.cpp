#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {
namespace {

void check(const std::string& variable, const std::string& operation, CollectiveRole role,
           const std::string& of = "") {
  INFO(variable);
  CHECK(collective_variable(variable) == CollectiveVariable{operation, role, of});
}

}  // namespace

TEST_CASE("variables of the libraries name operation and role") {
  check("OMPI_MCA_coll_tuned_bcast_algorithm", "bcast", CollectiveRole::algorithm);
  check("OMPI_MCA_coll_tuned_reduce_scatter_block_algorithm", "reduce-scatter-block",
        CollectiveRole::algorithm);
  check("OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize", "bcast", CollectiveRole::segment);
  check("OMPI_MCA_coll_tuned_reduce_algorithm_chain_fanout", "reduce", CollectiveRole::fanout,
        "chain");
  check("OMPI_MCA_coll_tuned_alltoall_algorithm_max_requests", "alltoall",
        CollectiveRole::requests);
  check("I_MPI_ADJUST_REDUCE_SCATTER", "reduce-scatter", CollectiveRole::algorithm);
  check("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "allreduce", CollectiveRole::algorithm);
  check("MPIR_CVAR_BCAST_TREE_KVAL", "bcast", CollectiveRole::other);
}

TEST_CASE("other variables say nothing about a collective") {
  for (const char* variable :
       {"OMPI_MCA_coll_tuned_use_dynamic_rules", "OMPI_MCA_coll_tuned_priority",
        "OMPI_MCA_btl_vader_eager_limit", "I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK", "I_MPI_FABRICS",
        "MPIR_CVAR_DEVICE_COLLECTIVES", "MPIR_CVAR_CH4_NETMOD", "PATH"}) {
    INFO(variable);
    CHECK_FALSE(collective_variable(variable));
  }
}

TEST_CASE("a simulator's algorithm is an option of its launcher") {
  CHECK(simulated_choice("--cfg=smpi/reduce_scatter:ompi_ring") ==
        SimulatedChoice{"reduce-scatter", "ompi_ring"});
  CHECK_FALSE(simulated_choice("--cfg=smpi/bw-factor:0:1"));
  CHECK_FALSE(simulated_choice("--cfg=smpi/bcast"));
}

TEST_CASE("the variables of an operation") {
  CHECK(algorithm_variables("reduce-scatter") ==
        std::vector<std::string>{"OMPI_MCA_coll_tuned_reduce_scatter_algorithm",
                                 "I_MPI_ADJUST_REDUCE_SCATTER",
                                 "MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM"});
  CHECK(algorithm_variables("pingpong").empty());
}

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
