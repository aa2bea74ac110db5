#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "components/application/where/faults.hpp"
#include "components/application/where/rank_bindings.hpp"
#include "core/error.hpp"
#include "tests/components/application/where/launches.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::where {
namespace {

/// A folder as the kernel's /proc.
class FakeProc {
 public:
  /// A thread of a process, the first of which has its number.
  FakeProc& thread(int pid, int number, const std::string& state, int ticks,
                   const std::string& cpus, int parent = 1, const std::string& name = "a) (b") {
    const std::string own = std::to_string(pid);
    const std::string folder = own + "/task/" + std::to_string(number);
    std::filesystem::create_directories(folder_.path() + "/" + folder);
    std::string stat = own + " (" + name + ") " + state + " " + std::to_string(parent);
    for (int field = 5; field <= 52; ++field) {
      stat += " " + std::to_string(field == 14 ? ticks : field == 39 ? 3 : 0);
    }
    const std::string status = "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t" + cpus + "\n";
    write(folder + "/stat", stat);
    write(folder + "/status", status);
    write(folder + "/children", "");
    if (pid == number) write(own + "/stat", stat);
    return *this;
  }

  FakeProc& write(const std::string& file, const std::string& text) {
    folder_.write(file, text);
    return *this;
  }

  [[nodiscard]] std::string path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("processes are read as the kernel has them, whatever their names") {
  FakeProc proc;
  proc.thread(10, 10, "S", 7, "0-3").thread(10, 11, "R", 9, "2", 1);
  proc.thread(12, 12, "R", 1, "0", 10, "hello")
      .write("12/cmdline", std::string("/x/hello-world\0-p\0", 18));
  proc.write("uptime", "1 2");
  const ProcessSamples samples = sample_processes(proc.path());
  REQUIRE(samples.size() == 2);
  CHECK(samples.at(10).command == "a) (b");
  CHECK(samples.at(12).command == "hello-world");
  CHECK(samples.at(10).threads.at(11).is_running);
  CHECK(samples.at(10).threads.at(11).ticks == 9);
  CHECK(samples.at(10).threads.at(11).last_cpu == 3);
  CHECK(samples.at(10).threads.at(10).allowed_cpus == std::vector<int>{0, 1, 2, 3});
  CHECK(descendants_of(samples, 10) == std::set<int>{10, 12});
  CHECK(ancestors_of(samples, 12) == std::set<int>{1, 10, 12});
  proc.write("10/task/11/children", "12 ");
  CHECK(sample_family(10, proc.path()).size() == 2);
  CHECK(sample_family(12, proc.path()).size() == 1);
  CHECK(sample_family(99, proc.path()).empty());
}

TEST_CASE("what cannot be read of a process is left out") {
  FakeProc proc;
  proc.thread(10, 10, "S", 7, "0-3");
  proc.write("11/stat", "11 (cut");
  proc.write("12/stat", "12 (none) S 1 2");
  proc.thread(13, 13, "R", 1, "nonsense");
  CHECK(sample_processes(proc.path()).size() == 1);
  CHECK(sample_processes(proc.path() + "/none").empty());
}

TEST_CASE("a process is busy that used a fifth of a CPU or more") {
  const long second = ::sysconf(_SC_CLK_TCK);
  const auto at = [&](int busy, int idle) {
    ProcessSamples samples;
    samples[5] = {1, "busy", "ann", {{5, {busy, true, 0, {0}}}, {6, {busy, true, 0, {0}}}}};
    samples[7] = {1, "idle", "ann", {{7, {idle, true, 0, {0}}}}};
    samples[8] = {1, "own", "ann", {{8, {busy, true, 0, {0}}}}};
    return samples;
  };
  const auto fifth = static_cast<int>(second / 5);
  const auto busy = busy_processes(at(100, 100), at(100 + fifth, 99 + fifth), Seconds{1}, {8});
  REQUIRE(busy.size() == 1);
  CHECK(busy.front() == OtherProcess{5, "busy", "ann", {0}, 2});
  CHECK(busy_processes({}, at(100, 100), Seconds{1}, {}).empty());
}

TEST_CASE("threads at work are those of one phase, not of the next") {
  // A thread begins, then two others work and it waits for them.
  ThreadWatch watch;
  const auto moment = [](bool first, bool others) {
    ProcessSamples samples;
    samples[5].threads = {{5, {0, first, 2, {0, 1}}},
                          {6, {0, others, 0, {0}}},
                          {7, {0, others, 1, {0}}},
                          {8, {0, false, 1, {0}}}};
    return samples;
  };
  CHECK(watch.most().empty());
  watch.add(moment(false, false), 5);
  CHECK(watch.most() == std::vector<ThreadPlace>{{{0, 1}, 2, {}}});
  for (int i = 0; i < 8; ++i) watch.add(moment(true, false), 5);
  for (int i = 0; i < 20; ++i) watch.add(moment(false, true), 5);
  CHECK(watch.most() == std::vector<ThreadPlace>{{{0}, 0, {}}, {{0}, 1, {}}});
}

TEST_CASE("threads of a program that ends soon are those of all its moments") {
  ThreadWatch watch;
  ProcessSamples samples;
  samples[5].threads = {{5, {0, true, 0, {0}}}, {6, {0, true, 1, {1}}}};
  watch.add(samples, 5);
  CHECK(watch.most().size() == 2);
}

namespace {

/// Leaves what the ranks and nodes of a launch would.
void leave_all(const RankBindings& all, const std::string& folder) {
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
  const RankBindings all = collect_parts(folder.path(), {"node1.cluster", "node2", "node3"});
  CHECK(all.nodes == launch.all().nodes);
  CHECK(all.ranks == launch.all().ranks);
  CHECK(all.empty_hosts == std::vector<std::string>{"node3"});
}

TEST_CASE("a launch whose ranks are not all there is none") {
  const TemporaryFolder none;
  CHECK_THROWS_WITH(collect_parts(none.path(), {}), Catch::Contains("no rank was started"));
  SyntheticLaunch launch;
  launch.rank({{0}}).rank({{2}}).rank({{4}});
  RankBindings all = launch.all();
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
    RankBindings all = launch.all();
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
