#include "tests/simulation/simulated_collectives.hpp"

#include <sstream>
#include <stdexcept>

#include "tests/simulation/simulated_launch.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::simulation {

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

SimulatedNetwork dragonfly_network() {
  SimulatedNetwork network;
  network.xml =
      "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\"><cluster id=\"dragonfly\" "
      "topology=\"DRAGONFLY\" topo_parameters=\"4,4;4,3;4,1;4\" prefix=\"nid\" suffix=\"\" "
      "radical=\"0-255\" speed=\"1Gf\" bw=\"8GBps\" lat=\"300ns\" sharing_policy=\"SPLITDUPLEX\" "
      "loopback_bw=\"20GBps\" loopback_lat=\"200ns\"/></zone></platform>\n";
  for (int host = 0; host < 256; ++host) network.hosts.push_back("nid" + std::to_string(host));
  return network;
}

SiteFile dragonfly_sites() {
  SiteFile file{.levels = {"router", "chassis", "group"}, .hosts = {}, .sites = {}};
  for (int host = 0; host < 256; ++host) {
    file.hosts.push_back("nid" + std::to_string(host));
    file.sites[file.hosts.back()] = {"r" + std::to_string(host / 4),
                                     "c" + std::to_string(host / 16),
                                     "g" + std::to_string(host / 64)};
  }
  return file;
}

namespace {

std::string lines(const std::vector<std::string>& hosts) {
  std::string text;
  for (const std::string& host : hosts) text += host + '\n';
  return text;
}

/// What collective_times prints.
std::string run_simulator(const SimulatedNetwork& network, const std::vector<std::string>& settings,
                          int ranks, const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  std::vector<std::string> command =
      smpirun_command(ranks, folder.write("platform.xml", network.xml),
                      folder.write("hosts", lines(network.hosts)));
  command.insert(command.end(), settings.begin(), settings.end());
  command.emplace_back(HOCKNEY_COLLECTIVE_TIMES);
  command.insert(command.end(), arguments.begin(), arguments.end());
  const CommandResult result = run_command(command, std::chrono::seconds(100));
  if (result.exit_code != 0) throw std::runtime_error(result.err);
  return result.out;
}

Series series_of(const std::string& operation, int ranks, std::int64_t bytes, double seconds) {
  Series series;
  series.point.operation = operation;
  series.point.ranks = ranks;
  series.point.bytes = {bytes};
  series.samples_seconds = {seconds};
  series.blocks = {1};
  series.summary = summarise(series);
  return series;
}

Record record_on(const std::vector<std::string>& hosts, int ranks) {
  Record record;
  record.provenance.mpi.library = "SMPI";
  for (int rank = 0; rank < ranks; ++rank) {
    record.ranks.push_back({.rank = rank, .host = hosts[static_cast<std::size_t>(rank)]});
  }
  return record;
}

struct Router {
  int group = 0;
  int chassis = 0;
  int blade = 0;
};

Router router_of(int host) { return {host / 64, host / 16 % 4, host / 4 % 4}; }

}  // namespace

std::vector<std::vector<SimulatedTime>> simulate(const SimulatedNetwork& network,
                                                 const std::vector<SimulatedWork>& works,
                                                 int ranks) {
  std::vector<std::string> settings;
  std::vector<std::string> arguments;
  for (const SimulatedWork& work : works) {
    const SimulatedAlgorithm& algorithm = work.algorithm;
    settings.push_back("--cfg=smpi/" + algorithm.operation + ':' + algorithm.simulator);
    arguments.push_back(algorithm.operation);
    for (const std::int64_t size : work.sizes) arguments.push_back(std::to_string(size));
  }
  std::istringstream text(run_simulator(network, settings, ranks, arguments));
  std::vector<std::vector<SimulatedTime>> times;
  for (const SimulatedWork& work : works) {
    times.emplace_back();
    for (std::size_t i = 0; i < work.sizes.size(); ++i) {
      SimulatedTime time;
      std::string operation;
      text >> operation >> time.ranks >> time.bytes >> time.seconds;
      if (!text) throw std::runtime_error("not all sizes were timed");
      times.back().push_back(time);
    }
  }
  return times;
}

int dragonfly_links(int from, int to) {
  int links = 2;
  Router at = router_of(from);
  const Router end = router_of(to);
  const auto go = [&](int& here, int there) {
    if (here != there) ++links;
    here = there;
  };
  if (at.group != end.group) {
    go(at.blade, end.group);
    go(at.chassis, 0);
    const int come_from = at.group;
    go(at.group, end.group);
    at.blade = come_from;
  }
  if (at.blade != end.blade) {
    go(at.blade, end.blade);
    at.chassis = 0;  // SimGrid 3.32 goes on from the first chassis, wherever it was
  }
  go(at.chassis, end.chassis);
  return links;
}

Record simulate_pairs(const SimulatedNetwork& network, const std::vector<std::string>& hosts,
                      const std::vector<std::int64_t>& sizes) {
  const auto ranks = static_cast<int>(hosts.size());
  std::vector<std::string> arguments{"pairs"};
  for (const std::int64_t size : sizes) arguments.push_back(std::to_string(size));
  std::istringstream text(run_simulator({network.xml, hosts}, {}, ranks, arguments));
  Record record = record_on(hosts, ranks);
  std::string operation;
  int first = 0;
  int second = 0;
  std::int64_t bytes = 0;
  for (double seconds = 0; text >> operation >> first >> second >> bytes >> seconds;) {
    Series series = series_of("pingpong", 2, bytes, seconds);
    series.point.pair = {first, second};
    series.point.hop = "cross-node";
    record.series.push_back(std::move(series));
  }
  return record;
}

Record record_of(const SimulatedNetwork& network, const SimulatedAlgorithm& algorithm, int ranks,
                 const std::vector<SimulatedTime>& times) {
  Record record = record_on(network.hosts, ranks);
  for (const SimulatedTime& time : times) {
    Series series = series_of(algorithm.operation, ranks, time.bytes, time.seconds);
    series.point.algorithm = algorithm.hockney;
    record.series.push_back(std::move(series));
  }
  return record;
}

}  // namespace hockney::simulation
