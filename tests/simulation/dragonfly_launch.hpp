#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/run_command.hpp"

namespace hockney::simulation {

/// The record of a program with 256 ranks, one on each host of the shipped dragonfly, whose site
/// file it is given: one sample of each point.
inline nlohmann::json launch_on_dragonfly(const std::string& program,
                                          const std::vector<std::string>& arguments) {
  const std::string platform = HOCKNEY_SOURCE_DIR "/configs/platforms/dragonfly-256";
  std::vector<std::string> words{HOCKNEY_SMPIRUN,
                                 "-np",
                                 "256",
                                 "-platform",
                                 platform + ".xml",
                                 "-hostfile",
                                 platform + ".hosts",
                                 "--log=root.thresh:critical",
                                 "--cfg=smpi/host-speed:1Gf",
                                 "--cfg=smpi/simulate-computation:no",
                                 "--cfg=smpi/wtime:0",
                                 "--cfg=smpi/bw-factor:0:1",
                                 "--cfg=smpi/lat-factor:0:1",
                                 "--cfg=network/crosstraffic:0",
                                 "--cfg=smpi/send-is-detached-thresh:0",
                                 HOCKNEY_SIMULATED_BIN "/" + program,
                                 "--epochs",
                                 "1",
                                 "--samples",
                                 "1",
                                 "--sites",
                                 platform + ".sites",
                                 "--json"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const CommandResult result = run_command(words, std::chrono::seconds(110));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return nlohmann::json::parse(result.out);
}

}  // namespace hockney::simulation
