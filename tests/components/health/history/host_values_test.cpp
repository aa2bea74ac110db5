#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "components/health/history/host_values.hpp"
#include "components/health/history/reading.hpp"
#include "core/error.hpp"
#include "tests/components/health/history/some_nights.hpp"

// Values of hosts, and hosts that get other names.
namespace hockney::health {
namespace {

std::string series_of(const std::string& host) {
  return "pingpong/bytes=8 host=" + host + " setting=nightly/seconds";
}

/// A night on which these hosts measured themselves; the second value is half of the first.
void store(const SomeHistory& history, const std::string& day,
           const std::vector<std::string>& hosts, double seconds) {
  Night night = some_night(day);
  for (const std::string& host : hosts) {
    night.figures.push_back(
        {.series = latency_kind(series_of(host)),
         .value = {.day = night.day, .value = seconds, .launches = 1, .environment = "env"}});
    night.figures.push_back({.series = latency_kind("copy/host=" + host + "/seconds"),
                             .value = {.day = night.day, .value = seconds / 2, .launches = 1}});
    seconds *= 2;
  }
  night.pairs = {{.point = "pingpong/bytes=8/seconds",
                  .pair = {.a = hosts.front(), .b = "hx9", .hop = "switch", .seconds = 1e-6}}};
  NightWriter(history.database).store(night);
}

}  // namespace

TEST_CASE("a series of a host is known by its key") {
  CHECK(is_of_host(series_of("hx1")));
  CHECK(is_of_host("copy/host=hx1/seconds"));
  CHECK_FALSE(is_of_host("pingpong/bytes=8 setting=host=x/seconds"));
  CHECK_FALSE(is_of_host("pingpong/bytes=8 host=hx1/node_ratio"));
  CHECK_FALSE(is_of_host("pingpong/bytes=8 memory=host/seconds"));
  CHECK(without_host(series_of("hx1")) == "pingpong/bytes=8 setting=nightly/seconds");
  CHECK(without_host("copy/host=hx1/seconds") == "copy//seconds");
  CHECK(without_host("copy/bytes=8 host=hx1/seconds") == "copy/bytes=8/seconds");
}

TEST_CASE("values of hosts are read as tables of hosts and nights") {
  const SomeHistory history;
  store(history, "2026-11-01", {"hx1", "hx2"}, 1e-6);
  store(history, "2026-11-02", {"hx2"}, 3e-6);
  const std::int64_t first = parse_day("2026-11-01");
  const HostNights nights = read_hosts(history.database, {first, first + 1});
  CHECK(nights.hosts == std::vector<std::string>{"hx1", "hx2"});
  REQUIRE(nights.figures.size() == 2);
  const auto latency = std::ranges::find(nights.figures, "pingpong/bytes=8 setting=nightly/seconds",
                                         [](const HostFigure& one) { return one.kind.name; });
  REQUIRE(latency != nights.figures.end());
  CHECK(latency->values[nights.at(0, 0)] == Approx(1e-6));
  CHECK(std::isnan(latency->values[nights.at(0, 1)]));
  CHECK(latency->values[nights.at(1, 0)] == Approx(2e-6));
  CHECK(latency->values[nights.at(1, 1)] == Approx(3e-6));
  CHECK(nights.environments[static_cast<std::size_t>(nights.environment_of[nights.at(1, 1)])]
            .digest == "env");
  CHECK(read_hosts(history.database, {first + 1}).hosts == std::vector<std::string>{"hx2"});
  const SomeHistory without;
  CHECK(read_hosts(without.database, {first}).hosts.empty());
}

TEST_CASE("a renamed host keeps its nights, and goes on from another's") {
  const SomeHistory history;
  store(history, "2026-11-01", {"hx1"}, 1e-6);
  store(history, "2026-11-02", {"new"}, 2e-6);
  const Renamed renamed = rename_host(history.database, "hx1", "new");
  CHECK(renamed.series == 2);
  CHECK(renamed.pairs == 1);
  const std::int64_t first = parse_day("2026-11-01");
  const HostNights nights = read_hosts(history.database, {first, first + 1});
  CHECK(nights.hosts == std::vector<std::string>{"new"});
  CHECK(nights.figures.front().values.size() == 2);
  const auto pairs = read_pairs(history.database, first, "pingpong/bytes=8/seconds");
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].a == "hx9");  // in alphabetical order
  CHECK(pairs[0].b == "new");
  CHECK_THROWS_AS(rename_host(history.database, "hx1", "other"), InputError);
}

TEST_CASE("two hosts of one night are not made one") {
  const SomeHistory history;
  store(history, "2026-11-01", {"hx1", "hx2"}, 1e-6);
  CHECK_THROWS_AS(rename_host(history.database, "hx1", "hx2"), InputError);
  CHECK(read_hosts(history.database, {parse_day("2026-11-01")}).hosts.size() == 2);
}

}  // namespace hockney::health
