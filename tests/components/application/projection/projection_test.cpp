#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <utility>

#include "components/application/analysis/trace_analysis.hpp"
#include "components/application/projection/machine.hpp"
#include "components/application/projection/projection.hpp"
#include "core/error.hpp"
#include "models/collectives/replay.hpp"
#include "tests/support/made_machine.hpp"
#include "tests/support/scripted_trace.hpp"

// A machine whose messages take exactly 2 us + 1 ns/B in a node and 10 us + 4 ns/B between two, and
// programs whose time on it can be told by hand.
// Programs whose law is planted: what a study of their scaling says.
// Collectives of a program as the messages of their algorithms.
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
  CHECK(unfit.effect == Effect::no_prediction);
  CHECK_THAT(unfit.why_not, Catch::Contains("elsewhere"));
}

namespace {

constexpr ScalingLaw truth{2, 40, 0.3};

/// Blocks of launches whose noise has this standard deviation; a block's is its launches' in common
/// for one half.
std::vector<ScalingTime> planted(const std::vector<int>& ranks, int blocks, double noise,
                                 unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  std::vector<ScalingTime> times;
  for (int block = 1; block <= blocks; ++block) {
    const double common = normal(random) / 2;
    for (const int count : ranks) {
      times.push_back({block, count, truth.seconds(count) * (1 + common + normal(random))});
    }
  }
  return times;
}

}  // namespace

TEST_CASE("an exact law is found, extrapolated and turned into the most efficient ranks") {
  const ScalingStudy study = study_scaling(planted({1, 2, 4, 8}, 6, 0), 0.6, 3);
  REQUIRE(study.law);
  CHECK(study.law->constant_seconds == Approx(2));
  CHECK(study.law->divided_seconds == Approx(40));
  CHECK(study.law->doubled_seconds == Approx(0.3));
  CHECK(*study.held_out_error == Approx(0).margin(1e-9));
  REQUIRE(study.points.size() == 7);
  CHECK(study.points[3].is_measured);
  CHECK(study.points[3].seconds == Approx(7.9));
  CHECK_FALSE(study.points[4].is_measured);
  CHECK(study.points[4].ranks == 16);
  CHECK(study.points[4].seconds == Approx(2 + 2.5 + 1.2));
  CHECK(study.points[4].efficiency == Approx(42 / (16 * 5.7)));
  REQUIRE(study.best);
  CHECK(study.best->ranks == 8);  // 42 / (8 x 7.9) = 0.66
  CHECK(study_scaling(planted({1, 2, 4, 8}, 6, 0), 0.4, 3).best->ranks == 16);
  const ScalingStudy two = study_scaling(planted({2, 4}, 1, 0), 1, 3);
  CHECK(two.best->ranks == 2);
  CHECK_FALSE(two.law);
  CHECK(two.points.size() == 2);
}

TEST_CASE("intervals of extrapolated times hold the truth about as often as they say") {
  int held = 0;
  constexpr int trials = 300;
  for (unsigned seed = 1; seed <= trials; ++seed) {
    const ScalingStudy study = study_scaling(planted({1, 2, 4, 8, 16}, 8, 0.01, seed), 0.5, 1);
    const ScalingPoint& beyond = study.points.back();
    REQUIRE(beyond.interval_seconds);
    const double seconds = truth.seconds(32);
    held += beyond.interval_seconds->low <= seconds && seconds <= beyond.interval_seconds->high;
  }
  INFO(held << " of " << trials);
  CHECK(held >= trials * 0.9);
}

TEST_CASE("too little to study is said") {
  CHECK_THROWS_AS(study_scaling(planted({4}, 6, 0), 0.5, 1), InputError);
  CHECK_THROWS_AS(study_scaling(planted({1, 2}, 6, 0), 0, 1), InputError);
  CHECK_THROWS_AS(study_scaling(planted({1, 2}, 6, 0), 1.1, 1), InputError);
  std::vector<ScalingTime> ragged = planted({1, 2}, 3, 0);
  ragged.pop_back();
  CHECK_THROWS_AS(study_scaling(ragged, 0.5, 1), InputError);
  const ScalingStudy few = study_scaling(planted({1, 2, 4}, 3, 0), 0.5, 1);
  CHECK_FALSE(few.points.front().interval_seconds);
  CHECK_FALSE(few.held_out_error);
}

TEST_CASE("a problem that grows with the ranks is efficient as long as its time stays") {
  std::vector<ScalingTime> times;  // 10 + 0.5 log2(p)
  for (int block = 1; block <= 6; ++block) {
    for (const auto& [ranks, seconds] : {std::pair{1, 10.0}, {2, 10.5}, {4, 11.0}, {8, 11.5}}) {
      times.push_back({block, ranks, seconds});
    }
  }
  const ScalingStudy study = study_scaling(times, 0.86, 1, Problem::grows);
  REQUIRE(study.law);
  CHECK(study.law->constant_seconds == Approx(10));
  CHECK(study.law->divided_seconds == 0);
  CHECK(study.law->doubled_seconds == Approx(0.5));
  CHECK(study.points[3].efficiency == Approx(10 / 11.5));
  CHECK(study.points[4].seconds == Approx(12));
  CHECK(study.best->ranks == 8);
}

namespace {

using applications::ScriptedTrace;
using models::Program;
using profile::Function;

constexpr double port_alpha = 2e-6;
constexpr double port_beta = 1e-9;

/// All ranks in one call; one of them comes late.
Program one_call(Function function, int ranks, std::int64_t bytes, int root = -1, int late_rank = 0,
                 double late_microseconds = 0) {
  ScriptedTrace script(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    script.computes(rank, rank == late_rank ? late_microseconds : 0);
    script.collective(function, rank, root, bytes);
  }
  return script.analysis().program();
}

models::ReplayedTimes replay_scheduled(const Program& program, const std::string& algorithm) {
  const auto network = collectives::RankNetwork::uniform(port_alpha, port_beta);
  collectives::PortNetwork ports(network);
  return replay(with_schedules(program, Carriers(program.collectives.size(), algorithm)), ports);
}

}  // namespace

