#include <catch2/catch.hpp>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/error.hpp"
#include "placement/machine.hpp"
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

namespace {

TEST_CASE("a rank bound to one cache knows its number, a wandering one only the largest size") {
  const placement::Topology topology{
      .last_caches = {{.bytes = 100, .line_bytes = 64, .inner_bytes = 10, .os_cpus = {0, 1}},
                      {.bytes = 200, .line_bytes = 128, .inner_bytes = 5, .os_cpus = {2, 3}}}};
  CHECK(describe_caches(topology, {3}) == RankMemory{1, 200, 128, 5});
  CHECK(describe_caches(topology, {0, 1}) == RankMemory{0, 100, 64, 10});
  CHECK(describe_caches(topology, {1, 2}) == RankMemory{std::nullopt, 200, 128, 10});
  CHECK(describe_caches(topology, {7}) == RankMemory{});
}

TEST_CASE("available memory is read from the kernel's text") {
  CHECK(available_memory("MemTotal:  100 kB\nMemAvailable:      10 kB\nSwap: 1 kB\n") == 10240);
  CHECK(available_memory("MemTotal:  100 kB\n") == 0);
  CHECK(available_memory("") == 0);
}

TEST_CASE("a control group has no more than those it is in") {
  const TemporaryFolder groups;
  CHECK_FALSE(left_in_groups("0::/user/job\n", groups.path()));
  groups.write("user/job/memory.max", "max\n");
  groups.write("user/job/memory.current", "400\n");
  CHECK_FALSE(left_in_groups("0::/user/job\n", groups.path()));
  groups.write("user/memory.max", "1000\n");
  groups.write("user/memory.current", "700\n");
  CHECK(left_in_groups("0::/user/job\n", groups.path()) == 300);
  groups.write("user/memory.stat", "anon 5\ninactive_file 100\nactive_file 9\n");
  CHECK(left_in_groups("0::/user/job\n", groups.path()) == 400);
  groups.write("user/job/memory.max", "500\n");
  CHECK(left_in_groups("0::/user/job\n", groups.path()) == 100);
  groups.write("user/job/memory.current", "600\n");
  CHECK(left_in_groups("0::/user/job\n", groups.path()) == 0);
}

TEST_CASE("control groups of version 1 have limits, too, also inside of a container") {
  const TemporaryFolder groups;
  const std::string text = "5:cpu,cpuacct:/docker/a\n4:memory:/docker/a\n1:name=systemd:/\n0::/\n";
  CHECK_FALSE(left_in_groups(text, groups.path()));
  groups.write("memory/memory.limit_in_bytes", "1000\n");
  groups.write("memory/memory.usage_in_bytes", "900\n");
  groups.write("memory/memory.stat", "cache 800\ntotal_inactive_file 700\n");
  CHECK(left_in_groups(text, groups.path()) == 800);
  CHECK_FALSE(left_in_groups("5:cpu,cpuacct:/docker/a\n", groups.path()));
  CHECK_FALSE(left_in_groups("nonsense", groups.path()));
}

TEST_CASE("every rank knows the memory of all ranks") {
  const placement::Topology topology = placement::read_live_topology();
  const auto cpus = usable_cpus(topology);
  const auto memories = gather_memories(MPI_COMM_WORLD, topology, cpus);
  REQUIRE(static_cast<int>(memories.size()) == size_of(MPI_COMM_WORLD));
  for (const RankMemory& memory : memories) {
    RankMemory expected = describe_caches(topology, cpus);
    expected.free_bytes = memory.free_bytes;
    CHECK(memory == expected);
    CHECK(memory.free_bytes > 0);
  }
}

}  // namespace
}  // namespace hockney::benchmarks
