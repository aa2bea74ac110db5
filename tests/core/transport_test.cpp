#include "core/transport.hpp"

#include <catch2/catch.hpp>

#include "core/record_fields.hpp"
#include "core/samples.hpp"
#include "tests/support/example_record.hpp"

namespace hockney {
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

}  // namespace hockney
