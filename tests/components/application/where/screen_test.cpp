#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "components/application/screens/where/where_screen.hpp"
#include "tests/components/application/where/launches.hpp"

namespace hockney::where {
namespace {

std::vector<std::string> picture(const SyntheticLaunch& launch) {
  return picture_of(Occupancy(launch.all(), launch.all().nodes.front()));
}

WhereView view_of(const SyntheticLaunch& launch) {
  WhereView view{.programs = {"./app"},
                 .probed = {{"mpirun", "./app"}, launch.all(), find_faults(launch.all())},
                 .fix = {},
                 .corrected = {},
                 .left_out = {},
                 .proof = {},
                 .notes = {}};
  view.fix = fix_of(launch.all(), view.probed.faults, view.launcher);
  view.corrected =
      corrected(command_of(LauncherKind::openmpi4, {"mpirun", "./app"}, 1), view.fix, view.left_out)
          .words;
  return view;
}

}  // namespace

TEST_CASE("a picture has a line for each part and names who is on its cores") {
  SyntheticLaunch launch;
  launch.rank_on_cores(4, 0).rank_of(8, cpus(8, 2)).rank({{12}}).rank({{14}});
  const std::vector<std::string> lines = picture(launch);
  REQUIRE(lines.size() == 9);
  CHECK(lines[0] == "node1  package 0  NUMA 0  L3 0  cores 0-3: rank 0 threads 0-3");
  CHECK(
      lines[1] ==
      "       package 0  NUMA 0  L3 1  core 4: rank 1 all 8 threads; core 5: idle; core 6: rank 2");
  CHECK(lines[2] == "                                core 7: rank 3");
  CHECK(lines[8] == "       package 1  NUMA 3  L3 7  cores 28-31: idle");
}

TEST_CASE("ranks that may be anywhere are on all cores of the picture") {
  SyntheticLaunch launch;
  launch.rank_of(8, cpus(0, 64)).rank_of(8, cpus(0, 64));
  CHECK(picture(launch)[7] ==
        "       package 1  NUMA 3  L3 7  cores 28-31: ranks 0-1 all 8 threads");
}

TEST_CASE("the screen says first how many ranks and threads there are and what is wrong") {
  SyntheticLaunch launch;
  for (int core = 0; core < 4; ++core) launch.rank_of(8, cpus(2 * core, 2));
  std::ostringstream out;
  print_screen(out, screen_of(view_of(launch)));
  const std::string text = out.str();
  INFO(text);
  CHECK(
      text.starts_with("4 ranks x 8 threads on 1 node: fault: 8 threads of rank 0 share 1 core "
                       "(CPUs 0-1) of"));
  CHECK_THAT(text, Catch::Contains("\nshared-cpu       8 threads of rank 0 share 1 core (CPUs 0-1) "
                                   "of node1, and 3 more\n"));
  CHECK_THAT(text, Catch::Contains("\nfix              --map-by slot:PE=8 --bind-to core, "
                                   "OMP_PLACES=cores OMP_PROC_BIND=close\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') <= 24);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
}

TEST_CASE("a launch without a fault is said to have none, and nothing is advised") {
  SyntheticLaunch launch;
  launch.rank_on_cores(4, 0).rank_on_cores(4, 4);
  WhereView view = view_of(launch);
  view.corrected.clear();
  const report::Screen screen = screen_of(view);
  CHECK(screen.verdict == "2 ranks x 4 threads on 1 node: no fault");
  CHECK(screen.next.empty());
}

TEST_CASE("the document has ranks, nodes, faults with what mends them, and the proof") {
  SyntheticLaunch launch;
  launch.rank_of(8, {0, 1});
  WhereView view = view_of(launch);
  view.proof = Probed{{"mpirun", "./app"}, launch.all(), {}};
  const nlohmann::json document = to_json(view);
  CHECK(document.at("schema") == "hockney.where/2");
  CHECK(document.at("launcher") == "openmpi4");
  CHECK(document.at("ranks").at(0).at("threads").at(7).at("allowed_cpus") == "0-1");
  CHECK(document.at("nodes").at(0).at("pus").size() == 64);
  CHECK(document.at("faults").at(0).at("kind") == "shared-cpu");
  CHECK(document.at("faults").at(0).at("fix") ==
        "--map-by slot:PE=8 --bind-to core, OMP_PLACES=cores OMP_PROC_BIND=close");
  CHECK(document.at("proof").at("faults").empty());
}

TEST_CASE("the first line has why nothing mends it, and no fix is printed") {
  SyntheticLaunch launch("core:2 pu:1");
  for (int rank = 0; rank < 4; ++rank) launch.rank({{0, 1}});
  WhereView view = view_of(launch);
  view.corrected.clear();
  const std::string why =
      "4 ranks need 4 cores, this node has 2; nothing but fewer ranks or more nodes fixes it";
  const report::Screen screen = screen_of(view);
  CHECK(screen.verdict == "fault: " + why);
  CHECK(screen.answer.at(2) == "shared-cpu       ranks 0-3 share 2 cores (CPUs 0-1) of node1");
  CHECK(screen.answer.size() == 3);
  CHECK(screen.next.empty());
  const nlohmann::json document = to_json(view);
  CHECK(document.at("not_mendable") == why);
  CHECK(document.at("faults").at(0).at("fix").is_null());
  CHECK(document.at("fixed_command").is_null());
}

TEST_CASE("a fix that the proof has refuted is not printed") {
  SyntheticLaunch launch("core:4 pu:1");
  launch.rank({{0}}).rank({{0}});
  const auto text_of = [](const WhereView& view) {
    std::ostringstream out;
    print_screen(out, screen_of(view));
    return out.str();
  };
  WhereView view = view_of(launch);
  CHECK_THAT(text_of(view), Catch::Contains("\nfix              --map-by slot:PE=1"));
  view.proof = view.probed;
  CHECK_THAT(text_of(view), !Catch::Contains("fix ") && !Catch::Contains("\nnext"));
  CHECK(screen_of(view).reliability.at(1) ==
        "tried: mpirun --map-by slot:PE=1 --bind-to core ./app: it fixes nothing, fault: ranks 0-1 "
        "share 1 core (CPU 0) of node1, and 1 more");
  CHECK(to_json(view).at("faults").at(0).at("fix").is_null());
  CHECK(to_json(view).at("fixed_command").is_null());
  // One fault of two is mended.
  std::erase_if(view.proof->faults,
                [](const Fault& fault) { return fault.kind == FaultKind::idle_cores; });
  CHECK_THAT(text_of(view), Catch::Contains("\nfix ") && Catch::Contains("\nnext"));
  CHECK(to_json(view).at("faults").at(0).at("fix").is_null());
  CHECK_FALSE(to_json(view).at("faults").at(1).at("fix").is_null());
  view.proof.reset();
  view.proof_failure = "the launcher failed (more   processes than cpus)";
  CHECK_THAT(text_of(view), !Catch::Contains("fix ") && !Catch::Contains("\nnext"));
  CHECK_THAT(screen_of(view).reliability.at(1),
             Catch::EndsWith(": the launcher failed (more processes than cpus)"));
}

TEST_CASE("a wrapper that binds stands in the first line") {
  SyntheticLaunch launch("core:4 pu:1");
  launch.rank({{0}}).rank({{0}});
  WhereView view = view_of(launch);
  view.causes = {"`taskset -c 0` binds both ranks to CPU 0"};
  CHECK(screen_of(view).verdict ==
        "2 ranks x 1 thread on 1 node: fault: `taskset -c 0` binds both ranks to CPU 0");
}

TEST_CASE("a picture tells cores of different kinds apart") {
  SyntheticLaunch launch = SyntheticLaunch::of_xml("core-kinds");
  launch.rank({{0}}).rank({{4}});
  CHECK(picture(launch) ==
        std::vector<std::string>{
            "node1  package 0  NUMA 0  no L3 E  cores 6-7: idle",
            "       package 0  NUMA 0  L3 0 P   core 0: rank 0; core 1: idle",
            "       package 0  NUMA 0  L3 0 E   core 2: rank 1; cores 3-5: idle"});
}

TEST_CASE("the document keeps no secrets of the command") {
  SyntheticLaunch launch;
  launch.rank_on_cores(4, 0);
  WhereView view = view_of(launch);
  view.probed.command = {"mpirun", "-x", "A_TOKEN=hunter2", "./app", "--password", "hunter2"};
  view.corrected = view.probed.command;
  const std::string document = to_json(view).dump();
  CHECK(document.find("hunter2") == std::string::npos);
  CHECK(document.find("A_TOKEN=set") != std::string::npos);
}

}  // namespace hockney::where
