#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/json_node.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

// Tuning where the truth is known: a simulator without noise, whose default is a linear broadcast.
namespace hockney::simulation {
namespace {

using Json = nlohmann::json;

constexpr int ranks = 8;

/// A cluster of equal hosts.
std::string cluster_xml() {
  return "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-" +
         std::to_string(ranks - 1) +
         "\" speed=\"1Gf\" bw=\"10GBps\" lat=\"1us\" sharing_policy=\"SPLITDUPLEX\"/>"
         "</platform>\n";
}

std::string host_file() {
  std::string hosts;
  for (int host = 0; host < ranks; ++host) hosts += "h" + std::to_string(host) + "\n";
  return hosts;
}

/// Each value forces an algorithm of MPI_Bcast; the default is what the launcher is told first.
Json algorithm_axis(const std::vector<std::string>& algorithms) {
  Json values{{{"name", "default"}}};
  for (const std::string& algorithm : algorithms) {
    values.push_back(
        {{"name", algorithm}, {"launcher_arguments", {"--cfg=smpi/bcast:" + algorithm}}});
  }
  return {{"name", "algorithm"}, {"values", values}};
}

Json campaign(const TemporaryFolder& folder) {
  const Json launcher{"-platform",
                      folder.write("cluster.xml", cluster_xml()),
                      "-hostfile",
                      folder.write("hosts", host_file()),
                      "--log=root.thresh:critical",
                      "--cfg=smpi/host-speed:1Gf",
                      "--cfg=smpi/simulate-computation:no",
                      "--cfg=smpi/wtime:0",
                      "--cfg=smpi/bcast:flattree"};
  return {{"schema", "hockney.campaign/1"},
          {"name", "linear"},
          {"program", HOCKNEY_SIMULATED_BIN "/hockney-collectives"},
          {"arguments",
           {"--operations", "bcast", "--sizes", "8,32,128,512,2K,8K,32K,128K,512K,2M", "--epochs",
            "2", "--samples", "2"}},
          {"ranks", ranks},
          {"launches", 1},
          {"axes",
           {algorithm_axis({"binomial_tree", "scatter_LR_allgather", "scatter_rdb_allgather",
                            "ompi_pipeline", "NTSL"})}},
          {"launcher", {{"dialect", "smpirun"}, {"arguments", launcher}}}};
}

CommandResult driver(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), HOCKNEY_DRIVER);
  return run_command(arguments, std::chrono::seconds(110));
}

}  // namespace

TEST_CASE("on sizes it was not trained on, a tuned file is as good as the best forced algorithm") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out";
  const std::string file = folder.path() + "/bcast.list";
  const std::string result = folder.path() + "/verification.json";
  const CommandResult run =
      driver({"run", folder.write("campaign.json", campaign(folder).dump()), "--out", out});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const CommandResult tune = driver({"tune", out, "--exact", "-o", file});
  INFO(tune.out << tune.err);
  REQUIRE(tune.exit_code == 0);
  CHECK_THAT(tune.out, Catch::Contains("for smpi, from linear under SMPI Version"));
  const CommandResult verify = driver({"tune", out, "--exact", "--verify", file, "--oracle", "all",
                                       "--out", folder.path() + "/again", "-o", result});
  INFO(verify.out << verify.err);
  REQUIRE(verify.exit_code == 0);
  const JsonNode document = load_json(result);
  CHECK(document.at("points").elements().size() == 9);
  CHECK(document.at("slower").integer() == 0);
  CHECK(document.at("mean_regret").number() <= 0.025);
  CHECK(document.at("mean_gain").number() > 0.1);
  CHECK(document.at("in_force").at("proof").text() == "proven");
}

}  // namespace hockney::simulation
