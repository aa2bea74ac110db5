#include <catch2/catch.hpp>
#include <cstdlib>

#include "components/application/where/placement_fix.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"
#include "tests/components/application/where/launches.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::where {
namespace {

/// Ranks on a machine of four cores that were started on CPUs, behind each wrapper.
RankBindings started(const std::vector<std::vector<std::string>>& ranks) {
  SyntheticLaunch launch("core:4 pu:1");
  for (const auto& on : ranks) launch.rank({placement::parse_cpus(on.back())});
  RankBindings all = launch.all();
  for (std::size_t i = 0; i < ranks.size(); ++i) all.ranks[i].started_on = ranks[i];
  return all;
}

PlacedCommand command(const Words& words, const std::vector<Wrapper>& wrappers) {
  PlacedCommand made = command_of(LauncherKind::slurm, words, words.size() - 1);
  made.programs.front().wrappers = wrappers;
  return made;
}

Binders binders_of(PlacedCommand& command, const RankBindings& all) {
  return find_binders(command, all, find_faults(all), false, cpus(0, 4));
}

}  // namespace

TEST_CASE("a wrapper that binds all ranks to one CPU is named, with what it did") {
  PlacedCommand taskset = command({"srun", "env", "A=b", "taskset", "-c", "0", "./app"},
                                  {{1, 3, false}, {3, 6, false}});
  const Binders two = binders_of(taskset, started({{"0-3", "0-3", "0"}, {"0-3", "0-3", "0"}}));
  CHECK(two.wrappers == std::vector<std::string>{"taskset -c 0"});
  CHECK(two.texts == std::vector<std::string>{"`taskset -c 0` binds both ranks to CPU 0"});
  CHECK_FALSE(taskset.programs.front().wrappers[0].binds);
  CHECK(taskset.programs.front().wrappers[1].binds);
  CHECK(two.without.ranks[1].threads[0].allowed_cpus == cpus(0, 4));

  PlacedCommand script = command({"srun", "./bind.sh", "./app"}, {{1, 2, false}});
  const std::vector<std::string> on{"0-3", "2-3"};
  CHECK(binders_of(script, started({on, on, on})).texts ==
        std::vector<std::string>{"`./bind.sh` binds all 3 ranks to CPUs 2-3"});
}

TEST_CASE("a wrapper that binds ranks to different CPUs is named with the first of them") {
  PlacedCommand script = command({"srun", "./bind.sh", "./app"}, {{1, 2, false}});
  const Binders binders = binders_of(
      script, started({{"0-3", "0"}, {"0-3", "0"}, {"0-3", "1"}, {"0-3", "2"}, {"0-3", "3"}}));
  // Five ranks do not fit anyway: without it the worst fault would be the same.
  CHECK(binders.wrappers.empty());
  const Binders four =
      binders_of(script, started({{"0-3", "0"}, {"0-3", "0"}, {"0-3", "1"}, {"0-3", "2"}}));
  CHECK(four.texts == std::vector<std::string>{
                          "`./bind.sh` binds rank 0 to CPU 0, rank 1 to CPU 0, rank 2 to CPU 1 and "
                          "1 more"});
}

TEST_CASE("a wrapper is no cause where it binds well, or what it starts was bound before") {
  PlacedCommand script = command({"srun", "./bind.sh", "./app"}, {{1, 2, false}});
  CHECK(binders_of(script, started({{"0-3", "0"}, {"0-3", "1"}})).wrappers.empty());
  CHECK(binders_of(script, started({{"0", "0"}, {"0", "0"}})).wrappers.empty());
  CHECK_FALSE(script.programs.front().wrappers.front().binds);
  // The environment of the ranks was cleared, so nothing is known.
  CHECK(binders_of(script, started({{"0"}, {"0"}})).wrappers.empty());
}

