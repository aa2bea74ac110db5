#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <numeric>
#include <random>

#include "application/projection/projection.hpp"
#include "application/screens/profile_exports.hpp"
#include "core/text.hpp"
#include "tests/simulation/simulated_collectives.hpp"
#include "tests/support/made_machine.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/scripted_trace.hpp"
#include "tests/support/temporary_folder.hpp"

// hockney's replay of a program against SimGrid's own replay of the trace that hockney exports, on
// a network whose costs are known.
namespace hockney::simulation {
namespace {

using applications::ScriptedTrace;
using profile::Function;

constexpr double bytes_per_second = 10e9;
const PingPong one_switch{"cross-node", 1e-6 + envelope_bytes / bytes_per_second,
                          1 / bytes_per_second};
constexpr std::int64_t largest_eager = 65535;  // SMPI's limit is the smallest that is not

/// How long SimGrid's replay takes [s], as it prints it: whole microseconds.
double replayed_by_simgrid(const applications::TraceAnalysis& run) {
  const int ranks = run.trace().world_ranks;
  const report::SimGridTrace actions(run.program(), 1e9);
  const SimulatedNetwork network = uniform_network(ranks);
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (std::size_t rank = 0; rank < actions.ranks(); ++rank) {
    std::ostringstream text;
    actions.write(text, rank);
    files.push_back(folder.write("rank-" + std::to_string(rank) + ".txt", text.str()));
  }
  const CommandResult result = run_command({HOCKNEY_SMPIRUN,
                                            "-np",
                                            std::to_string(ranks),
                                            "-platform",
                                            folder.write("platform.xml", network.xml),
                                            "-hostfile",
                                            folder.write("hosts", join(network.hosts, "\n") + "\n"),
                                            "--log=root.thresh:critical",
                                            "--log=smpi_replay.thresh:info",
                                            "--cfg=smpi/host-speed:1Gf",
                                            "--cfg=smpi/bw-factor:0:1",
                                            "--cfg=smpi/lat-factor:0:1",
                                            "--cfg=network/crosstraffic:0",
                                            "--cfg=smpi/wtime:0",
                                            "--cfg=smpi/allreduce:rdb",
                                            "--cfg=smpi/barrier:ompi_bruck",
                                            "--cfg=smpi/bcast:binomial_tree",
                                            "--cfg=smpi/send-is-detached-thresh:65536",
                                            "--cfg=smpi/async-small-thresh:65536",
                                            "-replay",
                                            folder.write("ranks", join(files, "\n") + "\n")},
                                           std::chrono::seconds(100));
  INFO(result.out << result.err);
  REQUIRE(result.exit_code == 0);
  const std::string said = result.out + result.err;
  const std::string label = "Simulation time ";
  const auto at = said.find(label);
  REQUIRE(at != std::string::npos);
  return std::stod(said.substr(at + label.size()));
}

/// By the models of that network.
double replayed_by_hockney(const applications::TraceAnalysis& run) {
  auto records = launches_of({one_switch});
  records.push_back(limit_of(largest_eager, false));
  const projection::Machine machine = machine_for(run, records);
  return projection::Projector(
             run, machine,
             {{"allreduce", "recursive_doubling"}, {"barrier", "bruck"}, {"bcast", "binomial"}})
      .validation()
      .model_seconds;
}

/// Ranks compute for random times, and in each step send to one other each, who waits for it.
class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  void compute_all() {
    for (int rank = 0; rank < ranks; ++rank) {
      script.computes(rank, static_cast<double>(random_() % 100));
    }
  }

  void exchange(std::int64_t bytes) {
    const int by = 1 + static_cast<int>(random_() % (ranks - 1));
    for (int rank = 0; rank < ranks; ++rank) {
      const int from = (rank + by) % ranks;
      script.starts_receive(rank, from);
      script.starts_send(rank, (rank + ranks - by) % ranks, bytes);
      const auto first = static_cast<std::uint64_t>(2 * steps_ + 1);
      script.computes(rank, static_cast<double>(random_() % 50));
      script.waits(rank, {{first, {from, 0, bytes}}, {first + 1, {}}});
    }
    ++steps_;
  }

  void collective(Function function, std::int64_t bytes, int root = -1) {
    for (int rank = 0; rank < ranks; ++rank) {
      script.computes(rank, static_cast<double>(random_() % 50));
      script.collective(function, rank, root, bytes);
    }
  }

  static constexpr int ranks = 8;
  ScriptedTrace script{ranks, 1};

 private:
  std::mt19937 random_;
  int steps_ = 0;
};

void check_replays(const applications::TraceAnalysis& run) {
  const double simgrid = replayed_by_simgrid(run);
  const double hockney = replayed_by_hockney(run);
  INFO("SimGrid " << simgrid << " s, hockney " << hockney << " s");
  CHECK(simgrid > 2e-3);  // so that whole microseconds tell
  CHECK(error_of(hockney, simgrid) < 0.002);
}

}  // namespace

TEST_CASE("messages below and above the eager limit take as long as in SimGrid's replay") {
  for (const std::int64_t bytes : {64, 60000, 400000}) {
    RandomProgram program(7);
    for (int step = 0; step < 30; ++step) {
      program.compute_all();
      program.exchange(bytes);
    }
    check_replays(program.script.analysis());
  }
}

TEST_CASE("blocking sends and receives take as long as in SimGrid's replay") {
  for (const std::int64_t bytes : {1000, 400000}) {
    ScriptedTrace script(4, 1);
    std::mt19937 random(5);
    for (int step = 0; step < 40; ++step) {
      for (int rank = 0; rank < 4; ++rank) {
        script.computes(rank, static_cast<double>(random() % 100));
        if (rank > 0) script.receives(rank, rank - 1, bytes);
        script.computes(rank, static_cast<double>(random() % 50));
        if (rank < 3) script.sends(rank, rank + 1, bytes);
      }
    }
    check_replays(script.analysis());
  }
}

TEST_CASE("collectives take as long as in SimGrid's replay, whoever comes late to them") {
  RandomProgram program(3);
  for (int step = 0; step < 20; ++step) {
    program.compute_all();
    program.collective(Function::Allreduce, 8);
    program.exchange(20000);
    program.collective(Function::Bcast, 8192, step % RandomProgram::ranks);
    program.compute_all();
    program.collective(Function::Barrier, 0);
  }
  check_replays(program.script.analysis());
}

}  // namespace hockney::simulation