TEST_CASE("where all ranks come together a collective takes as long as its schedule") {
  for (const Function function :
       {Function::Barrier, Function::Bcast, Function::Reduce, Function::Allreduce, Function::Gather,
        Function::Scatter, Function::Allgather, Function::Alltoall, Function::Scan}) {
    for (const int ranks : {2, 5, 8}) {
      const bool is_rooted = profile::describe(function).at.root >= 0;
      const Program program = one_call(function, ranks, 8000, is_rooted ? 1 : -1);
      const CollectiveWork work = *work_of(program.collectives.front());
      for (const std::string& algorithm : schedules::algorithms_of(work.operation)) {
        if (unfit(work.operation, algorithm, work.work)) continue;
        CAPTURE(work.operation, algorithm, ranks);
        const double seconds =
            collectives::replay(schedule_of(work.operation, algorithm, work.work),
                                collectives::RankNetwork::uniform(port_alpha, port_beta));
        CHECK(replay_scheduled(program, algorithm).seconds == Approx(seconds));
      }
    }
  }
}

TEST_CASE("a rank that comes late holds up those that its messages go to, and nobody else") {
  constexpr double late = 100e-6;
  // Rank 3 is a leaf of the tree; by the meaning of a broadcast nobody waits for it either.
  const auto leaf = replay_scheduled(one_call(Function::Bcast, 4, 8, 0, 3, 100), "basic_linear");
  CHECK(leaf.rank_seconds[1] < late);
  CHECK(leaf.rank_seconds[3] > late);
  // An allreduce holds up everybody, and its last step less than the whole.
  const auto all =
      replay_scheduled(one_call(Function::Allreduce, 4, 8, -1, 3, 100), "recursive_doubling");
  for (const double seconds : all.rank_seconds) {
    CHECK(seconds == Approx(late + 2 * (port_alpha + 8 * port_beta)));
  }
  // A ring of four ranks whose last comes late: three messages one after the other.
  const auto ring = replay_scheduled(one_call(Function::Allgather, 4, 8, -1, 3, 100), "ring");
  CHECK(ring.seconds == Approx(late + 3 * (port_alpha + 8 * port_beta)));
}

TEST_CASE("computing before, between and after collectives is neither lost nor doubled") {
  ScriptedTrace script(4);
  for (int rank = 0; rank < 4; ++rank) {
    script.computes(rank, 10).collective(Function::Barrier, rank);
    script.computes(rank, 20).collective(Function::Allreduce, rank);
    script.computes(rank, 30);
  }
  const Program program = script.analysis().program();
  const Program scheduled = with_schedules(program, {"bruck", "recursive_doubling"});
  CHECK(scheduled.collectives.empty());
  models::ReplayNetwork ideal;
  CHECK(replay(scheduled, ideal).seconds == Approx(60e-6));
  const Program one = with_schedules(program, {std::nullopt, "recursive_doubling"});
  REQUIRE(one.collectives.size() == 1);
  CHECK(applications::function_of(one.collectives.front()) == Function::Barrier);
  CHECK(replay(one, ideal).seconds == Approx(60e-6));
  CHECK(scheduled_messages(program, {"bruck", "recursive_doubling"}) == 8 + 8);
  CHECK(scheduled_messages(program, {std::nullopt, "recursive_doubling"}) == 8);
}

TEST_CASE("what is unfit for the work is refused") {
  const Program program = one_call(Function::Allgather, 5, 8);
  CHECK_THROWS_AS(with_schedules(program, {"neighbor"}), InputError);
  ScheduledPrograms programs(program);
  const Program& bruck = programs.with({"bruck"});
  CHECK_THROWS_AS(programs.with({"neighbor"}), InputError);
  CHECK_THROWS_AS(programs.with({"neighbor"}), InputError);
  CHECK(&programs.with({"bruck"}) == &bruck);
}

TEST_CASE(
    "the same calls are one kind, and what a program was made with first stays beside others") {
  ScriptedTrace script(4);
  for (int i = 0; i < 3; ++i) {
    for (int rank = 0; rank < 4; ++rank) {
      script.collective(Function::Allreduce, rank).collective(Function::Bcast, rank, 0, 8);
      script.collective(Function::Ibarrier, rank);
    }
  }
  const Program program = script.analysis().program();
  ScheduledPrograms programs(program);
  const collectives::Fits none;
  const Carriers usual = programs.carriers(none, {});
  CHECK(usual == Carriers{"recursive_doubling", "binomial"});
  const Carriers forced = programs.carriers(none, {{"bcast", "basic_linear"}});
  CHECK(forced == Carriers{"recursive_doubling", "basic_linear"});
  const Program& as_it_was = programs.with(usual);
  CHECK(as_it_was.messages.size() == 3 * (8 + 3));
  CHECK(as_it_was.collectives.size() == 3);  // of MPI_Ibarrier
  for (const Carriers& other : {forced, Carriers{"ring", std::nullopt}, forced}) {
    const Program& made = programs.with(other);
    CHECK(&made != &as_it_was);
    CHECK(made.messages.size() == (other == forced ? 33U : 3 * 24U));
    CHECK(&programs.with(usual) == &as_it_was);
    CHECK(as_it_was.messages.size() == 33);
    CHECK(&programs.with(other) == &made);
  }
  CHECK(&programs.with({std::nullopt, std::nullopt}) == &program);
}

}  // namespace hockney::projection