TEST_CASE("a wrapper of the launcher is named where its ranks stay on its CPUs") {
  RankBindings all = started({{"0"}, {"0"}});
  all.nodes.front().launcher_cpus = {0};
  PlacedCommand given = command({"mpirun", "./app"}, {});
  given.before = {"time", "taskset", "-c", "0"};
  given.wrappers_before = {{0, 1, false}, {1, 4, false}};
  CHECK(launcher_is_bound(given, all, "node1", cpus(0, 4)));
  CHECK_FALSE(launcher_is_bound(given, all, "node1", {0}));
  CHECK_FALSE(launcher_is_bound(given, all, "elsewhere", cpus(0, 4)));
  const Binders binders = find_binders(given, all, find_faults(all), true, cpus(0, 4));
  CHECK(binders.texts ==
        std::vector<std::string>{"`taskset -c 0` binds the launcher and its ranks to CPU 0"});
  CHECK_FALSE(given.wrappers_before[0].binds);
  CHECK(given.wrappers_before[1].binds);
  Words left_out;
  const PlacedCommand result =
      corrected(given, PlacementFix{.without = binders.wrappers}, left_out);
  CHECK(typed_words(result) == Words{"time", "mpirun", "./app"});
  given.before.clear();
  given.wrappers_before.clear();
  CHECK_FALSE(launcher_is_bound(given, all, "node1", cpus(0, 4)));
}

TEST_CASE("the mended command is without what binds, and keeps the rest") {
  PlacedCommand given =
      command({"mpirun", "-n", "2", "env", "OMP_NUM_THREADS=1", "taskset", "-c", "0", "./app"},
              {{3, 5, false}, {5, 8, true}});
  given.before = {"time"};
  Words left_out;
  const PlacementFix fix{.binding = {"--bind-to", "core"}, .without = {"taskset -c 0"}};
  given.kind = LauncherKind::openmpi4;
  const PlacedCommand result = corrected(given, fix, left_out);
  CHECK(typed_words(result) == Words{"time", "mpirun", "--bind-to", "core", "-n", "2", "env",
                                     "OMP_NUM_THREADS=1", "./app"});
  CHECK(result.words.at(result.programs.front().place) == "./app");
  CHECK(result.programs.front().wrappers.size() == 1);
  CHECK(remedy(fix, FaultKind::shared_cpu, LauncherKind::openmpi4) ==
        "leaving out `taskset -c 0`, --bind-to core");
}

namespace {

/// Ranks of so many threads, each rank on one core.
SyntheticLaunch on_one_core(int ranks, int threads) {
  SyntheticLaunch launch;
  for (int rank = 0; rank < ranks; ++rank) launch.rank_of(threads, cpus(2 * rank, 2));
  return launch;
}

PlacementFix fix_for(const SyntheticLaunch& launch, LauncherKind kind) {
  return fix_of(launch.all(), find_faults(launch.all()), kind);
}

const std::map<std::string, std::string> on_cores{{"OMP_PLACES", "cores"},
                                                  {"OMP_PROC_BIND", "close"}};

}  // namespace

TEST_CASE("each launcher is told in its own words to give a rank its cores") {
  const SyntheticLaunch launch = on_one_core(4, 8);
  const auto binding = [&](LauncherKind kind) { return fix_for(launch, kind).binding; };
  CHECK(binding(LauncherKind::openmpi4) == Words{"--map-by", "slot:PE=8", "--bind-to", "core"});
  CHECK(binding(LauncherKind::openmpi5) == Words{"--map-by", "slot:PE=8", "--bind-to", "core"});
  CHECK(binding(LauncherKind::mpich) == Words{"-bind-to", "core:8"});
  CHECK(binding(LauncherKind::slurm) == Words{"--cpus-per-task=8", "--cpu-bind=cores",
                                              "--distribution=block:block",
                                              "--hint=nomultithread"});
  const PlacementFix intel = fix_for(launch, LauncherKind::intel);
  CHECK(intel.binding.empty());
  CHECK(intel.variables.at("I_MPI_PIN_DOMAIN") == "8:compact");
  CHECK(intel.variables.at("I_MPI_PIN_CELL") == "core");
  CHECK(fix_for(launch, LauncherKind::openmpi4).variables == on_cores);
}

TEST_CASE("ranks that would straddle parts one after the other go to a part each") {
  // Three threads under caches of four cores: the second rank would begin on the last core of the
  // first.
  const SyntheticLaunch launch = on_one_core(8, 3);
  CHECK(fix_for(launch, LauncherKind::openmpi4).binding.at(1) == "l3cache:PE=3");
  CHECK(fix_for(launch, LauncherKind::mpich).binding ==
        Words{"-bind-to", "core:3", "-map-by", "l3cache"});
  // Of twelve threads a package has room for one rank.
  const SyntheticLaunch wide = on_one_core(2, 12);
  CHECK(fix_for(wide, LauncherKind::openmpi4).binding.at(1) == "socket:PE=12");
  CHECK(fix_for(wide, LauncherKind::openmpi5).binding.at(1) == "package:PE=12");
}

