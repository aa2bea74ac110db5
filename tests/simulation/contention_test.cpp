#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/simulation/simulated_launch.hpp"
#include "tests/support/temporary_folder.hpp"

// Messages that meet on links of simulated platforms take as long as the shares of the links say.
namespace hockney::simulation {
namespace {

constexpr int halved_hosts = 8;
constexpr int host_link_gigabytes = 10;  // [GB/s], of each host either way

std::string link(const std::string& name, int gigabytes) {
  return "<link id=\"" + name + "\" bandwidth=\"" + std::to_string(gigabytes) +
         "GBps\" latency=\"1us\"/>\n";
}

std::string on_route(const std::string& name) { return "<link_ctn id=\"" + name + "\"/>"; }

/// Two halves of four hosts at a switch each, and between the switches a trunk of one link each
/// way.
std::string dumbbell(int trunk_gigabytes) {
  const auto side = [](int host) { return host < halved_hosts / 2 ? "left" : "right"; };
  std::string hosts;
  std::string links = link("to-left", trunk_gigabytes) + link("to-right", trunk_gigabytes);
  std::string routes;
  for (int from = 0; from < halved_hosts; ++from) {
    const std::string source = std::to_string(from);
    hosts += "<host id=\"h" + source + "\" speed=\"1Gf\"/>\n";
    links += link("up" + source, host_link_gigabytes) + link("down" + source, host_link_gigabytes);
    for (int to = 0; to < halved_hosts; ++to) {
      if (to == from) continue;
      const std::string end = std::to_string(to);
      const std::string trunk =
          std::string(side(from)) == side(to) ? "" : on_route(std::string("to-") + side(to));
      routes += "<route src=\"h" + source + "\" dst=\"h" + end + "\" symmetrical=\"NO\">" +
                on_route("up" + source) + trunk + on_route("down" + end) + "</route>\n";
    }
  }
  return "<?xml version=\"1.0\"?>\n"
         "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n<zone id=\"dumbbell\" routing=\"Full\">\n" +
         hosts + links + routes + "</zone>\n</platform>\n";
}

/// Time by operation and flows [s] on the first hosts of the platform.
std::map<std::string, double> times_on(int trunk_gigabytes, int ranks,
                                       const std::string& operations) {
  const TemporaryFolder folder;
  std::string names;
  for (int host = 0; host < ranks; ++host) names += "h" + std::to_string(host) + "\n";
  const nlohmann::json record = simulated_record(
      smpirun_command(ranks, folder.write("dumbbell.xml", dumbbell(trunk_gigabytes)),
                      folder.write("hosts", names)),
      "hockney-collectives",
      {"--operations", operations, "--flows", ranks == 4 ? "1,2,3" : "1,2,4", "--sizes", "4M"});
  std::map<std::string, double> times;
  for (const auto& series : record.at("series")) {
    const std::string operation = series.at("operation");
    const std::string flows = series.at("point").at("parameters").at("flows");
    times[operation + " " + flows] = series.at("summary").at("median_seconds");
  }
  return times;
}

/// Latencies of a few microseconds lie beside messages of 419 us and more.
auto about(double factor) { return Approx(factor).epsilon(0.02); }

}  // namespace

TEST_CASE("pairs that cross a cut share its link") {
  const auto one_link = times_on(10, halved_hosts, "cut,victim");
  for (const char* operation : {"cut", "victim"}) {
    const auto factor = [&](const char* flows) {
      return one_link.at(std::string(operation) + flows) /
             one_link.at(operation + std::string(" 1"));
    };
    INFO(operation);
    CHECK(one_link.at(operation + std::string(" 1")) == about(4194304 / 10e9));
    CHECK(factor(" 2") == about(2));
    CHECK(factor(" 4") == about(4));
  }
  const auto two_links = times_on(20, halved_hosts, "cut,victim");
  for (const char* operation : {"cut", "victim"}) {
    const auto factor = [&](const char* flows) {
      return two_links.at(std::string(operation) + flows) /
             two_links.at(operation + std::string(" 1"));
    };
    INFO(operation);
    CHECK(factor(" 2") == about(1));
    CHECK(factor(" 4") == about(2));
  }
}

TEST_CASE("messages to and from one host share its link") {
  const auto times = times_on(10, halved_hosts / 2, "fan-in,fan-out");
  for (const char* operation : {"fan-in", "fan-out"}) {
    const auto factor = [&](const char* flows) {
      return times.at(std::string(operation) + flows) / times.at(operation + std::string(" 1"));
    };
    INFO(operation);
    CHECK(times.at(operation + std::string(" 1")) == about(4194304 / 10e9));
    CHECK(factor(" 2") == about(2));
    CHECK(factor(" 3") == about(3));
  }
}

TEST_CASE("across each hop class of the dragonfly messages share the links between its places",
          "[nightly]") {
  const nlohmann::json record = record_on_dragonfly(
      "hockney-collectives", {"--operations", "cut,victim,fan-in", "--communicator", "across",
                              "--flows", "1,2,4,16,64", "--sizes", "1M"});
  std::map<std::string, std::map<int, double>> times;  // by operation and class, and flows
  for (const auto& series : record.at("series")) {
    const auto& point = series.at("point");
    CHECK(point.at("parameters").at("communicator") == "across");
    times[series.at("operation").get<std::string>() + " " + point.at("hop").get<std::string>()]
         [std::stoi(point.at("parameters").at("flows").get<std::string>())] =
             series.at("summary").at("median_seconds");
  }
  // Hosts of a router have links of their own. They share its one link of 8 GB/s to another router
  // of its chassis. Each router has 24 GB/s to that of its number in another chassis. Between
  // groups there are 32 GB/s, at whose end all messages of one number of router share a link.
  const std::map<int, double> alone{{1, 1}, {2, 1}};
  const std::map<int, double> one_link{{1, 1}, {2, 2}, {4, 4}};
  const std::map<int, double> chassis{{1, 1}, {2, 1}, {4, 4 / 3.0}, {16, 4 / 3.0}};
  const std::map<int, double> group{{1, 1}, {2, 2}, {4, 4}, {16, 4}};
  const auto as_many = [](int flows) {
    std::map<int, double> factors;
    for (const int met : {1, 2, 4, 16, 64}) {
      if (met <= flows) factors[met] = met;
    }
    return factors;
  };
  const std::map<std::string, std::map<int, double>> truth{
      {"cut same-router", alone},         {"victim same-router", alone},
      {"fan-in same-router", as_many(2)}, {"cut same-chassis", one_link},
      {"cut same-group", chassis},        {"cut other-group", group},
      {"victim same-chassis", one_link},  {"victim same-group", chassis},
      {"victim other-group", group},      {"fan-in same-chassis", as_many(4)},
      {"fan-in same-group", as_many(16)}, {"fan-in other-group", as_many(64)}};
  REQUIRE(times.size() == truth.size());
  for (const auto& [curve, factors] : truth) {
    for (const auto& [flows, factor] : factors) {
      INFO(curve << ", " << flows << " flows");
      CHECK(times.at(curve).at(flows) / times.at(curve).at(1) == about(factor));
    }
  }
  // Of messages whose ways differ in length SimGrid gives the shorter ones more of a link: the last
  // one comes when the link between groups has carried all of them, or a little later.
  const auto& all = times.at("cut other-group");
  CHECK(all.at(64) / all.at(1) > 0.98 * 16);
  CHECK(all.at(64) / all.at(1) < 1.05 * 16);
}

}  // namespace hockney::simulation
