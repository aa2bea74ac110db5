#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/record_file.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::simulation {

/// What makes times those of a platform's links alone: no factors of measured clusters, no time for
/// computing, and every message a rendezvous.
inline std::vector<std::string> settings_of_links_alone() {
  return {"--log=root.thresh:critical",         "--cfg=smpi/host-speed:1Gf",
          "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0",
          "--cfg=smpi/bw-factor:0:1",           "--cfg=smpi/lat-factor:0:1",
          "--cfg=network/crosstraffic:0",       "--cfg=smpi/send-is-detached-thresh:0"};
}

/// The launcher with these files of a platform and its hosts; more settings, the program and its
/// arguments follow.
inline std::vector<std::string> smpirun_command(int ranks, const std::string& platform,
                                                const std::string& hosts) {
  std::vector<std::string> words{
      HOCKNEY_SMPIRUN, "-np", std::to_string(ranks), "-platform", platform, "-hostfile", hosts};
  for (const std::string& setting : settings_of_links_alone()) words.push_back(setting);
  return words;
}

/// The record of a program of hockney, one sample of each point.
inline nlohmann::json simulated_record(std::vector<std::string> launcher,
                                       const std::string& program,
                                       const std::vector<std::string>& arguments) {
  launcher.insert(launcher.end(), {HOCKNEY_SIMULATED_BIN "/" + program, "--epochs", "1",
                                   "--samples", "1", "--json"});
  launcher.insert(launcher.end(), arguments.begin(), arguments.end());
  const CommandResult result = run_command(launcher, std::chrono::seconds(110));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return nlohmann::json::parse(result.out);
}

/// The record of a program with its options on the hosts h0, h1 ... of a platform (XML), on which
/// computing takes no time and links are as described; with more settings of smpirun.
inline Record record_on(const std::string& platform, int ranks,
                        const std::vector<std::string>& program,
                        const std::vector<std::string>& settings = {}) {
  const TemporaryFolder folder;
  std::string hosts;
  for (int host = 0; host < ranks; ++host) hosts += "h" + std::to_string(host) + "\n";
  std::vector<std::string> words{HOCKNEY_SMPIRUN,
                                 "-np",
                                 std::to_string(ranks),
                                 "-platform",
                                 folder.write("platform.xml", platform),
                                 "-hostfile",
                                 folder.write("hosts", hosts),
                                 "--log=root.thresh:critical",
                                 "--cfg=smpi/host-speed:1Gf",
                                 "--cfg=smpi/simulate-computation:no",
                                 "--cfg=smpi/wtime:0",
                                 "--cfg=smpi/bw-factor:0:1",
                                 "--cfg=smpi/lat-factor:0:1"};
  const std::string file = folder.path() + "/record.json";
  words.insert(words.end(), settings.begin(), settings.end());
  words.push_back(HOCKNEY_SIMULATED_BIN "/" + program.front());
  words.insert(words.end(), program.begin() + 1, program.end());
  words.insert(words.end(), {"--output", file});
  const CommandResult result = run_command(words, std::chrono::seconds(100));
  INFO(result.out << result.err);
  REQUIRE(result.exit_code == 0);
  return load_record(file);
}

/// A document of 256 ranks, one on each host of the shipped dragonfly, whose site file it is given.
inline nlohmann::json record_on_dragonfly(const std::string& program,
                                          std::vector<std::string> arguments) {
  const std::string platform = HOCKNEY_SOURCE_DIR "/configs/platforms/dragonfly-256";
  arguments.insert(arguments.end(), {"--sites", platform + ".sites"});
  return simulated_record(smpirun_command(256, platform + ".xml", platform + ".hosts"), program,
                          arguments);
}

}  // namespace hockney::simulation