TEST_CASE("more threads than a node has cores become fewer") {
  const SyntheticLaunch launch = on_one_core(4, 16);
  const PlacementFix fix = fix_for(launch, LauncherKind::openmpi4);
  CHECK(fix.variables.at("OMP_NUM_THREADS") == "8");
  CHECK(fix.binding.at(1) == "slot:PE=8");
}

TEST_CASE("more ranks than CPUs are mended by nothing that binds") {
  struct Case {
    std::string machine;
    int ranks;
    int threads;
    bool openmp;
    std::string text;  ///< empty: something mends it
  };
  const std::string more = "; nothing but fewer ranks or more nodes fixes it";
  const std::vector<Case> cases{
      {"core:2 pu:1", 4, 1, true, "4 ranks need 4 cores, this node has 2" + more},
      {"core:1 pu:1", 2, 1, true, "2 ranks need 2 cores, this node has 1" + more},
      {"core:2 pu:1", 3, 2, true, "3 ranks need 3 cores, this node has 2" + more},
      {"core:2 pu:1", 2, 2, true, ""},  // by one thread each
      {"core:2 pu:2", 4, 1, true, ""},  // by hyperthreads
      {"core:2 pu:2", 5, 1, true, "5 ranks need 5 cores, this node has 2" + more},
      {"core:4 pu:1", 2, 3, false, "2 ranks of 3 threads need 6 cores, this node has 4" + more},
      {"core:2 pu:1", 1, 3, false,
       "1 rank of 3 threads needs 3 cores, this node has 2; nothing but fewer threads fixes it"},
      {"core:4 pu:1", 2, 2, false, ""}};
  for (const Case& tried : cases) {
    CAPTURE(tried.machine, tried.ranks, tried.threads);
    SyntheticLaunch launch(tried.machine);
    for (int rank = 0; rank < tried.ranks; ++rank) launch.rank_of(tried.threads, {0});
    RankBindings all = launch.all();
    for (RankPlace& rank : all.ranks) {
      if (!tried.openmp) rank.openmp_runtime.clear();
    }
    const std::vector<Fault> faults = find_faults(all);
    REQUIRE(faults.front().kind == FaultKind::shared_cpu);
    for (const LauncherKind kind :
         {LauncherKind::openmpi4, LauncherKind::openmpi5, LauncherKind::mpich, LauncherKind::intel,
          LauncherKind::slurm}) {
      const PlacementFix fix = fix_of(all, faults, kind);
      CHECK((fix.shortage ? shortage_text(*fix.shortage) : "") == tried.text);
      CHECK(fix.is_empty() == !tried.text.empty());
      CHECK(remedy(fix, FaultKind::shared_cpu, kind).empty() == !tried.text.empty());
      CHECK((fix.variables.contains("OMP_PLACES") && !tried.openmp) == false);
    }
  }
}

TEST_CASE("the node that lacks cores is named where there are several") {
  SyntheticLaunch launch("core:2 pu:1");
  launch.rank({{0}}, "node1").rank({{0}}, "node2").rank({{0}}, "node2").rank({{1}}, "node2");
  const PlacementFix fix = fix_for(launch, LauncherKind::slurm);
  REQUIRE(fix.shortage);
  CHECK(shortage_text(*fix.shortage) ==
        "3 ranks need 3 cores, node2 has 2; nothing but fewer ranks there fixes it (free cores on "
        "other nodes: 1)");
  // Spread over a third node, each has two.
  CHECK_FALSE(fix_for(launch.empty("node3"), LauncherKind::slurm).shortage);
}

TEST_CASE("nodes of different sizes are each judged by their own cores") {
  SyntheticLaunch large;
  for (int rank = 0; rank < 8; ++rank) large.rank({{0}}, "node1");
  RankBindings all = large.all();
  const SyntheticLaunch small = SyntheticLaunch("core:2 pu:1").rank({{0}}, "node2");
  all.nodes.push_back(small.all().nodes.front());
  all.ranks.push_back(small.all().ranks.front());
  CHECK_FALSE(fix_of(all, find_faults(all), LauncherKind::openmpi4).shortage);
}

