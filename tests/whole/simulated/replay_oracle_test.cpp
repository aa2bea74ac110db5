#include <fmt/format.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "components/application/projection/machine.hpp"
#include "components/application/projection/projection.hpp"
#include "core/text.hpp"
#include "tests/simulation/simulated_collectives.hpp"
#include "tests/support/made_machine.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/scripted_trace.hpp"
#include "tests/support/temporary_folder.hpp"

// hockney's replay of a program against SimGrid's own (smpirun -replay), on a network whose costs
// are known.
namespace hockney::simulation {
namespace {

using applications::ScriptedTrace;
using models::CollectiveCall;
using models::Program;
using models::ProgramStep;
using profile::Function;
using Does = ProgramStep::Does;
using Needs = ProgramStep::Needs;

constexpr double flops_per_second = 1e9;

constexpr double bytes_per_second = 10e9;
const PingPong one_switch{"cross-node", 1e-6 + envelope_bytes / bytes_per_second,
                          1 / bytes_per_second};
constexpr std::int64_t largest_eager = 65535;  // SMPI's limit is the smallest that is not

/// "allreduce 8 0": action of a collective of all ranks; empty for those not in these tests.
std::string action_of(const CollectiveCall& call) {
  const auto collective = projection::work_of(call);
  const std::int64_t bytes = collective ? collective->work.bytes.value : 0;
  switch (applications::function_of(call)) {
    case Function::Barrier:
      return "barrier";
    case Function::Bcast:
      return fmt::format("bcast {} {}", bytes, std::max(call.root, 0));
    case Function::Allreduce:
      return fmt::format("allreduce {} 0", bytes);
    default:
      return {};
  }
}

/// A program as a time-independent trace: the flops that each rank computes, and its messages. Each
/// message between two ranks has its own tag.
class SimGridTrace {
 public:
  explicit SimGridTrace(const Program& program) : program_(program) {
    std::map<std::pair<int, int>, int> next;
    for (const auto& message : program_.messages) {
      tags_.push_back(next[{message.from, message.to}]++);
    }
  }

  /// The actions of one rank.
  [[nodiscard]] std::string actions(std::size_t rank) const {
    std::ostringstream out;
    out << rank << " init\n";
    const Steps& steps = program_.ranks[rank];
    for (std::size_t place = 0; place < steps.size();) {
      write_compute(out, rank, steps[place].computing_seconds);
      place += write_action(out, rank, steps, place);
    }
    write_compute(out, rank, program_.tail_seconds[rank]);
    out << rank << " finalize\n";
    return out.str();
  }

 private:
  using Steps = std::vector<ProgramStep>;

  static void write_compute(std::ostream& out, std::size_t rank, double seconds) {
    if (seconds > 0) out << fmt::format("{} compute {}\n", rank, seconds * flops_per_second);
  }

  /// Returns the number of steps that the action covers.
  std::size_t write_action(std::ostream& out, std::size_t rank, const Steps& steps,
                           std::size_t place) const {
    const ProgramStep& step = steps[place];
    if (step.does == Does::enters || step.needs == Needs::left) {
      const CollectiveCall& call = program_.collectives[step.index];
      if (step.does == Does::enters) out << rank << ' ' << action_of(call) << '\n';
      return 1;
    }
    if (step.does == Does::nothing && step.needs == Needs::nothing) return 1;
    const models::Message& message = program_.messages[step.index];
    const int tag = tags_[step.index];
    if (step.does == Does::nothing) {
      out << fmt::format("{} wait {} {} {}\n", rank, message.from, message.to, tag);
      return 1;
    }
    const bool is_send = step.does == Does::sends;
    const Needs needs = is_send ? Needs::sent : Needs::received;
    const bool is_blocking = place + 1 < steps.size() && steps[place + 1].needs == needs &&
                             steps[place + 1].index == step.index &&
                             !(steps[place + 1].computing_seconds > 0);
    out << fmt::format("{} {}{} {} {} {}\n", rank, is_blocking ? "" : "i",
                       is_send ? "send" : "recv", is_send ? message.to : message.from, tag,
                       message.bytes);
    return is_blocking ? 2 : 1;
  }

  const Program& program_;
  std::vector<int> tags_;  ///< of each message
};

/// How long SimGrid's replay takes [s], as it prints it: whole microseconds.
double replayed_by_simgrid(const applications::TraceAnalysis& run) {
  const int ranks = run.trace().world_ranks;
  const SimGridTrace trace(run.program());
  const SimulatedNetwork network = uniform_network(ranks);
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (int rank = 0; rank < ranks; ++rank) {
    files.push_back(folder.write("rank-" + std::to_string(rank) + ".txt",
                                 trace.actions(static_cast<std::size_t>(rank))));
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
