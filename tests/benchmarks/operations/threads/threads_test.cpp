#include <sched.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "tests/benchmarks/operations/corruption_trial.hpp"
#include "tests/benchmarks/operations/registered_names.hpp"
#include "tests/support/mpi_test_cases.hpp"

/// In place of the main function of other tests: these ask for MPI_THREAD_MULTIPLE.
int main(int argc, char** argv) {
  return hockney::run_mpi_test_cases(argc, argv, MPI_THREAD_MULTIPLE);
}

namespace hockney::benchmarks {
namespace {

/// Every way in which threads can be told apart.
std::vector<Point> thread_points(const Descriptor& descriptor, Bytes bytes, int ranks) {
  std::vector<Point> points;
  for (const int threads : {1, 2, 3}) {
    for (const auto communicators : every<ThreadCommunicators>()) {
      Point point = point_for(descriptor, bytes, ranks);
      point.parameters.set(threads_parameter, threads);
      if (descriptor.own.contains(communicators_parameter)) {
        point.parameters.set(communicators_parameter, communicators);
      } else if (communicators != ThreadCommunicators::each) {
        continue;
      }
      points.push_back(point);
    }
  }
  return points;
}

/// Every operation with all ranks, at points of that size.
template <class Check>
void for_every_point(std::int64_t bytes, Check check) {
  const UniqueComm team = team_for({.shape = GroupShape::pairs});
  if (!team) return;
  BufferPool buffers(1);
  const Workbench bench{team.get(), rank_in(team.get()), size_of(team.get()), buffers};
  for (const CatalogueEntry& entry : catalogue()) {
    for (const Point& point : thread_points(entry.descriptor, Bytes{bytes}, bench.size)) {
      if (obstacle(point) || entry.obstacle(point)) continue;
      INFO(curve_name(point) << " at " << bytes);
      check(entry, bench, point);
    }
  }
}

TEST_CASE("reading the library's settings leaves threads the level that MPI gave them") {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  REQUIRE(level == MPI_THREAD_MULTIPLE);
  { const ToolsInterface tools; }
  MPI_Query_thread(&level);
  CHECK(level == MPI_THREAD_MULTIPLE);
}

TEST_CASE("every operation by threads is in the catalogue, and says that it is one") {
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    names.emplace(entry.descriptor.name);
    CHECK(entry.descriptor.threaded);
    CHECK(entry.descriptor.summary.size() > 20);
    CHECK(entry.descriptor.counts.size() > 10);
  }
  CHECK(names ==
        registered_names(HOCKNEY_SOURCE_DIR "/benchmarks/operations/threads", {"Registration"}));
  CHECK(names.size() == 13);
}

TEST_CASE("bytes that count are those of all threads") {
  const std::map<std::string, std::pair<int, int>> conventions{
      // operations, bytes of 120
      {"threaded-pingpong", {2, 720}},     {"threaded-pingping", {1, 720}},
      {"threaded-message-rate", {5, 720}}, {"threaded-bidirectional-bandwidth", {5, 1440}},
      {"threaded-sendrecv", {1, 720}},     {"threaded-exchange", {1, 1440}},
      {"threaded-bcast", {1, 360}},        {"threaded-reduce", {1, 360}},
      {"threaded-allreduce", {1, 360}},    {"threaded-barrier", {1, 0}},
      {"whole-pingpong", {2, 240}},        {"pieces-pingpong", {2, 240}},
      {"partitioned-pingpong", {2, 240}}};
  for (const CatalogueEntry& entry : catalogue()) {
    INFO(entry.descriptor.name);
    Point point = point_for(entry.descriptor, Bytes{120}, 4);
    point.parameters.set(threads_parameter, 3);
    const Volume volume = entry.volume(point);
    const auto& [operations, bytes] = conventions.at(std::string(entry.descriptor.name));
    CHECK(volume.operations == operations);
    CHECK(volume.bytes.value == bytes);
  }
}

TEST_CASE("threads deliver what they send, in batches, at eager and rendezvous sizes") {
  for (const std::int64_t bytes : {0, 1, 24, 96'000}) {
    for_every_point(bytes,
                    [](const CatalogueEntry& entry, const Workbench& bench, const Point& point) {
                      const auto operation = entry.prepare(bench, point);
                      for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}}) {
                        operation->refill(seed, 7);
                        operation->ready();
                        operation->run_batch(3);
                        operation->ready();
                        operation->run_batch(4);
                        CHECK(all_of(bench.comm, operation->verify()));
                      }
                    });
  }
}

