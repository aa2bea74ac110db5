#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/record_file.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/study.hpp"
#include "tests/support/temporary_folder.hpp"

// The shipped campaigns on simulated machines of 256 hosts, as users run them.
namespace hockney::simulation {
namespace {

/// Two links at least, and the simulator's envelope, lie between any two hosts.
constexpr double nearest_seconds = 2 * 300e-9;
constexpr int rounds = 8;  // log2 256

/// Runs a shipped campaign; the folder of its records.
std::string run_shipped(const std::string& name, const TemporaryFolder& folder) {
  const std::string out = folder.path() + "/out";
  const CommandResult result =
      run_command({HOCKNEY_DRIVER, "run", HOCKNEY_SOURCE_DIR "/configs/" + name + ".json",
                   "--executable-dir", HOCKNEY_SIMULATED_BIN, "--out", out},
                  std::chrono::seconds(110));
  INFO(result.out << result.err);
  REQUIRE(result.exit_code == 0);
  return out;
}

Record record_of_shipped(const std::string& name) {
  const TemporaryFolder folder;
  const auto records = load_records({run_shipped(name, folder)});
  REQUIRE(records.size() == 1);
  return records.front();
}

}  // namespace

TEST_CASE("what smpirun copies and loads for each rank is small") {
  CHECK(std::filesystem::file_size(HOCKNEY_SIMULATED_BIN "/hockney-collectives") < 100'000);
}

TEST_CASE("shipped campaigns run on 256 simulated hosts", "[study]") {
  for (const std::string& name :
       first_of<std::string>(1, {"smpi-fat-tree-256", "smpi-dragonfly-256"})) {
    const Record record = record_of_shipped(name);
    INFO(name);
    CHECK(record.status == LaunchStatus::complete);
    REQUIRE(record.ranks.size() == 256);
    CHECK(record.ranks.front().host != record.ranks.back().host);
    REQUIRE(record.series.size() == 5);
    for (const Series& series : record.series) {
      INFO(series.point.operation << " " << series.point.bytes.value);
      REQUIRE(series.summary.median_seconds);
      CHECK(*series.summary.median_seconds > rounds * nearest_seconds);
      CHECK(*series.summary.median_seconds < 1e-3);
    }
  }
}

TEST_CASE("the site file of a shipped platform tells its distances apart") {
  const TemporaryFolder folder;
  const std::string out = run_shipped("smpi-dragonfly-pairs", folder);
  const CommandResult fit =
      run_command({HOCKNEY_DRIVER, "fit", out, "--json", "--sites",
                   HOCKNEY_SOURCE_DIR "/configs/platforms/dragonfly-256.sites"});
  INFO(fit.err);
  REQUIRE(fit.exit_code == 0);
  constexpr double link_seconds = 300e-9;
  constexpr double envelope_seconds = 16 / 8e9;
  // Median over the pairs of each class, counted by hand from SimGrid's routes.
  std::map<std::string, int> links{
      {"same-router", 2}, {"same-chassis", 3}, {"same-group", 3}, {"other-group", 4}};
  const auto fits = nlohmann::json::parse(fit.out).at("fits");
  for (const auto& each : fits) {
    const std::string hop = each.at("point").at("hop");
    INFO(hop);
    REQUIRE(links.contains(hop));
    REQUIRE(each.at("segments").size() == 1);
    const auto& segment = each.at("segments").front();
    CHECK(segment.at("alpha_seconds").get<double>() ==
          Approx(links.at(hop) * link_seconds + envelope_seconds).epsilon(0.001));
    CHECK(segment.at("beta_seconds_per_byte").get<double>() == Approx(1 / 8e9).epsilon(0.001));
    links.erase(hop);
  }
  CHECK(links.empty());
}

}  // namespace hockney::simulation
