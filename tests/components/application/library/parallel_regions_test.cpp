#include "components/application/library/parallel_regions.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <sstream>
#include <string>

#include "tests/components/application/library/program_profile.hpp"
#include "tests/support/temporary_folder.hpp"

// Parallel regions of OpenMP: from planted events, and of a program that measures itself.
namespace hockney::profile {
namespace {

constexpr int here = 0;  // two places in the code
constexpr int there = 0;

TEST_CASE("barriers are no busy time, and the slowest thread counts for each execution") {
  ParallelRegions regions;
  for (const std::int64_t begin : {1000, 5000}) {
    ParallelExecution* const execution = regions.begins(&here, begin);
    REQUIRE(execution != nullptr);
    ParallelThread first;
    ParallelThread second;
    first.begins(execution, begin);
    second.begins(execution, begin + 10);
    first.barrier_begins(begin + 100);  // of a loop inside
    second.barrier_begins(begin + 310);
    first.barrier_ends(begin + 320);
    second.barrier_ends(begin + 320);
    first.barrier_begins(begin + 370);  // of the region's end
    second.barrier_begins(begin + 340);
    regions.ends(*execution, begin + 380);
    second.barrier_ends(begin + 900);  // it was asleep
    second.ends();
    first.ends();
  }
  REQUIRE(regions.rows().size() == 1);
  const ParallelRow& row = regions.rows().front();
  CHECK(row.count == 2);
  CHECK(row.threads == 2);
  CHECK(row.ticks == 2 * 380);
  CHECK(row.thread_ticks == 2 * 2 * 380);
  CHECK(row.busy_ticks == 2 * (100 + 50 + 300 + 20));
  CHECK(row.slowest_ticks == 2 * (300 + 20));
  CHECK(regions.place(0) == &here);
}

TEST_CASE("a region inside of another is busy time of the thread that begins it") {
  ParallelRegions regions;
  ParallelExecution* const outer = regions.begins(&here, 0);
  ParallelExecution* const inner = regions.begins(&there, 10);
  ParallelThread thread;
  ParallelThread helper;  // of the inner region alone
  thread.begins(outer, 0);
  thread.begins(inner, 10);
  helper.begins(inner, 15);
  thread.barrier_begins(40);
  helper.barrier_begins(45);
  thread.barrier_ends(50);
  thread.ends();
  regions.ends(*inner, 50);
  thread.barrier_begins(100);
  regions.ends(*outer, 110);
  REQUIRE(regions.rows().size() == 2);
  CHECK(regions.rows()[1].busy_ticks == 100);
  CHECK(regions.rows()[0].busy_ticks == 30);
}

TEST_CASE("regions that are not recorded leave the others as they are") {
  ParallelRegions regions;
  ParallelThread thread;
  thread.begins(nullptr, 0);  // while the recorder is paused
  thread.barrier_begins(10);
  thread.ends();
  ParallelExecution* const execution = regions.begins(&here, 20);
  thread.begins(execution, 20);
  thread.barrier_begins(30);
  regions.ends(*execution, 30);
  CHECK(regions.rows().front().busy_ticks == 10);
}

TEST_CASE("more executions at once, and more places, than there is room for") {
  ParallelRegions regions;
  std::array<ParallelExecution*, 64> all{};
  for (auto& one : all) one = regions.begins(&here, 0);
  CHECK(regions.begins(&here, 0) == nullptr);
  for (auto* one : all) regions.ends(*one, 1);
  CHECK(regions.rows().front().count == 64);
  static const std::array<char, 1000> places{};
  for (const char& place : places) regions.ends(*regions.begins(&place, 0), 1);
  CHECK(regions.rows().size() == 512);
  std::int64_t count = 0;
  for (const ParallelRow& row : regions.rows()) count += row.count;
  CHECK(count == 64 + 1000);
}

#ifdef HOCKNEY_PARALLEL

/// What threads of tests/programs/parallel.c computed in a function, over executions [s].
struct OwnTimes {
  double busy = 0;
  double slowest = 0;
};

OwnTimes own_times(const std::string& output, const std::string& function) {
  OwnTimes times;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(function + " ")) {
      std::sscanf(line.c_str() + function.size(), "%lf %lf", &times.busy, &times.slowest);
    }
  }
  return times;
}

TEST_CASE("regions of a program built with clang have the times that its threads measure") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  const CommandResult run = run_profiled(file, 1, {"env", "OMP_NUM_THREADS=2", HOCKNEY_PARALLEL});
  INFO(run.out << run.err);
  REQUIRE(run.exit_code == 0);
  const CommandResult shown =
      run_command({HOCKNEY_DRIVER, "profile", "show", file, "--json"}, std::chrono::seconds(60));
  REQUIRE(shown.exit_code == 0);
  const auto regions = nlohmann::json::parse(shown.out).at("parallel_regions");
  REQUIRE(regions.size() == 2);
  for (const auto& region : regions) {
    const auto site = region.at("site").get<std::string>();
    const bool is_uneven = site.find("uneven") != std::string::npos;
    const OwnTimes own = own_times(run.out, is_uneven ? "uneven" : "even");
    INFO(region.dump());
    CHECK(region.at("count") == 20);
    CHECK(region.at("threads") == 2);
    // Wall time: on a busy machine threads lose their CPU within it.
    CHECK(region.at("busy_seconds").get<double>() > 0.98 * own.busy);
    CHECK(region.at("seconds").get<double>() > 0.98 * own.slowest);
    if (!is_uneven) continue;
    CHECK(region.at("imbalance").get<double>() > 1.2);
    CHECK(region.at("waiting_fraction").get<double>() > 0.1);
  }
}

TEST_CASE("a note says that OMP_TOOL disables OMPT, and a tool that is not there takes nothing") {
  const TemporaryFolder folder;
  const auto notes_with = [&](const std::string& file, const std::string& variable) {
    const CommandResult run = run_profiled(
        folder.path() + file, 1, {"env", variable, "OMP_NUM_THREADS=2", HOCKNEY_PARALLEL});
    INFO(run.out << run.err);
    CHECK(run.exit_code == 0);
    return join(load_profile(folder.path() + file).notes, "\n");
  };
  CHECK_THAT(notes_with("/a.json", "OMP_TOOL=disabled"),
             Catch::Contains("OMP_TOOL=disabled switches OMPT off"));
  CHECK_THAT(notes_with("/b.json", "OMP_TOOL_LIBRARIES=/nonexistent.so"),
             !Catch::Contains("parallel regions"));
}
#endif

TEST_CASE("GCC's runtime has no OMPT, which a note says") {
#ifdef HOCKNEY_GCC_PARALLEL
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  const CommandResult run =
      run_profiled(file, 1, {"env", "OMP_NUM_THREADS=2", HOCKNEY_GCC_PARALLEL, "2"});
  INFO(run.out << run.err);
  REQUIRE(run.exit_code == 0);
  const CommandResult shown =
      run_command({HOCKNEY_DRIVER, "profile", "show", file, "--json"}, std::chrono::seconds(60));
  const auto report = nlohmann::json::parse(shown.out);
  CHECK(report.at("parallel_regions").empty());
  CHECK(report.at("notes").dump().find("GCC's runtime has no OMPT") != std::string::npos);
#else
  WARN("not tested: the compiler has no OpenMP");
#endif
}

}  // namespace
}  // namespace hockney::profile
