#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <iomanip>
#include <iostream>

#include "components/application/projection/projection.hpp"
#include "core/atomic_file.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

// Models from microbenchmarks alone against the simulator's own times of programs that were never
// measured: the exchange of a solver on a grid, and Cannon's product, on 64 to 256 hosts.
namespace hockney::simulation {
namespace {

using projection::Machine;
using projection::Projection;
using projection::Projector;

/// A simulated machine, and which of its hosts show all distances.
struct SimulatedMachine {
  std::string xml;
  std::vector<std::string> hosts;
  std::vector<std::string> pairs;
  std::optional<SiteFile> sites;
};

/// Equal hosts behind one switch.
SimulatedMachine switch_of(const std::string& bandwidth) {
  SimulatedMachine platform{.xml = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="h" suffix="" radical="0-255" speed="1Gf" bw=")" +
                                   bandwidth +
                                   R"(" lat="500ns" sharing_policy="SPLITDUPLEX"/></platform>)",
                            .hosts = {},
                            .pairs = {"h0", "h1"},
                            .sites = {}};
  for (int host = 0; host < 256; ++host) platform.hosts.push_back("h" + std::to_string(host));
  return platform;
}

/// 16 hosts on each of 16 leaf switches, under 16 roots: the machine that the suite ships.
SimulatedMachine fat_tree() {
  const std::string shipped = HOCKNEY_SOURCE_DIR "/configs/platforms/fat-tree-256";
  SimulatedMachine platform{.xml = read_file(shipped + ".xml"),
                            .hosts = {},
                            .pairs = {"n0", "n1", "n16"},
                            .sites = load_sites(shipped + ".sites")};
  for (int host = 0; host < 256; ++host) platform.hosts.push_back("n" + std::to_string(host));
  return platform;
}

/// A program and its arguments.
struct Setting {
  int ranks = 0;
  std::vector<std::string> program;
};

/// A simulated machine with records of its ping-pongs and of its protocol.
class Cluster {
 public:
  /// `eager_limit`: the simulator's, that of messages which wait for no receive.
  explicit Cluster(const SimulatedMachine& platform, const std::string& eager_limit = "65536")
      : sites_(platform.sites), eager_limit_(eager_limit) {
    platform_ = folder_.write("platform.xml", platform.xml);
    hosts_ = folder_.write("hosts", join(platform.hosts, "\n") + "\n");
    const std::string pairs = folder_.write("pairs", join(platform.pairs, "\n") + "\n");
    const std::string bin = HOCKNEY_SIMULATED_BIN;
    const int some = static_cast<int>(platform.pairs.size());
    measure(pairs, some,
            {bin + "/hockney-pingpong", "--pairs", "all", "--epochs", "1", "--sizes", "0,1:4M"});
    measure(pairs, 2, {bin + "/hockney-protocol", "--most", "128K", "--flood-messages", "20"});
    if (sites_) name_network_hops(records_, *sites_);
  }

  /// The log of a run.
  [[nodiscard]] applications::TraceAnalysis log(const Setting& setting) const {
    const TemporaryFolder folder;
    std::vector<std::string> program = setting.program;
    program.front() = HOCKNEY_SIMULATED_PROGRAMS "/profile_" + program.front();
    run({"env", "HOCKNEY_PROFILE_OUT=" + folder.path() + "/profile.json", "HOCKNEY_PROFILE_LOG=1"},
        hosts_, setting.ranks, program);
    return applications::TraceAnalysis(applications::load_trace(folder.path() + "/profile.events"));
  }

  [[nodiscard]] Machine machine(const applications::TraceAnalysis& run) const {
    projection::Selection selection;
    selection.hosts = run.trace().hosts();
    return {records_, sites_, selection};
  }

 private:
  void measure(const std::string& hosts, int ranks, std::vector<std::string> program) {
    program.emplace_back("--json");
    const std::string file = folder_.write("record-" + std::to_string(records_.size()) + ".json",
                                           run({}, hosts, ranks, program));
    records_.push_back(load_records({file}).front());
  }

