// A machine whose messages take exactly 2 us + 1 ns/B in a node and 10 us + 4 ns/B between two, and
// programs whose time on it can be told by hand.

#include "application/projection/projection.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "tests/support/made_machine.hpp"
#include "tests/support/scripted_trace.hpp"

namespace hockney::projection {
namespace {

using applications::ScriptedTrace;
using profile::Function;

constexpr double microsecond = 1e-6;

const PingPong in_node{"l3", 2e-6, 1e-9};
const PingPong between_nodes{"cross-node", 10e-6, 4e-9};

/// Rank 0 computes 100 us and sends; rank 1 receives and computes 50 us. In all 150 us and the
/// message, which took `microseconds`.
applications::TraceAnalysis one_message(std::int64_t bytes, double microseconds, int per_host = 2) {
  ScriptedTrace script(2, per_host);
  script.computes(0, 100).sends(0, 1, bytes).takes(1);
  script.receives(1, 0, bytes).takes(100 + microseconds).computes(1, 50);
  return script.analysis();
}

}  // namespace

TEST_CASE("a program that takes what the models say is explained without a rest") {
  const auto run = one_message(10000, 2 + 10);
  const Machine machine = machine_for(run, launches_of({in_node}));
  const Projector projector(run, machine);
  CHECK(projector.validation().measured_seconds == Approx(162 * microsecond));
  CHECK(projector.validation().model_seconds == Approx(162 * microsecond));
  CHECK(projector.validation().ideal_seconds == Approx(150 * microsecond));
  CHECK(*projector.validation().stretch == Approx(1).epsilon(1e-3));
}

TEST_CASE("latency, bandwidth and a free network change what they stand for, and nothing else") {
  const auto run = one_message(10000, 2 + 10);
  const Machine machine = machine_for(run, launches_of({in_node}));
  const Projector projector(run, machine);
  const auto seconds = [&](const WhatIf& what_if) {
    const Projection found = projector.project("", what_if);
    CHECK(found.range.low_seconds <= found.seconds * (1 + 1e-6));
    CHECK(found.range.high_seconds >= found.seconds * (1 - 1e-6));
    return found.seconds / microsecond;
  };
  CHECK(seconds({}) == Approx(162).epsilon(1e-4));
  CHECK(seconds({.latency_divisor = 2}) == Approx(161).epsilon(1e-4));
  CHECK(seconds({.bandwidth_factor = 2}) == Approx(157).epsilon(1e-4));
  CHECK(seconds({.bandwidth_factor = 0.5}) == Approx(172).epsilon(1e-4));
  CHECK(seconds({.is_free = true}) == Approx(150).epsilon(1e-4));
  CHECK(projector.project("", {.bandwidth_factor = 2}).effect == Effect::faster);
  CHECK(projector.project("", {.bandwidth_factor = 0.5}).effect == Effect::slower);
  CHECK(projector.project("", {.latency_divisor = 1.01}).effect == Effect::none);
}

TEST_CASE("costs are stretched until they explain the run, and the range holds both answers") {
  const auto run = one_message(10000, 3 * (2 + 10));
  const Machine machine = machine_for(run, launches_of({in_node}));
  const Projector projector(run, machine);
  CHECK(projector.validation().error() == Approx(162.0 / 186 - 1));
  CHECK(*projector.validation().stretch == Approx(3).epsilon(1e-3));
  const Projection twice = projector.project("", {.bandwidth_factor = 2});
  CHECK(twice.range.low_seconds == Approx((186 - 15) * microsecond).epsilon(1e-3));
  CHECK(twice.range.high_seconds == Approx((186 - 5) * microsecond).epsilon(1e-3));
}

TEST_CASE("a run that no stretch explains says so, and what is certain is still told") {
  const auto run = one_message(10000, 5000);
  const Machine machine = machine_for(run, launches_of({in_node}));
  const Projector projector(run, machine);
  CHECK_FALSE(projector.validation().stretch);
  CHECK(projector.project("", {.bandwidth_factor = 2}).range.high_seconds ==
        Approx((5150 - 5) * microsecond).epsilon(1e-3));
}

TEST_CASE("another eager limit takes as long as a run with it") {
  // Rank 0 sends, then computes 100 us; rank 1 comes 60 us late to receive.
  const auto late = [](bool waits) {
    ScriptedTrace script(2);
    script.sends(0, 1, 10000).takes(waits ? 72 : 5).computes(0, 100);
    script.computes(1, 60).receives(1, 0, 10000).takes(12);
    return script.analysis();
  };
  for (const bool waits : {false, true}) {
    CAPTURE(waits);
    const auto run = late(waits);
    auto records = launches_of({in_node});
    records.push_back(limit_of(waits ? 4096 : 65536, true));
    const Machine machine = machine_for(run, records);
    const Projector projector(run, machine);
    CHECK(projector.validation().model_seconds == Approx((waits ? 172 : 105) * microsecond));
    const Projection other = projector.project("", {.eager_limit_bytes = waits ? 65536 : 4096});
    CHECK(other.effect == (waits ? Effect::faster : Effect::slower));
    // In a node the processor of a sender that does not wait copies: half of 10 us.
    const double expected = (waits ? 105 : 172) * microsecond;
    CHECK(other.range.low_seconds <= expected * 1.001);
    CHECK(other.range.high_seconds >= expected * 0.999);
  }
}

TEST_CASE("ranks are moved to other nodes at the price of the distances there") {
  // 0 and 1 talk, 2 and 3 talk, and their nodes are a b a b.
  ScriptedTrace script(4, 1);
  for (const int rank : {0, 2}) {
    script.computes(rank, 100).sends(rank, rank + 1, 10000);
    script.receives(rank + 1, rank, 10000).takes(150);
  }
  applications::Trace trace = script.trace();
  for (applications::RankTrace& rank : trace.ranks) rank.host = rank.rank % 2 == 0 ? "a" : "b";
  const applications::TraceAnalysis run(std::move(trace));
  const Machine machine = machine_for(run, launches_of({in_node, between_nodes}));
  const Projector projector(run, machine);
  CHECK(projector.hosts() == std::vector<std::string>{"a", "b", "a", "b"});
  CHECK(projector.validation().model_seconds == Approx(150 * microsecond));
  const auto blocks = in_blocks(projector.hosts());
  CHECK(blocks == std::vector<std::string>{"a", "a", "b", "b"});
  CHECK(round_robin(blocks) == projector.hosts());
  CHECK(projector.project("", {.hosts = blocks}).seconds ==
        Approx(112 * microsecond).epsilon(1e-3));
}

TEST_CASE("on another machine the same program takes what its messages take there") {
  const auto run = one_message(10000, 2 + 10);
  const Machine machine = machine_for(run, launches_of({in_node}));
  const Machine other = machine_for(run, launches_of({{"numa", 20e-6, 2e-9}}));
  const Projector projector(run, machine);
  CHECK(projector.project("", {}, other).seconds == Approx(190 * microsecond).epsilon(1e-3));
}

TEST_CASE("a message that lies there still costs its receiver what was measured") {
  ScriptedTrace script(2);
  script.sends(0, 1, 8);
  script.computes(1, 100).receives(1, 0, 8).takes(1);
  const auto run = script.analysis();
  auto records = launches_of({in_node});
  Record overheads{.procedure = "protocol"};
  for (const std::int64_t bytes : {1, 8, 64}) {
    overheads.series.push_back(series_of("send-overhead", "l3", bytes, 0.25e-6));
    overheads.series.push_back(series_of("receive-overhead", "l3", bytes, 1e-6));
  }
  const Machine without = machine_for(run, records);
  records.push_back(overheads);
  const Machine machine = machine_for(run, records);
  CHECK(Projector(run, machine).validation().model_seconds == Approx(101 * microsecond));
  CHECK(Projector(run, without).validation().model_seconds ==
        Approx(100.004 * microsecond));  // half of what copying 8 B takes
}

TEST_CASE("an answer does not depend on what was asked before") {
  ScriptedTrace script(4, 2);
  for (int i = 0; i < 3; ++i) {
    for (int rank = 0; rank < 4; ++rank) script.computes(rank, 10 * rank);
    for (const int rank : {0, 1}) {
      script.sends(rank, rank + 2, 5000).takes(20).receives(rank + 2, rank, 5000).takes(60);
    }
    for (int rank = 0; rank < 4; ++rank) {
      script.collective(Function::Bcast, rank, 0, 30000).takes(90);
    }
  }
  const auto run = script.analysis();
  auto records = launches_of({in_node, between_nodes});
  for (const bool is_one_node : {true, false}) records.push_back(limit_of(4096, is_one_node));
  const Machine machine = machine_for(run, records);
  const std::vector<WhatIf> questions{
      {},
      {.latency_divisor = 2},
      {.is_free = true},
      {.latency_divisor = 2, .is_free = true},
      {.eager_limit_bytes = 8192, .eager_reach = applications::Reach::in_node, .is_free = true},
      {.eager_limit_bytes = 8192, .eager_reach = applications::Reach::between_nodes},
      {.algorithms = {{"bcast", "basic_linear"}}},
      {.bandwidth_factor = 2},
      {.algorithms = {{"bcast", "chain"}}, .hosts = {"n0", "n1", "n0", "n1"}},
      {.hosts = {"n0", "n1", "n0", "n1"}}};
  const Projector used(run, machine);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      CAPTURE(round, i);
      const Projection found = used.project("", questions[i]);
      const Projection fresh = Projector(run, machine).project("", questions[i]);
      CHECK(found.why_not == "");
      CHECK(found.seconds == fresh.seconds);
      CHECK(found.range.low_seconds == fresh.range.low_seconds);
      CHECK(found.range.high_seconds == fresh.range.high_seconds);
    }
  }
  const double free_seconds = used.project("", {.is_free = true}).range.high_seconds;
  CHECK(free_seconds <= used.validation().measured_seconds);
  CHECK(used.validation().stretch == Projector(run, machine).validation().stretch);
  CHECK(used.validation().ideal_seconds == Projector(run, machine).validation().ideal_seconds);
}

