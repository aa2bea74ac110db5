#include <catch2/catch.hpp>

#include "tests/simulation/simulated_campaign.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::simulation {
namespace {

CommandResult simulate(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const std::string platform = folder.write("two.xml", platform_xml({1e-6, 10e9}));
  const std::string hosts = folder.write("two.hosts", "h0\nh1\n");
  std::vector<std::string> command{HOCKNEY_SMPIRUN,
                                   "-np",
                                   "2",
                                   "-platform",
                                   platform,
                                   "-hostfile",
                                   hosts,
                                   "--log=root.thresh:critical",
                                   "--cfg=smpi/host-speed:1Gf"};
  command.emplace_back(HOCKNEY_SIMULATED_BIN "/hockney-pingpong");
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_command(command);
}

TEST_CASE("a simulator has no caches, and says so in one line") {
  for (const std::string cache : {"cold", "fresh"}) {
    const CommandResult result = simulate({"--sizes", "8", "--cache", cache});
    INFO(result.out << result.err);
    CHECK_THAT(result.err, Catch::Contains("--cache " + cache + " under a simulator (simulated"));
    CHECK(result.exit_code != 0);
  }
  const CommandResult hot = simulate({"--sizes", "8", "--cache", "hot"});
  INFO(hot.out << hot.err);
  CHECK(hot.exit_code == 0);
}

}  // namespace
}  // namespace hockney::simulation