  std::string run(std::vector<std::string> words, const std::string& hosts, int ranks,
                  const std::vector<std::string>& program) const {
    for (const std::string& word :
         {std::string(HOCKNEY_SMPIRUN), std::string("-np"), std::to_string(ranks),
          std::string("-platform"), platform_, std::string("-hostfile"), hosts,
          std::string("--log=root.thresh:critical"),
          std::string("--cfg=smpi/simulate-computation:no"),
          "--cfg=smpi/send-is-detached-thresh:" + eager_limit_}) {
      words.push_back(word);
    }
    words.insert(words.end(), program.begin(), program.end());
    const CommandResult result = run_command(words, std::chrono::seconds(100));
    INFO(result.out << result.err);
    REQUIRE(result.exit_code == 0);
    return result.out;
  }

  TemporaryFolder folder_;
  std::optional<SiteFile> sites_;
  std::string eager_limit_;
  std::string hosts_;
  std::string platform_;
  std::vector<Record> records_;
};

Setting halo_exchange(int rows, int columns, int points) {
  return {
      rows * columns,
      {"halo", std::to_string(rows), std::to_string(columns), std::to_string(points), "3", "3"}};
}
Setting cannon_product(int side, int rows, const std::string& way, int microseconds) {
  return {
      side * side,
      {"cannon", std::to_string(side), std::to_string(rows), way, std::to_string(microseconds)}};
}

/// Messages below and above both eager limits, exchanges that computing hides and that it does not.
std::vector<Setting> held_out() {
  return {halo_exchange(8, 8, 4000),
          halo_exchange(8, 8, 400000),
          halo_exchange(12, 12, 40000),
          halo_exchange(16, 16, 8000),
          halo_exchange(16, 16, 400000),
          halo_exchange(32, 8, 100000),
          cannon_product(8, 160, "blocking", 0),
          cannon_product(8, 1600, "immediate", 20),
          cannon_product(12, 600, "blocking", 10),
          cannon_product(16, 320, "immediate", 0),
          cannon_product(16, 1600, "blocking", 5),
          cannon_product(16, 3200, "immediate", 100)};
}

/// Mean of |R1 - T|/T; T is no part of what R1 is made of but for the time between calls.
double projection_error(const Cluster& cluster, const std::vector<Setting>& settings) {
  double sum = 0;
  for (const Setting& setting : settings) {
    const applications::TraceAnalysis run = cluster.log(setting);
    const Machine machine = cluster.machine(run);
    const projection::Validation validation = Projector(run, machine).validation();
    sum += std::abs(validation.error());
    std::clog << std::setw(44) << std::left << join(setting.program, " ") << std::setw(12)
              << validation.measured_seconds << ' ' << 100 * validation.error() << " %\n";
  }
  return sum / static_cast<double>(settings.size());
}

void check_projections(const Cluster& cluster, const std::vector<Setting>& settings) {
  const double error = projection_error(cluster, settings);
  std::clog << "mean " << 100 * error << " %\n";
  CHECK(error < 0.1);
}

}  // namespace

TEST_CASE("an exchange takes what models from ping-pongs say, here and on a faster network") {
  const Cluster slow(switch_of("10GBps"));
  const Cluster fast(switch_of("20GBps"));
  double error = 0;
  double projected_error = 0;
  const std::vector<Setting> settings{halo_exchange(2, 2, 512),  halo_exchange(2, 2, 8192),
                                      halo_exchange(4, 4, 4000), halo_exchange(4, 4, 40000),
                                      halo_exchange(4, 2, 2000), halo_exchange(8, 8, 400000)};
  for (const Setting& setting : settings) {
    CAPTURE(setting.program);
    const applications::TraceAnalysis run = slow.log(setting);
    const Machine machine = slow.machine(run);
    const Projector projector(run, machine);
    error += std::abs(projector.validation().error());
    const applications::TraceAnalysis truth = fast.log(setting);
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

TEST_CASE("programs on up to 256 hosts behind a switch take what the models say", "[.][programs]") {
  check_projections(Cluster(switch_of("10GBps"), GENERATE("4096", "65536")), held_out());
}

TEST_CASE("programs on up to 256 hosts of a fat tree take what the models say", "[.][programs]") {
  check_projections(Cluster(fat_tree(), GENERATE("4096", "65536")), held_out());
}

}  // namespace hockney::simulation