TEST_CASE("what is not known is refused or said") {
  const auto run = one_message(10000, 12);
  const auto apart = one_message(10000, 50, 1);
  CHECK_THROWS_AS(machine_for(run, {}), InputError);
  const Machine in_one = machine_for(apart, launches_of({in_node}));
  CHECK_THROWS_WITH(Projector(apart, in_one), Catch::Contains("cross-node"));
  auto two_settings = launches_of({in_node});
  for (Record& record : two_settings) record.campaign = CampaignPlace{.name = "c", .setting = "a"};
  two_settings.push_back(two_settings.front());
  two_settings.back().campaign->setting = "b";
  CHECK_THROWS_WITH(machine_for(run, two_settings), Catch::Contains("choose one with --setting"));

  const Machine machine = machine_for(run, launches_of({in_node, {"numa", 1e-6, 1e-9}}, 1));
  CHECK_FALSE(machine.has_intervals());
  const auto doubts = Projector(run, machine).doubts();
  const auto has = [&](const std::string& words) {
    return std::ranges::any_of(
        doubts, [&](const std::string& doubt) { return doubt.find(words) != std::string::npos; });
  };
  CHECK(has("the slowest of 2 classes"));
  CHECK(has("no eager limit is known"));
  CHECK(has("what a processor spends"));
  const Projection unfit = Projector(run, machine).project("", {.hosts = {"n0", "elsewhere"}});
  CHECK(unfit.effect == Effect::cannot_tell);
  CHECK_THAT(unfit.why_not, Catch::Contains("elsewhere"));
}

}  // namespace hockney::projection
