#include "tests/simulation/simulated_collectives.hpp"

#include <sstream>
#include <stdexcept>

#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {

SimulatedNetwork uniform_network(int hosts) {
  SimulatedNetwork network;
  network.xml =
      "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\"><cluster id=\"uniform\" "
      "prefix=\"h\" suffix=\"\" radical=\"0-" +
      std::to_string(hosts - 1) +
      "\" speed=\"1Gf\" bw=\"10GBps\" lat=\"500ns\" sharing_policy=\"SPLITDUPLEX\"/></zone>"
      "</platform>\n";
  for (int host = 0; host < hosts; ++host) network.hosts.push_back("h" + std::to_string(host));
  return network;
}

std::vector<SimulatedTime> simulate(const SimulatedNetwork& network,
                                    const SimulatedAlgorithm& algorithm, int ranks,
                                    const std::vector<std::int64_t>& sizes) {
  const TemporaryFolder folder;
  std::string hosts;
  for (const std::string& host : network.hosts) hosts += host + '\n';
  std::vector<std::string> command{HOCKNEY_SMPIRUN,
                                   "-np",
                                   std::to_string(ranks),
                                   "-platform",
                                   folder.write("platform.xml", network.xml),
                                   "-hostfile",
                                   folder.write("hosts", hosts),
                                   "--log=root.thresh:critical",
                                   "--cfg=smpi/host-speed:1Gf",
                                   "--cfg=smpi/simulate-computation:no",
                                   "--cfg=smpi/wtime:0",
                                   "--cfg=smpi/bw-factor:0:1",
                                   "--cfg=smpi/lat-factor:0:1",
                                   "--cfg=network/crosstraffic:0",
                                   "--cfg=smpi/send-is-detached-thresh:0"};
  if (!algorithm.simulator.empty()) {
    command.push_back("--cfg=smpi/" + algorithm.operation + ':' + algorithm.simulator);
  }
  command.insert(command.end(), {HOCKNEY_COLLECTIVE_TIMES, algorithm.operation});
  for (const std::int64_t size : sizes) command.push_back(std::to_string(size));
  const CommandResult result = run_command(command, std::chrono::seconds(100));
  if (result.exit_code != 0) throw std::runtime_error(algorithm.simulator + ": " + result.err);
  std::vector<SimulatedTime> times;
  std::istringstream lines(result.out);
  std::string operation;
  for (SimulatedTime time; lines >> operation >> time.ranks >> time.bytes >> time.seconds;) {
    times.push_back(time);
  }
  if (times.size() != sizes.size()) throw std::runtime_error("not all sizes were timed");
  return times;
}

}  // namespace hockney