TEST_CASE("ranks that are as many as hyperthreads get one each") {
  SyntheticLaunch launch("core:2 pu:2");
  for (int rank = 0; rank < 4; ++rank) launch.rank({{0}});
  const auto binding = [&](LauncherKind kind) { return fix_for(launch, kind).binding; };
  CHECK(binding(LauncherKind::openmpi4) ==
        Words{"--use-hwthread-cpus", "--map-by", "slot:PE=1", "--bind-to", "hwthread"});
  CHECK(binding(LauncherKind::openmpi5) ==
        Words{"--map-by", "slot:PE=1:HWTCPUS", "--bind-to", "hwthread"});
  CHECK(binding(LauncherKind::mpich) == Words{"-bind-to", "hwthread:1"});
  CHECK(binding(LauncherKind::slurm) == Words{"--cpus-per-task=1", "--cpu-bind=threads",
                                              "--distribution=block:block", "--hint=multithread"});
  CHECK(fix_for(launch, LauncherKind::intel).variables.at("I_MPI_PIN_CELL") == "unit");
}

TEST_CASE("srun's options are left out with values that are attached to them") {
  Words left_out;
  CHECK(without_placement({"srun", "-n4", "-c2", "-m", "cyclic", "--hint=x"}, LauncherKind::slurm,
                          left_out) == Words{"srun", "-n4"});
  CHECK(left_out == Words{"-c2", "-m", "cyclic", "--hint=x"});
}

TEST_CASE("ranks are spread over nodes that have none") {
  SyntheticLaunch launch;
  launch.rank({{0}}).rank({{2}}).rank({{4}}).empty("node2");
  CHECK(fix_for(launch, LauncherKind::openmpi4).binding ==
        Words{"--map-by", "ppr:2:node:PE=1", "--bind-to", "core"});
  CHECK(fix_for(launch, LauncherKind::mpich).spreading == Words{"-ppn", "2"});
  CHECK(fix_for(launch, LauncherKind::slurm).spreading == Words{"--ntasks-per-node=2"});
  CHECK(fix_for(launch, LauncherKind::openmpi4).variables.empty());
}

TEST_CASE("ranks that are each alone on a node cannot be spread over more") {
  SyntheticLaunch launch;
  launch.rank({{0}}, "node1").rank({{0}}, "node2").empty("node3");
  const PlacementFix fix = fix_for(launch, LauncherKind::openmpi4);
  CHECK(fix.binding.empty());
  CHECK(remedy(fix, FaultKind::empty_node, LauncherKind::openmpi4).empty());
}

TEST_CASE("options of the user that say where ranks go give way, and nothing else") {
  const PlacementFix fix = fix_for(on_one_core(4, 8), LauncherKind::openmpi4);
  const PlacedCommand command =
      command_of(LauncherKind::openmpi4,
                 {"/usr/bin/mpirun", "-np", "4", "--bind-to", "core", "--map-by=slot", "-x", "A=b",
                  "--hostfile", "hosts", "./app", "--bind-to", "its own"},
                 10);
  Words left_out;
  const PlacedCommand result = corrected(command, fix, left_out);
  CHECK(result.words == Words{"/usr/bin/mpirun", "--map-by", "slot:PE=8", "--bind-to", "core", "-x",
                              "OMP_PLACES=cores", "-x", "OMP_PROC_BIND=close", "-np", "4", "-x",
                              "A=b", "--hostfile", "hosts", "./app", "--bind-to", "its own"});
  CHECK(result.words.at(result.programs.front().place) == "./app");
  CHECK(left_out == Words{"--bind-to", "core", "--map-by=slot"});
}

TEST_CASE("options of what stands between launcher and program are not the launcher's") {
  const PlacementFix fix = fix_for(on_one_core(4, 8), LauncherKind::slurm);
  const PlacedCommand command =
      command_of(LauncherKind::slurm, {"srun", "-c", "2", "numactl", "-m", "0", "./app"}, 6);
  Words left_out;
  const PlacedCommand result = corrected(command, fix, left_out);
  CHECK(left_out == Words{"-c", "2"});
  CHECK(Words(result.words.end() - 4, result.words.end()) == Words{"numactl", "-m", "0", "./app"});
}

