#include "application/where/binders.hpp"

#include <catch2/catch.hpp>

#include "placement/binding.hpp"
#include "tests/application/where/launches.hpp"
#include "application/where/mending.hpp"

namespace hockney::where {
namespace {

/// Ranks on a machine of four cores that were started on CPUs, behind each wrapper.
Whereabouts started(const std::vector<std::vector<std::string>>& ranks) {
  SyntheticLaunch launch("core:4 pu:1");
  for (const auto& on : ranks) launch.rank({placement::parse_cpus(on.back())});
  Whereabouts all = launch.all();
  for (std::size_t i = 0; i < ranks.size(); ++i) all.ranks[i].started_on = ranks[i];
  return all;
}

PlacedCommand command(const Words& words, const std::vector<Wrapper>& wrappers) {
  return {.words = words, .program = words.size() - 1, .launched = 1, .wrappers = wrappers};
}

Binders binders_of(PlacedCommand& command, const Whereabouts& all) {
  return find_binders(command, all, find_faults(all), false, cpus(0, 4));
}

}  // namespace

TEST_CASE("a wrapper that binds all ranks to one CPU is named, with what it did") {
  PlacedCommand taskset = command({"srun", "env", "A=b", "taskset", "-c", "0", "./app"},
                                  {{1, 3, false}, {3, 6, false}});
  const Binders two = binders_of(taskset, started({{"0-3", "0-3", "0"}, {"0-3", "0-3", "0"}}));
  CHECK(two.wrappers == std::vector<std::string>{"taskset -c 0"});
  CHECK(two.texts == std::vector<std::string>{"`taskset -c 0` binds both ranks to CPU 0"});
  CHECK_FALSE(taskset.wrappers[0].binds);
  CHECK(taskset.wrappers[1].binds);
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
  CHECK_FALSE(script.wrappers.front().binds);
  // The environment of the ranks was cleared, so nothing is known.
  CHECK(binders_of(script, started({{"0"}, {"0"}})).wrappers.empty());
}

TEST_CASE("a wrapper of the launcher is named where its ranks stay on its CPUs") {
  Whereabouts all = started({{"0"}, {"0"}});
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
      mended(given, Mending{.without = binders.wrappers}, campaign::LauncherKind::mpich, left_out);
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
  const Mending mending{.binding = {"--bind-to", "core"}, .without = {"taskset -c 0"}};
  const PlacedCommand result = mended(given, mending, campaign::LauncherKind::openmpi4, left_out);
  CHECK(typed_words(result) == Words{"time", "mpirun", "--bind-to", "core", "-n", "2", "env",
                                     "OMP_NUM_THREADS=1", "./app"});
  CHECK(result.words.at(result.program) == "./app");
  CHECK(result.wrappers.size() == 1);
  CHECK(remedy(mending, FaultKind::shared_cpu, campaign::LauncherKind::openmpi4) ==
        "leaving out `taskset -c 0`, --bind-to core");
}

}  // namespace hockney::where
