#include <catch2/catch.hpp>

#include "models/collectives/measured_network.hpp"
#include "models/curves.hpp"
#include "models/fit_set.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/launches.hpp"

namespace hockney::collectives {
namespace {

const SiteFile two_routers{
    .levels = {"router"}, .hosts = {"n1", "n2"}, .sites = {{"n1", {"r1"}}, {"n2", {"r2"}}}};

/// Ranks 0 and 1 on one host, rank 2 on another.
std::vector<Record> launches_on(const std::string& first, const std::string& second) {
  std::vector<Record> records;
  for (int launch = 1; launch <= 4; ++launch) {
    Record record = launch_of("default");
    record.campaign->launch = launch;
    record.ranks = {
        {.rank = 0, .host = first}, {.rank = 1, .host = first}, {.rank = 2, .host = second}};
    for (const std::int64_t bytes : {8, 1024, 65536}) {
      for (const int other : {1, 2}) {
        const bool is_near = other == 1 || first == second;
        Point point = simple_point("pingpong", bytes);
        point.hop = is_near ? "same-node" : "cross-node";
        point.pair = {0, other};
        add_measured(record, point,
                     (is_near ? 1e-6 : 2e-6) + 1e-9 * static_cast<double>(bytes + launch));
      }
    }
    records.push_back(std::move(record));
  }
  name_network_hops(records, two_routers);
  return records;
}

MeasuredNetwork network_on(const std::string& first, const std::string& second) {
  const std::vector<Record> records = launches_on(first, second);
  return {two_routers, records, models::fit_curves(models::collect_curves(records))};
}

}  // namespace

TEST_CASE("hosts that call themselves by their full names are those of the site file") {
  const MeasuredNetwork network = network_on("n1.cluster.local", "n2.cluster.local");
  for (const std::string& domain : {std::string(), std::string(".cluster.local")}) {
    auto ranks = network.on({"n1" + domain, "n1" + domain, "n2" + domain});
    REQUIRE(ranks);
    CHECK(ranks->costs().size() == network_on("n1", "n2").on({"n1", "n1", "n2"})->costs().size());
  }
}

TEST_CASE("a host that the site file does not have is named") {
  const std::string refused =
      "the site file does not have host 'x' (it lists 2 hosts) add it, or check how the hosts are "
      "spelt";
  CHECK(error_line([] { network_on("x", "x"); }) == refused);
  const MeasuredNetwork network = network_on("n1", "n2");
  CHECK(error_line([&] { static_cast<void>(network.on({"x", "x"})); }) == refused);
}

}  // namespace hockney::collectives
