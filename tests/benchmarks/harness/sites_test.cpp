#include <mpi.h>

#include <catch2/catch.hpp>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("sites are numbered by host, in order of first appearance") {
  const auto sites = number_sites({"b", "a", "b", "b"});
  REQUIRE(sites.size() == 4);
  CHECK(sites[1].node == 1);
  CHECK(sites[1].local_rank == 0);
  CHECK(sites[1].local_size == 1);
  CHECK(sites[3].node == 0);
  CHECK(sites[3].local_rank == 2);
  CHECK(sites[3].local_size == 3);
  CHECK(sites[3].rank == 3);
}

TEST_CASE("the sites of a real job agree on all ranks") {
  const auto sites = gather_sites(MPI_COMM_WORLD);
  const int ranks = size_of(MPI_COMM_WORLD);
  REQUIRE(static_cast<int>(sites.size()) == ranks);
  CHECK(sites.front().node == 0);
  CHECK(sites.back().local_size == ranks);  // tests run on one host
  CHECK(sites.back().local_rank == ranks - 1);
}

TEST_CASE("a PU survives the journey as text") {
  const placement::Pu full{
      .os_cpu = 130, .core = 65, .l2 = 65, .l3 = 8, .numa = {1, 5}, .package = 1};
  CHECK(read_pu(pu_text(full)) == full);
  const placement::Pu bare{.os_cpu = 0, .core = 0, .numa = {}, .package = 0};
  CHECK(read_pu(pu_text(bare)) == bare);
}

TEST_CASE("a host survives the journey as text") {
  const Host host{.name = "n1",
                  .cpu_model = "A CPU",
                  .kernel = "Linux 6",
                  .clocksource = "tsc",
                  .topology_digest = "0123",
                  .cpus = 64,
                  .load_average = 0.5};
  CHECK(unpack_host(pack(host)) == host);
}

TEST_CASE("a host with line breaks in its facts survives, too") {
  const Host host{
      .name = "n\n1", .cpu_model = "A\nCPU", .network = {{"SLURM_TOPOLOGY_ADDR", "\n"}}};
  CHECK(unpack_host(pack(host)) == host);
}

TEST_CASE("what is no host is an error of the run") {
  for (const std::string& text : {std::string(), std::string("n1\nA CPU"), std::string("{}"),
                                  pack({.name = "n1"}).substr(1), std::string(10, '\0')}) {
    CHECK_THROWS_AS(unpack_host(text), RunError);
  }
}

}  // namespace
}  // namespace hockney::benchmarks
