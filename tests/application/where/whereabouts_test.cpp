#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/application/where/launches.hpp"

namespace hockney::where {
namespace {

/// Leaves what the ranks and nodes of a launch would.
void leave_all(const Whereabouts& all, const std::string& folder) {
  for (const NodeCpus& node : all.nodes) leave_node(node, folder);
  for (const RankPlace& rank : all.ranks) {
    // Parts have the number of their process in their names, which is one here.
    const std::string own = folder + "/rank-" + std::to_string(rank.rank) + ".json";
    leave_part(rank, folder);
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("rank-node")) std::filesystem::rename(entry.path(), own);
    }
  }
}

}  // namespace

TEST_CASE("parts are put together as they were left, ranks in their order") {
  SyntheticLaunch launch;
  launch.rank_on_cores(2, 0, "node2").rank({{5}}, "node1").memory(1, 0, 0);
  const TemporaryFolder folder;
  leave_all(launch.all(), folder.path());
  const Whereabouts all = collect_parts(folder.path(), {"node1.cluster", "node2", "node3"});
  CHECK(all.nodes == launch.all().nodes);
  CHECK(all.ranks == launch.all().ranks);
  CHECK(all.empty_hosts == std::vector<std::string>{"node3"});
}

TEST_CASE("a launch whose ranks are not all there is none") {
  const TemporaryFolder none;
  CHECK_THROWS_WITH(collect_parts(none.path(), {}), Catch::Contains("no rank was started"));
  SyntheticLaunch launch;
  launch.rank({{0}}).rank({{2}}).rank({{4}});
  Whereabouts all = launch.all();
  const TemporaryFolder gap;
  all.ranks.erase(all.ranks.begin() + 1);
  leave_all(all, gap.path());
  CHECK_THROWS_WITH(collect_parts(gap.path(), {}), Catch::Contains("rank 1 is missing"));
  const TemporaryFolder end;
  all.ranks.pop_back();
  all.ranks.front().of = 2;
  leave_all(all, end.path());
  CHECK_THROWS_WITH(collect_parts(end.path(), {}), Catch::Contains("1 of 2 ranks are there"));
  std::filesystem::remove(end.path() + "/node-node1.json");
  const auto more = all.ranks.front();
  all.ranks.front().of = 1;
  leave_all({{}, all.ranks, {}}, end.path());
  CHECK_THROWS_WITH(collect_parts(end.path(), {}), Catch::Contains("CPUs of node node1"));
}

TEST_CASE("CPUs that a job may not use count for nothing") {
  SyntheticLaunch launch("core:4 pu:1");
  launch.rank({{0}}).rank({{0}});
  const auto limited = [&](const std::vector<int>& launcher, const std::vector<int>& listed,
                           const JobLimits& limits, std::vector<std::string>* notes = nullptr) {
    Whereabouts all = launch.all();
    NodeCpus& node = all.nodes.front();
    node.launcher_cpus = launcher;
    node.listed_cpus = listed;
    node.list = "OMPI_MCA_hwloc_base_cpu_list=0";
    const std::vector<std::string> said = keep_job_cpus(all, limits);
    if (notes != nullptr) *notes = said;
    return all.nodes.front().pus.size();
  };
  std::vector<std::string> notes;
  CHECK(limited({0, 1, 2, 3}, {0}, {}, &notes) == 1);
  CHECK(notes == std::vector<std::string>{
                     "OMPI_MCA_hwloc_base_cpu_list=0 keeps the job to 1 of 4 CPUs of node1"});
  CHECK(limited({0, 1}, {}, {}, &notes) == 2);
  CHECK(notes == std::vector<std::string>{
                     "the CPU affinity of its launcher keeps the job to 2 of 4 CPUs of node1"});
  CHECK(limited({0, 1}, {0}, {.launcher = false, .list = false}) == 4);
  // A launcher that puts ranks on other CPUs than its own is not kept to these.
  CHECK(limited({2}, {}, {}) == 4);
  CHECK(limited({}, {}, {}) == 4);
  CHECK(limited({}, {9}, {}) == 4);
}

TEST_CASE("one rank of each node tells its CPUs") {
  const TemporaryFolder folder;
  CHECK(claims_node("node1", folder.path()));
  CHECK_FALSE(claims_node("node1", folder.path()));
  CHECK(claims_node("node2", folder.path()));
}

}  // namespace hockney::where
