#include <catch2/catch.hpp>
#include <vector>

#include "core/record.hpp"
#include "core/record_fields.hpp"
#include "core/samples.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/launches.hpp"

namespace hockney {
namespace {

RankPlace place(int rank, const std::string& host, const std::vector<int>& cpus) {
  return {.rank = rank, .host = host, .requested_cpu = {}, .actual_cpus = cpus};
}

Record on_cpus(const std::vector<RankPlace>& places) {
  Record record = launch_of("default");
  record.ranks = places;
  if (cpu_sharing(places)) record.flags = {std::string(oversubscribed_flag)};
  return record;
}

const std::vector<RankPlace> four_on_two{place(0, "a", {0, 1}), place(1, "a", {0, 1}),
                                         place(2, "a", {0, 1}), place(3, "a", {0, 1})};
const std::vector<RankPlace> two_on_two{place(0, "a", {0}), place(1, "a", {1})};

}  // namespace

TEST_CASE("ranks share CPUs where a host has fewer for them than ranks") {
  CHECK(cpu_sharing(four_on_two) == CpuSharing{.ranks = 4, .cpus = 2});
  CHECK_FALSE(cpu_sharing(two_on_two));
  const std::vector<RankPlace> two_hosts{place(0, "a", {3}), place(1, "a", {3}), place(2, "b", {0}),
                                         place(3, "b", {1})};
  CHECK(cpu_sharing(two_hosts) == CpuSharing{.ranks = 2, .cpus = 1});
  const std::vector<RankPlace> simulated{place(0, "a", {}), place(1, "a", {})};
  CHECK_FALSE(cpu_sharing(simulated));
}

TEST_CASE("one sentence says which ranks share CPUs, and in how many launches") {
  const std::vector<Record> all{on_cpus(four_on_two), on_cpus(four_on_two)};
  const std::string sentence = "4 ranks on 2 CPUs: times are those of ranks that share CPUs";
  CHECK(oversubscription_text(all) == sentence);
  std::vector<Record> some{on_cpus(four_on_two), on_cpus(two_on_two), on_cpus(two_on_two)};
  CHECK(oversubscription_text(some) == sentence + " (1 of 3 launches)");
  some[0].status = LaunchStatus::interrupted;
  CHECK(oversubscription_text(some).empty());
  CHECK(oversubscription_text(std::span(some).first(1), all) == sentence);
  Record threads = on_cpus(two_on_two);
  add_measured(threads, simple_point("threaded-latency", 8), 1e-6,
               {std::string(oversubscribed_flag)});
  CHECK(oversubscription_text({&threads, 1}) ==
        "threads share CPUs: times are those of threads that share CPUs");
}

namespace {

/// 1000 bytes of payload between ranks that share memory.
Transport carried(std::int64_t copied_bytes, std::int64_t tcp_bytes) {
  return {.messages = 10,
          .payload_bytes = 1000,
          .copied_bytes = copied_bytes,
          .tcp_bytes = tcp_bytes,
          .shares_memory = true};
}

std::optional<std::string> path_of(const Transport& transport) {
  const PathProof proof = prove_path(transport);
  CHECK(proof.path.has_value() == proof.reason.empty());
  return proof.path;
}

}  // namespace

TEST_CASE("a path is proven by half of the payload") {
  CHECK(path_of(carried(1000, 0)) == "cma");
  CHECK(path_of(carried(500, 0)) == "cma");
  CHECK(path_of(carried(2000, 99)) == "cma");  // two messages under way count once
  CHECK(path_of(carried(0, 500)) == "tcp");
  CHECK(path_of(carried(99, 1400)) == "tcp");
}

TEST_CASE("shared memory is proven by what did not carry anything") {
  CHECK(path_of(carried(0, 0)) == "shm");
  CHECK(path_of(carried(99, 99)) == "shm");
  CHECK(path_of(carried(100, 0)) == std::nullopt);
  CHECK(path_of(carried(0, 100)) == std::nullopt);
  CHECK(path_of(carried(499, 0)) == std::nullopt);
  CHECK(prove_path(carried(499, 0)).reason == "the messages went by several paths");
  CHECK(prove_path(carried(500, 500)).reason == "the messages went by several paths");
}

TEST_CASE("what leaves no count is not taken for shared memory") {
  Transport silent = carried(0, 0);
  silent.devices = {"xpmem", "infiniband"};
  CHECK_THAT(prove_path(silent).reason, Catch::Contains("xpmem, infiniband may have carried"));
  Transport apart = carried(0, 0);
  apart.shares_memory = false;
  CHECK_THAT(prove_path(apart).reason, Catch::Contains("share no memory"));
  apart.copied_bytes = 1000;
  apart.devices = {"xpmem"};
  CHECK(path_of(apart) == "cma");  // copies are counted, whatever else is there
  CHECK(prove_path({}).reason == "no message was seen");
}

TEST_CASE("visits add up to the evidence of a series, which names the path of its point") {
  PlannedPoint planned{.point = example_point(8)};
  planned.point.path.reset();
  SampleStore store({planned, planned});
  Transport first = carried(1000, 1);
  first.shares_memory = false;
  Transport second = carried(0, 2);
  second.devices = {"knem"};
  store.add({.point = 0, .samples_seconds = {1}, .transport = first});
  store.add({.point = 0, .samples_seconds = {1}, .transport = second});
  store.add({.point = 1, .samples_seconds = {1}});
  const std::vector<Series> series = store.series();
  REQUIRE(series[0].transport);
  CHECK(*series[0].transport == Transport{.messages = 20,
                                          .payload_bytes = 2000,
                                          .copied_bytes = 1000,
                                          .tcp_bytes = 3,
                                          .shares_memory = true,
                                          .devices = {"knem"}});
  CHECK(series[0].point.path == "cma");
  CHECK(store.points("")[0].point.path == "cma");
  CHECK_FALSE(series[1].point.path);
  CHECK_FALSE(series[1].transport);
}

TEST_CASE("the evidence in a document says why it proves nothing") {
  Transport silent = carried(0, 0);
  silent.devices = {"knem"};
  CHECK_THAT(nlohmann::json(silent)["unproven_because"].get<std::string>(),
             Catch::Contains("knem"));
  CHECK(nlohmann::json(carried(0, 0))["unproven_because"].is_null());
  CHECK(nlohmann::json(std::optional<Transport>()).is_null());
}

namespace {

/// Whether the windows of an operation with these sizes and windows are automatic.
bool is_marked(const std::vector<std::pair<std::int64_t, std::string>>& windows) {
  Record record;
  for (const auto& [bytes, window] : windows) {
    const Point point{
        .operation = "bandwidth", .bytes = {bytes}, .ranks = 2, .parameters = {{"window", window}}};
    record.points.own().push_back({.point = point});
    record.series.push_back({.point = point});
  }
  mark_automatic(record);
  const auto all = std::ranges::count_if(record.series, [](const Series& series) {
    return is_automatic(series.point, window_parameter);
  });
  CHECK((all == 0 || all == std::ssize(windows)));
  CHECK(record.points[0].point == record.series[0].point);
  return all > 0;
}

}  // namespace

TEST_CASE("windows are automatic where each is that of its size") {
  constexpr std::int64_t mebi = 1 << 20;
  CHECK(is_marked({{8, "64"}, {mebi, "32"}, {4 * mebi, "8"}}));
  CHECK_FALSE(is_marked({{8, "64"}, {mebi, "64"}}));
  CHECK_FALSE(is_marked({{8, "1"}, {64 * mebi, "1"}}));
}

TEST_CASE("a curve is not named by an automatic window") {
  const Point point{.operation = "bandwidth",
                    .bytes = {8},
                    .ranks = 2,
                    .parameters = {{"window", "64"}},
                    .automatic = {window_parameter}};
  CHECK(curve_name(point) == "bandwidth ranks=2");
  Point requested = point;
  requested.automatic.clear();
  CHECK(curve_name(requested) == "bandwidth ranks=2 window=64");
  CHECK(series_keys(point) == series_keys(requested));
}

}  // namespace hockney