TEST_CASE("variables that the command sets are changed where they stand") {
  const PlacementFix fix = fix_for(on_one_core(4, 16), LauncherKind::mpich);
  const PlacedCommand command = command_of(
      LauncherKind::mpich, {"mpiexec", "-n", "4", "env", "OMP_NUM_THREADS=16", "./app"}, 5);

  Words left_out;
  const PlacedCommand result = corrected(command, fix, left_out);
  CHECK(Words(result.words.end() - 3, result.words.end()) ==
        Words{"env", "OMP_NUM_THREADS=8", "./app"});
  const PlacedCommand hydra = command_of(
      LauncherKind::mpich, {"mpiexec", "-genv", "OMP_PROC_BIND", "false", "-n", "4", "./app"}, 6);
  const PlacedCommand changed = corrected(hydra, fix, left_out);
  CHECK(Words(changed.words.end() - 6, changed.words.end()) ==
        Words{"-genv", "OMP_PROC_BIND", "close", "-n", "4", "./app"});
}

TEST_CASE("a launcher without options for variables sets them by env") {
  const auto fix_words = [&](LauncherKind kind, const Words& words) {
    Words left_out;
    PlacedCommand command = command_of(kind, words, words.size() - 1);
    command.options = kind == LauncherKind::flux ? 2 : 1;
    place_programs(command, {words.size() - 1});
    return join(corrected(command, fix_for(on_one_core(4, 8), kind), left_out).words, " ");
  };
  const std::string env = " env OMP_PLACES=cores OMP_PROC_BIND=close ./app";
  CHECK(fix_words(LauncherKind::flux, {"flux", "run", "-n4", "-o", "cpu-affinity=off", "./app"}) ==
        "flux run --cores-per-task=8 -o cpu-affinity=per-task -n4" + env);
  CHECK(fix_words(LauncherKind::aprun, {"aprun", "-n", "4", "-cc", "cpu", "./app"}) ==
        "aprun -d 8 -cc depth -n 4" + env);
  CHECK(fix_words(LauncherKind::pals, {"mpiexec", "--cpu-bind=none", "-n", "4", "./app"}) ==
        "mpiexec --depth=8 --cpu-bind=depth -n 4" + env);
  CHECK_THAT(
      fix_words(LauncherKind::ccc_mprun, {"ccc_mprun", "-n4", "-c1", "./app"}),
      Catch::StartsWith("ccc_mprun -c 8 -E --cpu-bind=cores ") && Catch::EndsWith(" -n4" + env));
  CHECK(fix_words(LauncherKind::other, {"ibrun", "-n", "4", "./app"}) == "ibrun -n 4" + env);
}

namespace {

/// Two programs on a machine of two cores, with so many threads in a rank each.
RankBindings two_programs(int first, int second) {
  return SyntheticLaunch("core:2 pu:1")
      .rank_of(first, {0})
      .rank_of(second, {1})
      .of_program(1)
      .all();
}

PlacedCommand command_of_two(LauncherKind kind, const std::string& text) {
  PlacedCommand command{.words = split(text, ' '), .kind = kind};
  std::vector<std::size_t> places;
  for (const WordRange& part : parts_of(command)) places.push_back(part.end - 1);
  place_programs(command, places);
  return command;
}

}  // namespace

