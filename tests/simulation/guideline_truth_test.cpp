#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_node.hpp"
#include "tests/simulation/simulated_collectives.hpp"
#include "tests/simulation/simulated_launch.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

// Verdicts on guidelines where the time of every call is known: from the simulator alone, and from
// the latency and bandwidth of its only link.
namespace hockney::simulation {
namespace {

constexpr double limit = 1.05;
constexpr double ratio_tolerance = 0.005;

/// A campaign of twelve launches on a uniform network; its guidelines' verdicts.
struct GuidelineSimulation {
  int ranks = 2;
  std::string operations;               ///< on the left; smpirun splits names of guidelines
  std::vector<std::string> guidelines;  ///< that are looked at
  std::string sizes;
  std::vector<std::string> algorithms;  ///< "reduce:binomial"
};

nlohmann::json guideline_campaign(const GuidelineSimulation& simulation) {
  std::vector<std::string> launcher = settings_of_links_alone();
  launcher.insert(launcher.end(), {"-platform", "platform.xml", "-hostfile", "hosts",
                                   "--cfg=smpi/barrier:ompi_recursivedoubling"});
  for (const std::string& algorithm : simulation.algorithms) {
    launcher.push_back("--cfg=smpi/" + algorithm);
  }
  return {{"schema", "hockney.campaign/1"},
          {"name", "simulated"},
          {"description", "A uniform network"},
          {"program", HOCKNEY_SIMULATED_BIN "/hockney-guidelines"},
          {"arguments", {"--operations", simulation.operations, "--sizes", simulation.sizes}},
          {"ranks", simulation.ranks},
          {"launches", 12},
          {"settings", {{{"name", "default"}}}},
          {"launcher", {{"dialect", "smpirun"}, {"arguments", launcher}}}};
}

nlohmann::json verdicts_of(const GuidelineSimulation& simulation) {
  const SimulatedNetwork network = uniform_network(simulation.ranks);
  const TemporaryFolder folder;
  folder.write("platform.xml", network.xml);
  std::string hosts;
  for (const std::string& host : network.hosts) hosts += host + '\n';
  folder.write("hosts", hosts);
  const std::string config = folder.write("campaign.json", guideline_campaign(simulation).dump(1));
  const std::string out = folder.path() + "/out";
  const CommandResult run =
      run_command({HOCKNEY_DRIVER, "run", config, "--out", out}, std::chrono::seconds(100));
  INFO(run.out << run.err);
  REQUIRE(run.exit_code == 0);
  const CommandResult judged = run_command({HOCKNEY_DRIVER, "guidelines", out, "--json"});
  INFO(judged.err);
  REQUIRE(judged.exit_code <= 1);
  nlohmann::json wanted = nlohmann::json::array();
  const auto verdicts = nlohmann::json::parse(judged.out).at("verdicts");
  for (const auto& verdict : verdicts) {
    const auto& names = simulation.guidelines;
    if (std::ranges::find(names, verdict.at("guideline").get<std::string>()) != names.end()) {
      wanted.push_back(verdict);
    }
  }
  return wanted;
}

/// The verdict on a true ratio that is not too near to the limit.
void check(const nlohmann::json& verdict, double truth) {
  INFO(verdict.dump(1) << "\ntrue ratio " << truth);
  CHECK(verdict.at("ratio").get<double>() == Approx(truth).epsilon(ratio_tolerance));
  REQUIRE(std::abs(truth / limit - 1) > 2 * ratio_tolerance);
  CHECK(verdict.at("verdict") == (truth > limit ? "violated" : "satisfied"));
}

}  // namespace

TEST_CASE("verdicts are those of the times that the simulator alone says", "[nightly]") {
  for (const int ranks : {4, 8}) {
    const std::vector<SimulatedWork> works{{{"reduce", "ompi_basic_linear", ""}, {64, 4096, 65536}},
                                           {{"allreduce", "rdb", ""}, {64, 4096, 65536}},
                                           {{"gather", "ompi_basic_linear", ""}, {64, 4096, 65536}},
                                           {{"allgather", "ring", ""}, {64, 4096, 65536}}};
    const auto times = simulate(uniform_network(ranks), works, ranks);
    const auto seconds = [&](std::size_t work, std::int64_t bytes) {
      for (const SimulatedTime& time : times[work]) {
        if (time.bytes == bytes) return time.seconds;
      }
      FAIL("no time of " << bytes << " bytes");
      return 0.0;
    };
    const auto verdicts =
        verdicts_of({.ranks = ranks,
                     .operations = "reduce,gather",
                     .guidelines = {"reduce <= allreduce", "gather <= allgather"},
                     .sizes = "64,4K,64K",
                     .algorithms = {"reduce:ompi_basic_linear", "allreduce:rdb",
                                    "gather:ompi_basic_linear", "allgather:ring"}});
    CHECK(verdicts.size() == 6);
    for (const auto& verdict : verdicts) {
      const std::int64_t bytes = verdict.at("bytes");
      const bool is_reduce = verdict.at("lhs") == "reduce";
      check(verdict, is_reduce ? seconds(0, bytes) / seconds(1, bytes)
                               : seconds(2, bytes) / seconds(3, bytes));
    }
  }
}

TEST_CASE("verdicts are those of the link's latency and bandwidth") {
  // Two ranks. One message takes alpha + beta m. An allreduce by reduce and bcast is two of m
  // bytes; reduce_scatter_block and allgather, which exchange both ways at once, two of m/2.
  constexpr double alpha = 1e-6 + envelope_bytes / 10e9;
  constexpr double beta = 1 / 10e9;
  const auto verdicts =
      verdicts_of({.ranks = 2,
                   .operations = "allreduce",
                   .guidelines = {"allreduce <= reduce-scatter-block + allgather",
                                  "allreduce <= reduce + bcast"},
                   .sizes = "64,4K,64K",
                   .algorithms = {"allreduce:redbcast", "reduce:binomial", "bcast:binomial_tree",
                                  "reduce_scatter:ompi_ring", "allgather:rdb"}});
  CHECK(verdicts.size() == 6);
  for (const auto& verdict : verdicts) {
    const double bytes = verdict.at("bytes");
    const double two_messages = 2 * (alpha + beta * bytes);
    const bool is_same = verdict.at("rhs") == "allreduce-by-reduce-bcast";
    check(verdict, is_same ? 1 : two_messages / (2 * (alpha + beta * bytes / 2)));
  }
}

}  // namespace hockney::simulation
