#include <array>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

// A slow link of a simulated cluster, from the first campaign of a night to its name.
namespace hockney::simulation {
namespace {

constexpr int host_count = 8;

std::string host_name(int host) { return "node" + std::to_string(host); }

/// Every two hosts have a link of their own, of 1 us give or take 2 %; that of node2 and node5 is
/// half as long again.
std::string mesh() {
  constexpr std::array wobbles{1.0, 1.015, 0.988, 1.007, 0.982, 1.011, 0.994, 1.018, 0.991};
  std::string links;
  std::string routes;
  std::size_t link = 0;
  for (int a = 0; a < host_count; ++a) {
    for (int b = a + 1; b < host_count; ++b, ++link) {
      const double slow = a == 2 && b == 5 ? 1.5 : 1;
      const double microseconds = wobbles[5 * link % wobbles.size()] * slow;
      const std::string name = "link" + std::to_string(link);
      links += "<link id=\"" + name + "\" bandwidth=\"10GBps\" latency=\"" +
               std::to_string(microseconds) + "us\" sharing_policy=\"FATPIPE\"/>\n";
      routes += "<route src=\"" + host_name(a) + "\" dst=\"" + host_name(b) + "\"><link_ctn id=\"" +
                name + "\"/></route>\n";
    }
  }
  std::string nodes;
  for (int host = 0; host < host_count; ++host) {
    nodes += "<host id=\"" + host_name(host) + "\" speed=\"1Gf\"/>\n";
  }
  return "<?xml version=\"1.0\"?>\n"
         "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n<zone id=\"mesh\" routing=\"Full\">\n" +
         nodes + links + routes + "</zone>\n</platform>\n";
}

/// Ranks on the hosts in order, beginning with `first`.
std::string config_of(const TemporaryFolder& folder, int first) {
  std::string names;
  for (int i = 0; i < host_count; ++i) names += host_name((first + i) % host_count) + "\n";
  const nlohmann::json config{
      {"schema", "hockney.campaign/1"},
      {"name", "pairs"},
      {"description", "pairs of simulated nodes"},
      {"program", "hockney-pingpong"},
      {"arguments", {"--pairs", "sparse:16", "--sizes", "8", "--epochs", "1", "--samples", "1"}},
      {"ranks", host_count},
      {"launches", 1},
      {"launcher",
       {{"dialect", "smpirun"},
        {"arguments",
         {"-platform", folder.write("mesh.xml", mesh()), "-hostfile",
          folder.write("hosts" + std::to_string(first), names), "--log=root.thresh:critical",
          "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0",
          "--cfg=network/crosstraffic:0"}}}}};
  return folder.write("pairs" + std::to_string(first) + ".json", config.dump());
}

CommandResult hockney(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{HOCKNEY_DRIVER};
  command.insert(command.end(), arguments.begin(), arguments.end());
  CommandResult result = run_command(command, std::chrono::seconds(50));
  INFO(join(command, " ") << "\n" << result.out << result.err);
  CHECK(result.exit_code != 2);
  return result;
}

}  // namespace

TEST_CASE("a slow link is suspected, measured again, and then named alone") {
  const TemporaryFolder folder;
  const std::string config = config_of(folder, 0);
  const std::string night = folder.path() + "/night";
  const std::string again = folder.path() + "/again";
  const std::string history = folder.path() + "/history.sqlite";
  const std::vector<std::string> run{"run", config, "--executable-dir", HOCKNEY_SIMULATED_BIN};
  const auto run_into = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), {"--out", out});
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK(hockney(arguments).exit_code == 0);
  };
  run_into(night, {});
  run_into(again, {"--suspects", night});
  CHECK(hockney({"health", "ingest", night, "--history", history}).exit_code == 0);
  const auto links_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> check{"health", "check", "--json", "--history", history};
    check.insert(check.end(), more.begin(), more.end());
    return nlohmann::json::parse(hockney(check).out).at("links");
  };
  CHECK(links_of({}).empty());
  const nlohmann::json named = links_of({"--again", again});
  REQUIRE(named.size() == 1);
  CHECK(named[0].at("hosts") == nlohmann::json{"node2", "node5"});
  CHECK(named[0].at("effect").get<double>() == Approx(0.5).margin(0.1));
}

TEST_CASE("suspects that turn out to be other links, on other hosts, are an error") {
  const TemporaryFolder folder;
  const std::string night = folder.path() + "/night";
  const std::vector<std::string> where{"--executable-dir", HOCKNEY_SIMULATED_BIN, "--out"};
  const auto run = [&](int first, std::vector<std::string> more) {
    more.insert(more.begin(), where.begin(), where.end());
    more.insert(more.begin(), {"run", config_of(folder, first)});
    return hockney(more);
  };
  REQUIRE(run(0, {night}).exit_code == 0);
  const CommandResult moved = run(1, {folder.path() + "/again", "--suspects", night});
  CHECK(moved.exit_code == 3);
  CHECK_THAT(moved.err, Catch::Contains("rank 0 ran on node1 this time"));
}

}  // namespace hockney::simulation