TEST_CASE("several programs have one fix, and only the one with too many threads gets fewer") {
  const RankBindings all = two_programs(2, 1);
  const auto fixed = [&](LauncherKind kind, const std::string& text) {
    Words left_out;
    const PlacementFix fix = fix_of(all, find_faults(all), kind);
    return join(corrected(command_of_two(kind, text), fix, left_out).words, " ");
  };
  CHECK(fixed(LauncherKind::openmpi4,
              "mpirun -n 1 -x OMP_NUM_THREADS=2 a : --bind-to none -x OMP_NUM_THREADS=1 b") ==
        "mpirun --map-by slot:PE=1 --bind-to core -x OMP_PLACES=cores -x "
        "OMP_PROC_BIND=close -n 1 -x OMP_NUM_THREADS=1 a : -x OMP_PLACES=cores -x "
        "OMP_PROC_BIND=close -x OMP_NUM_THREADS=1 b");
  CHECK(fixed(LauncherKind::mpich, "mpiexec -n 1 a : -n 1 b") ==
        "mpiexec -bind-to core:1 -env OMP_NUM_THREADS 1 -env OMP_PLACES cores -env OMP_PROC_BIND "
        "close -n 1 a : -env OMP_PLACES cores -env OMP_PROC_BIND close -n 1 b");
  CHECK(fixed(LauncherKind::aprun, "aprun -n 1 a : -n 1 b") ==
        "aprun -d 1 -cc depth -n 1 env OMP_NUM_THREADS=1 OMP_PLACES=cores OMP_PROC_BIND=close a : "
        "-d 1 -cc depth -n 1 env OMP_PLACES=cores OMP_PROC_BIND=close b");
}

TEST_CASE("a wrapper of one program is named with the ranks of that program") {
  RankBindings all = started({{"0-3"}, {"0-3", "0"}, {"0-3", "0"}});
  all.ranks[1].program = all.ranks[2].program = 1;
  PlacedCommand command =
      command_of_two(LauncherKind::openmpi4, "mpirun -n 1 a : -n 2 taskset -c 0 b");
  const Binders binders = binders_of(command, all);
  CHECK(binders.texts == std::vector<std::string>{"`taskset -c 0` binds ranks 1-2 to CPU 0"});
  CHECK(binders.without.ranks[0].threads[0].allowed_cpus == cpus(0, 4));
  CHECK(binding_wrappers(command) == std::vector<std::string>{"taskset -c 0"});
}

TEST_CASE("limits of control groups are fixed by fewer threads, or not at all") {
  SyntheticLaunch one("core:4 pu:1");
  one.rank({{0}, {1}, {2}, {3}}).limited(2);
  const PlacementFix fewer = fix_for(one, LauncherKind::openmpi4);
  CHECK(fewer.binding.empty());
  CHECK(fewer.variables == std::map<std::string, std::string>{{"OMP_NUM_THREADS", "2"}});
  CHECK(remedy(fewer, FaultKind::cpu_limit, LauncherKind::openmpi4) == "OMP_NUM_THREADS=2");
  SyntheticLaunch four("core:4 pu:1");
  for (int cpu = 0; cpu < 4; ++cpu) four.rank({{cpu}}).limited(1.5);
  const PlacementFix none = fix_for(four, LauncherKind::openmpi4);
  REQUIRE(none.shortage);
  CHECK(shortage_text(*none.shortage) ==
        "4 ranks need the time of 4 CPUs, a control group of this node allows 1.5; nothing but a "
        "higher limit or fewer ranks fixes it");
}

TEST_CASE("memory that is far away is no matter of binding") {
  SyntheticLaunch launch;
  launch.rank({{0}}).memory(0, 0, 3);
  const PlacementFix fix = fix_for(launch, LauncherKind::slurm);
  CHECK(fix.binding.empty());
  CHECK(remedy(fix, FaultKind::far_memory, LauncherKind::slurm) == "--mem-bind=local");
}

TEST_CASE("hosts are those that options name, in files and lists") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("hosts", "# ours\nnode1 slots=4\nnode2:4\n\nlocalhost\n10.0.0.1\nnode1\n");
  CHECK(requested_hosts({"mpirun", "--hostfile", file, "./app"}, LauncherKind::openmpi4) ==
        Words{"node1", "node2"});
  CHECK(requested_hosts({"mpiexec", "-f", file}, LauncherKind::mpich) == Words{"node1", "node2"});
  CHECK(requested_hosts({"mpirun", "--host", "a:2,b"}, LauncherKind::openmpi4) == Words{"a", "b"});
  CHECK(requested_hosts({"srun", "-w", "n[1-3]"}, LauncherKind::slurm) == Words{"n1", "n2", "n3"});
  CHECK(requested_hosts({"srun", "--nodelist=n[01-02]"}, LauncherKind::slurm) ==
        Words{"n01", "n02"});
  CHECK(requested_hosts({"mpirun", "-n", "2"}, LauncherKind::openmpi4).empty());
}

}  // namespace hockney::where
