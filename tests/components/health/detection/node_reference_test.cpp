#include "components/health/detection/node_reference.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace hockney::health {
namespace {

constexpr const char* latency = "pingpong/bytes=8 hop=l3 ranks=2/seconds";
constexpr const char* memory = "memory-bandwidth/cores=64/bytes_per_second";
constexpr const char* copies = "host-to-device/device=1/bytes_per_second";

const std::map<std::string, std::string> usual_facts{{"host.cpu_model", "EPYC"},
                                                     {"host.topology", "t1"},
                                                     {"host.memory", "512 GiB"},
                                                     {"host.gpu", "8 x NVIDIA 10de:2335"}};

/// Five nodes of one kind. n0 is known; n1 always had half of the others' memory bandwidth.
NodeReference reference() {
  const UsualLevels levels{UsualLevel{1e-6, 0.02}, UsualLevel{4e11, 0.01}, UsualLevel{2e10, 0.01}};
  UsualLevels slow = levels;
  slow[1] = UsualLevel{2e11, 0.01};
  return {.night = "2026-11-28",
          .nights = 30,
          .figures = {{.series = latency, .unit = "seconds"},
                      {.series = memory, .unit = "bytes_per_second", .worse = WorseWhen::smaller},
                      {.series = copies, .unit = "bytes_per_second", .worse = WorseWhen::smaller}},
          .kinds = {{.facts = usual_facts, .nodes = 5, .levels = levels}},
          .nodes = {{"n0", {.kind = 0, .levels = levels}}, {"n1", {.kind = 0, .levels = slow}}}};
}

MeasuredNode measured(const std::string& host, double latency_factor, double memory_factor) {
  return {.host = host,
          .facts = usual_facts,
          .figures = {
              {latency, 1e-6 * latency_factor}, {memory, 4e11 * memory_factor}, {copies, 2e10}}};
}

NodeVerdict verdict_on(const MeasuredNode& node) { return check_node(reference(), node, 0.2); }

}  // namespace

TEST_CASE("a level is a median with the spread of its logarithm") {
  const auto level = usual_level({1, 1.1, 0.9, std::numeric_limits<double>::quiet_NaN()}, 3);
  REQUIRE(level);
  CHECK(level->value == Approx(1));
  // Distances of logarithms: 0, 0.0953, 0.1054; their median times 1.4826.
  CHECK(level->spread == Approx(1.4826 * std::log(1.1)).epsilon(1e-4));
  CHECK_FALSE(usual_level({1, 1.1}, 3));
  CHECK_FALSE(usual_level({}, 0));
  const auto kind = level_of_kind({{1, 0.03}, {1.1, 0.03}, {0.9, 0.03}, {1, 0.03}});
  REQUIRE(kind);
  CHECK(kind->value == Approx(1));
  CHECK(kind->spread > 0.03);
  CHECK_FALSE(level_of_kind({{1, 0.03}, {1, 0.03}, {1, 0.03}}));
}

TEST_CASE("a reference reads back as it was written") {
  NodeReference written = reference();
  written.nodes["n2"] = {.kind = 0, .levels = {std::nullopt, UsualLevel{4e11, 0.01}, std::nullopt}};
  CHECK(read_reference(parse_json(reference_document(written), "reference")) == written);
  const NodeReference none{.night = "2026-11-28"};
  CHECK(read_reference(parse_json(reference_document(none), "reference")) == none);
}

