#include "benchmarks/harness/job_network.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::benchmarks {
namespace {

Host node_at(const std::string& name, const std::string& address) {
  Host host{.name = name};
  if (!address.empty()) {
    host.network = {{"slurm_address", address}, {"slurm_pattern", "switch.switch.node"}};
  }
  return host;
}

JobPlacement job_on(std::vector<Host> hosts) {
  JobPlacement job;
  for (const Host& host : hosts) {
    job.sites.push_back({.rank = static_cast<int>(job.sites.size()), .host = host.name});
  }
  job.hosts = std::move(hosts);
  return job;
}

const std::string three_hosts =
    R"({"schema": "hockney.sites/1", "levels": ["switch"],
        "places": [{"hosts": "n[1-2]", "sites": ["s1"]}, {"hosts": "n3", "sites": ["s2"]}]})";

}  // namespace

TEST_CASE("what Slurm told every node comes before a site file") {
  const TemporaryFolder folder;
  const std::string file = folder.write("sites.json", three_hosts);
  JobPlacement job = job_on({node_at("n1", "spine.leaf1.n1"), node_at("n2", "spine.leaf2.n2")});
  job.network = find_network(MPI_COMM_WORLD, job, file);
  REQUIRE(job.network);
  CHECK(job.network->origin->source == "slurm-address");
  CHECK(hop_word(job, {0, 1}, placement::Hop::cross_node) == "other-switch");
  CHECK(hop_word(job, {0, 1}, placement::Hop::l3) == "l3");
}

TEST_CASE("the address of the first node, passed on to all, is not believed") {
  const TemporaryFolder folder;
  const std::string file = folder.write("sites.json", three_hosts);
  JobPlacement job = job_on({node_at("n1", "spine.leaf1.n1"), node_at("n2", "spine.leaf1.n1")});
  CHECK_FALSE(find_network(MPI_COMM_WORLD, job, ""));
  job.network = find_network(MPI_COMM_WORLD, job, file);
  REQUIRE(job.network);
  CHECK(job.network->origin->source == "sites");
  CHECK(job.network->origin->detail == file);
  CHECK(hop_word(job, {0, 1}, placement::Hop::cross_node) == "same-switch");
}

TEST_CASE("a host that the site file does not have is remarked, and a bad file stops all") {
  const TemporaryFolder folder;
  JobPlacement job = job_on({node_at("n1", ""), node_at("n9", "")});
  CHECK_FALSE(find_network(MPI_COMM_WORLD, job, folder.write("sites.json", three_hosts)));
  REQUIRE(job.remarks.size() == 1);
  CHECK_THAT(job.remarks.front(), Catch::Contains("does not have host 'n9'"));
  CHECK(hop_word(job, {0, 1}, placement::Hop::cross_node) == "cross-node");
  CHECK_THROWS_AS(find_network(MPI_COMM_WORLD, job, folder.write("bad.json", "{")), InputError);
  CHECK_THROWS_AS(find_network(MPI_COMM_WORLD, job, folder.path() + "/none"), InputError);
}

}  // namespace hockney::benchmarks