TEST_CASE("the deliveries of threads can be checked one by one") {
  for_every_point(24, [](const CatalogueEntry& entry, const Workbench& bench, const Point& point) {
    MpiRankGroup group(bench.comm);
    const auto clock = make_clock();
    const auto operation = entry.prepare(bench, point);
    const Checked checked = check_deliveries(*operation, group, *clock, {.least = 5, .most = 5});
    CHECK(checked.is_good);
    CHECK(checked.deliveries == 5);
  });
}

TEST_CASE("data that threads were not sent are not taken for data that they were") {
  for_every_point(24, [](const CatalogueEntry& entry, const Workbench& bench, const Point& point) {
    const auto operation = entry.prepare(bench, point);
    operation->refill(1, 1);  // and not run
    CHECK_FALSE(all_of(bench.comm, operation->verify()));
  });
}

TEST_CASE("every corruption of what any thread receives is noticed") {
  const UniqueComm team = team_for({.shape = GroupShape::pairs});
  if (!team) return;
  BufferPool buffers(3);
  Tally tally;
  int points = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    if (!entry.descriptor.sized) continue;
    for (const auto& [type, op] : std::map<std::string_view, std::string>{
             {"byte", "bxor"}, {"double-int", "maxloc"}, {"int16", "sum"}}) {
      for (Point point : thread_points(entry.descriptor, Bytes{}, size_of(team.get()))) {
        point.parameters.set(datatype_parameter, type);
        if (entry.descriptor.reduces) {
          point.parameters.set(operator_parameter, &find_operator(op));
        }
        if (point.parameters[threads_parameter] == 3) continue;
        point = with_elements(point, entry.descriptor, 2 * trial_elements);
        if (entry.obstacle(point)) continue;
        Trial(entry, point, team, buffers, tally).expect_check(entry.descriptor.reduces);
        ++points;
      }
    }
  }
  for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
  CHECK(tally.mistakes.empty());
  CHECK(tally.clean == points);
  CHECK(tally.noticed == tally.corrupted);
  CHECK(tally.corrupted > 1'000);
}

TEST_CASE("buffers of threads that rotate, and parts that are not equal, are no points") {
  for (const CatalogueEntry& entry : catalogue()) {
    if (!entry.descriptor.sized) continue;
    Point point = point_for(entry.descriptor, Bytes{24}, 2);
    point.parameters.set(cache_parameter, CacheState::cold);
    CHECK(entry.obstacle(point).has_value());
  }
  for (const char* name : {"pieces-pingpong", "whole-pingpong"}) {
    Point point{
        .operation = name, .bytes = Bytes{24}, .ranks = 2, .parameters = {{threads_parameter, 7}}};
    CHECK(find_operation(name).obstacle(point) == "24 elements are no equal parts for 7 threads");
    point.bytes = Bytes{28};
    CHECK_FALSE(find_operation(name).obstacle(point));
  }
}

TEST_CASE("threads run on the CPUs they are given, and a rank says when one cannot") {
  BufferPool buffers(1);
  BufferRing ring(buffers, {});
  cpu_set_t allowed;
  REQUIRE(::sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE && cpus.size() < 2; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) cpus.push_back(cpu);
  }
  if (cpus.size() < 2) return;
  const std::vector<int> given{cpus[0], cpus[1], cpus[0]};
  ThreadTeam team = make_team({MPI_COMM_SELF, 0, 1, ring, 0, given, true}, 3);
  std::vector<int> found(3, -1);
  team.run([&](int thread) { found[static_cast<std::size_t>(thread)] = ::sched_getcpu(); });
  CHECK(found[1] == given[1]);
  CHECK(found[2] == given[2]);
  const std::vector<int> none{cpus[0], 100'000};
  CHECK_THROWS_WITH(make_team({MPI_COMM_SELF, 0, 1, ring, 0, none, false}, 2),
                    Catch::Contains("cannot bind thread 1 of rank 0 to CPU 100000"));
}

}  // namespace
}  // namespace hockney::benchmarks