TEST_CASE("a damaged reference is refused with its key") {
  const nlohmann::json good = nlohmann::json::parse(reference_document(reference()));
  const auto refusal = [&](const auto& damage) {
    nlohmann::json bad = good;
    damage(bad);
    try {
      read_reference(parse_json(bad.dump(), "reference"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal([](auto&) {}) == "accepted");
  CHECK_THAT(refusal([](auto& bad) { bad["schema"] = "hockney.nodes/1"; }),
             Catch::Contains("hockney health reference"));
  CHECK_THAT(refusal([](auto& bad) { bad["nodes"]["n0"]["kind"] = 7; }),
             Catch::Contains("nodes.n0.kind"));
  CHECK_THAT(refusal([](auto& bad) { bad["nodes"]["n0"]["levels"][0][0] = -1; }),
             Catch::Contains("nodes.n0.levels[0][0]"));
  CHECK_THAT(refusal([](auto& bad) { bad["kinds"][0]["levels"].erase(0); }),
             Catch::Contains("there are 3 figures"));
}

TEST_CASE("a node as usual is OK, and one that is a third slower is drained with the figure") {
  const NodeVerdict same = verdict_on(measured("n0", 1.05, 0.97));
  CHECK(same.state == NodeState::ok);
  CHECK(same.judged == 3);
  const NodeVerdict slow = verdict_on(measured("n0", 1.3, 1));
  CHECK(slow.state == NodeState::drain);
  REQUIRE(slow.reasons.size() == 1);
  CHECK(slow.reasons.front().series == latency);
  CHECK(slow.reasons.front().change == Approx(0.3));
  CHECK(slow.reasons.front().usual == Approx(1e-6));
  CHECK(slow.reasons.front().against == Against::itself);
  // Better values are no reason; the larger of two changes is first.
  CHECK(verdict_on(measured("n0", 0.5, 2)).state == NodeState::ok);
  const NodeVerdict both = verdict_on(measured("n0", 1.3, 0.5));
  REQUIRE(both.reasons.size() == 2);
  CHECK(both.reasons.front().series == memory);
  CHECK(both.reasons.front().change == Approx(-0.5));
}

TEST_CASE("a change within 5 spreads is none, however large") {
  NodeReference noisy = reference();
  for (auto& [host, node] : noisy.nodes) node.levels[0]->spread = 0.1;
  noisy.kinds.front().levels[0]->spread = 0.1;
  CHECK(check_node(noisy, measured("n0", 1.4, 1), 0.2).state == NodeState::ok);
  CHECK(check_node(noisy, measured("n0", 1.7, 1), 0.2).state == NodeState::drain);
}

TEST_CASE("a node that is as slow as ever is drained by its peers, and so is a new one") {
  const NodeVerdict old = verdict_on(measured("n1", 1, 0.5));
  REQUIRE(old.reasons.size() == 1);
  CHECK(old.reasons.front().against == Against::peers);
  const NodeVerdict fresh = verdict_on(measured("n7", 1, 0.5));
  REQUIRE(fresh.reasons.size() == 1);
  CHECK(fresh.reasons.front().series == memory);
  CHECK(verdict_on(measured("n7", 1, 1)).state == NodeState::ok);
}

TEST_CASE("less memory, fewer GPUs and a GPU without copies are reasons") {
  MeasuredNode node = measured("n0", 1, 1);
  node.facts["host.memory"] = "480 GiB";
  node.facts["host.gpu"] = "7 x NVIDIA 10de:2335";
  node.figures.erase(copies);
  const NodeVerdict verdict = verdict_on(node);
  CHECK(verdict.state == NodeState::drain);
  REQUIRE(verdict.reasons.size() == 3);
  CHECK(verdict.reasons[0].fact == "host.memory");
  CHECK(verdict.reasons[0].now == "480 GiB");
  CHECK(verdict.reasons[0].before == "512 GiB");
  CHECK(verdict.reasons[1].fact == "host.gpu");
  CHECK(verdict.reasons[2].series == copies);
  // More is no loss; memory that is not known is none either.
  node = measured("n0", 1, 1);
  node.facts["host.memory"] = "1024 GiB";
  CHECK(verdict_on(node).state == NodeState::ok);
  node.facts.erase("host.memory");
  CHECK(verdict_on(node).state == NodeState::ok);
  node.facts.erase("host.gpu");
  CHECK(verdict_on(node).reasons.front().now == "none");
}

TEST_CASE("another processor is compared with the kind that it is of, or with nothing") {
  MeasuredNode node = measured("n0", 3, 1);
  node.facts["host.cpu_model"] = "Xeon";
  CHECK(verdict_on(node).state == NodeState::unknown);
  node = measured("n7", 1, 1);
  node.facts["host.memory"] = "256 GiB";
  CHECK(verdict_on(node).state == NodeState::unknown);
}

}  // namespace hockney::health
