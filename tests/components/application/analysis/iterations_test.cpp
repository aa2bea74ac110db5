#include "components/application/analysis/iterations.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/support/scripted_trace.hpp"

namespace hockney::applications {
namespace {

using profile::Function;

constexpr int ranks = 4;
constexpr int steps = 200;
constexpr double step = 1000;  // [us]

/// Each step computes, exchanges with the neighbours and reduces. `extra` is what a rank computes
/// beside a step's usual time [us].
template <class Extra>
ScriptedTrace stepping(Extra extra) {
  ScriptedTrace script(ranks);
  std::vector<double> latest(steps, 0);
  for (int i = 0; i < steps; ++i) {
    for (int rank = 0; rank < ranks; ++rank) {
      latest[static_cast<std::size_t>(i)] =
          std::max(latest[static_cast<std::size_t>(i)], step + extra(rank, i));
    }
  }
  for (int rank = 0; rank < ranks; ++rank) {
    script.computes(rank, 5e4).collective(Function::Bcast, rank, 0).takes(10);
    for (int i = 0; i < steps; ++i) {
      script.computes(rank, step + extra(rank, i));
      script.sends(rank, (rank + 1) % ranks, 800).takes(5);
      script.receives(rank, (rank + ranks - 1) % ranks, 800).takes(5);
      script.collective(Function::Allreduce, rank)
          .takes(10 + latest[static_cast<std::size_t>(i)] - step - extra(rank, i));
    }
    script.collective(Function::Gather, rank, 0).takes(10);
    script.computes(rank, 2e4);
  }
  return script;
}

}  // namespace

TEST_CASE("steps of equal length: number, length, and no time of what is before and behind") {
  const Iterations found = find_iterations(stepping([](int, int) { return 0.0; }).analysis());
  REQUIRE(found.count() == steps);
  CHECK(found.median_seconds == Approx(1020 * microsecond));
  CHECK(found.all.front().seconds == Approx(1020 * microsecond));
  CHECK(found.all.back().seconds == Approx(1020 * microsecond));
  CHECK(found.all.front().begin_seconds == Approx(50010 * microsecond));
  CHECK(found.calls == 3);
  CHECK(found.ranks == ranks);
  CHECK(found.run_fraction == Approx(204.0 / 274.02).epsilon(1e-3));
  CHECK(found.why_slowest.cause == SlowIteration::Cause::not_known);
  CHECK(found.outer_period == 0);
}

TEST_CASE("the slowest step is the one in which a rank computes longer") {
  const auto extra = [](int rank, int i) { return rank == 3 && i == 117 ? 700.0 : 0.0; };
  const Iterations found = find_iterations(stepping(extra).analysis());
  REQUIRE(found.count() == steps);
  CHECK(found.slowest == 117);
  CHECK(found.all[117].seconds == Approx(1720 * microsecond));
  CHECK(found.median_seconds == Approx(1020 * microsecond));
  CHECK(found.why_slowest.cause == SlowIteration::Cause::rank_computes);
  CHECK(found.why_slowest.rank == 3);
  CHECK(found.why_slowest.seconds == Approx(700 * microsecond));
}

TEST_CASE("where all ranks compute longer, all are named") {
  const auto extra = [](int, int i) { return i == 12 ? 700.0 : 0.0; };
  const Iterations found = find_iterations(stepping(extra).analysis());
  CHECK(found.slowest == 12);
  CHECK(found.why_slowest.cause == SlowIteration::Cause::ranks_compute);
}

TEST_CASE("jitter changes the spread, and not the number") {
  std::mt19937_64 random(11);
  std::vector<double> jitter;
  std::uniform_real_distribution<double> spread(0, 400);
  for (int i = 0; i < steps; ++i) jitter.push_back(spread(random));
  const auto extra = [&](int, int i) { return jitter[static_cast<std::size_t>(i)]; };
  const Iterations found = find_iterations(stepping(extra).analysis());
  REQUIRE(found.count() == steps);
  CHECK(found.median_seconds == Approx(1220 * microsecond).epsilon(0.05));
  REQUIRE(found.interval);
  CHECK(found.interval->low < found.median_seconds);
  CHECK(found.interval->high > found.median_seconds);
  CHECK(found.low_seconds == Approx(1120 * microsecond).epsilon(0.05));
  CHECK(found.high_seconds == Approx(1320 * microsecond).epsilon(0.05));
}

TEST_CASE("a long call explains a slow step, and calls made in every tenth step are seen") {
  ScriptedTrace script(2);
  for (int rank = 0; rank < 2; ++rank) {
    for (int i = 0; i < 100; ++i) {
      script.computes(rank, 100).collective(Function::Barrier, rank).takes(10);
      script.collective(Function::Allreduce, rank).takes(i == 42 ? 900 : 10);
      script.collective(Function::Bcast, rank, 0).takes(10);
      if (i % 10 == 9) script.collective(Function::Gather, rank, 0).takes(20);
    }
  }
  const Iterations found = find_iterations(script.analysis());
  REQUIRE(found.count() == 100);
  CHECK(found.slowest == 42);
  CHECK(found.why_slowest.cause == SlowIteration::Cause::call);
  CHECK(found.why_slowest.call == "MPI_Allreduce");
  CHECK(found.outer_period == 10);
}

TEST_CASE("ranks that repeat their calls a different number of times have no iterations") {
  ScriptedTrace script(2);
  for (int i = 0; i < 60; ++i) script.sends(0, 1, 8).sends(0, 1, 800, 1).computes(0, 5);
  for (int i = 0; i < 45; ++i) script.receives(1, 0, 8).receives(1, 0, 800, 1).computes(1, 5);
  const Iterations found = find_iterations(script.analysis());
  CHECK(found.count() == 0);
  CHECK_THAT(found.why_none, Catch::StartsWith("ranks differ in their number"));
}

TEST_CASE("a rank without a loop does not hide that of the others") {
  ScriptedTrace script(4);
  for (int rank = 0; rank < 3; ++rank) {
    for (int i = 0; i < 50; ++i) {
      script.computes(rank, 10).collective(Function::Barrier, rank).takes(1);
      script.collective(Function::Allreduce, rank).takes(1);
    }
  }
  script.collective(Function::Gather, 3, 0).takes(1);
  const Iterations found = find_iterations(script.analysis());
  CHECK(found.count() == 50);
  CHECK(found.ranks == 3);
}

TEST_CASE("a log that ends early has no number of iterations") {
  Trace trace = stepping([](int, int) { return 0.0; }).trace();
  trace.not_logged = 7;
  CHECK(find_iterations(TraceAnalysis(trace)).why_none ==
        "calls are missing at the end of the log");
}

TEST_CASE("a loop that makes its own communicator in each step is found") {
  const auto extra = [](int rank, int i) { return rank == 1 && i == 60 ? 3 * step : 0.0; };
  for (const bool has_two_kinds : {false, true}) {
    Trace trace = stepping(extra).trace();
    for (int i = 0; i < steps; ++i) {
      const char* const name = has_two_kinds && i % 2 == 1 ? "MPI_Comm_dup" : "MPI_Comm_split";
      trace.communicators.push_back({.name = name, .identity = std::to_string(i), .size = ranks});
    }
    for (RankTrace& rank : trace.ranks) {
      std::uint32_t made = 0;
      change_events(rank, [&](profile::Event& event) {
        if (event.function == Function::Allreduce) event.communicator = ++made;
      });
    }
    const Iterations found = find_iterations(TraceAnalysis(std::move(trace)));
    REQUIRE(found.count() == (has_two_kinds ? steps / 2 : steps));
    CHECK(found.slowest == (has_two_kinds ? 30 : 60));
    CHECK(found.why_slowest.rank == 1);
  }
}

}  // namespace hockney::applications
