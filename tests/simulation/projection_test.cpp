// Models from microbenchmarks alone against the simulator's own times of a program that was never
// measured: the exchange of a solver on grids of ranks, whose time is all communication.

#include <catch2/catch.hpp>
#include <chrono>

#include "core/record_file.hpp"
#include "models/projection/projection.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::simulation {
namespace {

using projection::Machine;
using projection::Projection;
using projection::Projector;

/// 64 equal hosts behind one switch.
std::string switch_of(const std::string& bandwidth) {
  return R"(<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="h" suffix="" radical="0-63" speed="1Gf" bw=")" +
         bandwidth + R"(" lat="500ns" sharing_policy="SPLITDUPLEX"/></platform>)";
}

/// A simulated cluster with records of its ping-pongs and of its protocol.
class Cluster {
 public:
  explicit Cluster(const std::string& bandwidth) {
    std::string hosts;
    for (int host = 0; host < 64; ++host) hosts += "h" + std::to_string(host) + "\n";
    hosts_ = folder_.write("hosts", hosts);
    platform_ = folder_.write("platform.xml", switch_of(bandwidth));
    const std::string bin = HOCKNEY_SIMULATED_BIN;
    measure({bin + "/hockney-pingpong", "--epochs", "1", "--sizes", "0,1:4M", "--json"});
    measure({bin + "/hockney-protocol", "--most", "128K", "--flood-messages", "20", "--json"});
  }

  /// The log of a run of so many rows and columns of ranks on a grid of points.
  [[nodiscard]] applications::Trace exchange(int rows, int columns, int points) const {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/profile.json";
    run({"env", "HOCKNEY_PROFILE_OUT=" + file, "HOCKNEY_PROFILE_LOG=1"}, rows * columns,
        {HOCKNEY_SIMULATED_HALO, std::to_string(rows), std::to_string(columns),
         std::to_string(points), "3", "3"});
    return applications::load_trace(folder.path() + "/profile.events");
  }

  [[nodiscard]] Machine machine(const applications::Trace& trace) const {
    projection::Selection selection;
    for (const applications::RankTrace& rank : trace.ranks) selection.hosts.push_back(rank.host);
    return {records_, std::nullopt, selection};
  }

 private:
  void measure(const std::vector<std::string>& program) {
    const std::string file =
        folder_.write("record-" + std::to_string(records_.size()) + ".json", run({}, 2, program));
    records_.push_back(load_records({file}).front());
  }

  std::string run(std::vector<std::string> words, int ranks,
                  const std::vector<std::string>& program) const {
    for (const std::string& word :
         {std::string(HOCKNEY_SMPIRUN), std::string("-np"), std::to_string(ranks),
          std::string("-platform"), platform_, std::string("-hostfile"), hosts_,
          std::string("--log=root.thresh:critical"),
          std::string("--cfg=smpi/simulate-computation:no")}) {
      words.push_back(word);
    }
    words.insert(words.end(), program.begin(), program.end());
    const CommandResult result = run_command(words, std::chrono::seconds(100));
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return result.out;
  }

  TemporaryFolder folder_;
  std::string hosts_;
  std::string platform_;
  std::vector<Record> records_;
};

struct Setting {
  int rows = 0;
  int columns = 0;
  int points = 0;
};

}  // namespace

TEST_CASE(
    "an exchange takes what models from ping-pongs say, here and on a network twice as fast") {
  const Cluster slow("10GBps");
  const Cluster fast("20GBps");
  const std::vector<Setting> settings{{2, 2, 512},   {2, 2, 8192}, {4, 4, 4000},
                                      {4, 4, 40000}, {4, 2, 2000}, {8, 8, 400000}};
  double error = 0;
  double projected_error = 0;
  for (const auto& [rows, columns, points] : settings) {
    CAPTURE(rows, columns, points);
    const applications::Trace trace = slow.exchange(rows, columns, points);
    const Machine machine = slow.machine(trace);
    const Projector projector(trace, machine);
    error += std::abs(projector.validation().error());
    const applications::Trace truth = fast.exchange(rows, columns, points);
    const Machine elsewhere = fast.machine(truth);
    const double seconds = Projector(truth, elsewhere).validation().measured_seconds;
    const Projection projected = projector.project("", {}, elsewhere);
    CHECK(projected.range.low_seconds <= seconds);
    CHECK(seconds <= projected.range.high_seconds);
    projected_error += std::abs(projected.seconds / seconds - 1);
  }
  const auto number = static_cast<double>(settings.size());
  INFO("mean error " << error / number << ", of another machine " << projected_error / number);
  CHECK(error / number < 0.1);
  CHECK(projected_error / number < 0.1);
}

}  // namespace hockney::simulation
