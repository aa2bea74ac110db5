#include <catch2/catch.hpp>

#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/engine/suites.hpp"
#include "core/statistics.hpp"
#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::int64_t round_ticks = 1000;

/// What one rank does in one round: it leaves the barrier and comes back from the operation [ticks
/// since the round began].
struct Stay {
  std::int64_t enters = 0;
  std::int64_t leaves = 0;
};

/// Rounds, again and again; of each the stay of every rank.
using Script = std::vector<std::vector<Stay>>;

/// One rank of a group whose barriers and operations go by a script. Every barrier begins a round.
class ScriptedRank final : public RankGroup, public PreparedOperation {
 public:
  /// `others`: what the whole group's maximum is; empty while that is not known.
  /// `reading_ticks`: what each look at the clock costs.
  ScriptedRank(const Script& script, int rank, std::vector<double> others = {},
               std::int64_t reading_ticks = 0)
      : clock(tick, {reading_ticks}),
        script_(script),
        rank_(rank),
        others_(std::move(others)),
        origin_(clock.now()) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(script_.front().size()); }
  void barrier() override {
    ++round_;
    clock.advance(origin_ + round_ * round_ticks + stay().enters - clock.now());
  }
  void pass(int, int) override {}
  std::int64_t from_first(std::int64_t) override { return origin_; }
  void maximum(std::span<double> values) override {
    reported.assign(values.begin(), values.end());
    for (std::size_t i = 0; i < others_.size(); ++i) values[i] = std::max(values[i], others_[i]);
  }

  void run_batch(std::int64_t iterations) override {
    clock.advance(iterations * (stay().leaves - stay().enters));
  }
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
    return std::nullopt;
  }
  void refill(std::uint64_t, std::int64_t) override {}
  [[nodiscard]] bool verify() override { return true; }

  FakeClock clock;
  std::vector<double> reported;  ///< what this rank brought to the last maximum

 private:
  [[nodiscard]] const Stay& stay() const {
    return script_[static_cast<std::size_t>(round_) % script_.size()]
                  [static_cast<std::size_t>(rank_)];
  }

  const Script& script_;
  int rank_;
  std::vector<double> others_;
  std::int64_t origin_;
  std::int64_t round_ = 0;
};

/// What the first rank gets from `measure` when all ranks of the script take part.
template <class Measure>
double measured(const Script& script, Measure measure) {
  std::vector<double> all;
  for (int rank = 0; rank < static_cast<int>(script.front().size()); ++rank) {
    ScriptedRank alone(script, rank);
    measure(alone);
    all.resize(alone.reported.size(), alone.reported.front());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = rank == 0 ? alone.reported[i] : std::max(all[i], alone.reported[i]);
    }
  }
  ScriptedRank first(script, 0, all);
  return measure(first);
}

double like(Suite suite, OperationKind kind, const Script& script,
            const Repetitions& repetitions = {.timed = 4, .warm_up = 2}, std::int64_t divisor = 1) {
  const SuiteLoop loop{timing_of(suite, kind), repetitions, divisor};
  return measured(
      script, [&](ScriptedRank& rank) { return time_like_suite(rank, rank, rank.clock, loop); });
}

double osu(const Script& script) { return like(Suite::osu, OperationKind::collective, script); }
double imb(const Script& script) { return like(Suite::imb, OperationKind::collective, script); }

/// Hockney's own: from the first begin after a barrier to the last end.
double completion(const Script& script) {
  return measured(script, [](ScriptedRank& rank) {
    const auto synchroniser = make_start_synchroniser(StartScheme::barrier, rank, rank.clock);
    const Sampling sampling{.timing = Timing::last_rank, .samples = 4};
    return median(take_samples(rank, rank, rank.clock, sampling, *synchroniser).samples_seconds)
        .value();
  });
}

}  // namespace

TEST_CASE("of a synchronising operation everybody sees the same time") {
  const Script script{{{0, 30}, {0, 30}, {0, 30}}};
  CHECK(completion(script) == 30 * tick);
  CHECK(osu(script) == 30 * tick);
  CHECK(imb(script) == 30 * tick);
}

TEST_CASE("a reduction whose leaves go early is a mean of early leavers to OMB") {
  const Script script{{{0, 40}, {0, 4}, {0, 4}, {0, 12}}};
  CHECK(completion(script) == 40 * tick);
  CHECK(osu(script) == 15 * tick);
  CHECK(imb(script) == 40 * tick);
}

TEST_CASE("receivers who leave the barrier after the root find the message there") {
  const Script script{{{0, 4}, {20, 22}}};
  CHECK(completion(script) == 22 * tick);
  CHECK(osu(script) == 3 * tick);
  CHECK(imb(script) == 4 * tick);
}

TEST_CASE("receivers who leave the barrier before the root count its skew") {
  const Script script{{{20, 24}, {0, 30}}};
  CHECK(completion(script) == 30 * tick);
  CHECK(osu(script) == 17 * tick);
  CHECK(imb(script) == 30 * tick);
}

TEST_CASE("the largest of means is smaller than the mean of the largest") {
  const Script script{{{0, 10}, {0, 30}}, {{0, 30}, {0, 10}}};
  CHECK(completion(script) == 30 * tick);
  CHECK(osu(script) == 20 * tick);
  CHECK(imb(script) == 20 * tick);
}

TEST_CASE("OMB looks at the clock twice beside each one-sided call, which its time has in it") {
  const Script script{{{0, 30}, {0, 30}}};
  constexpr std::int64_t reading = 5;
  const auto time_of = [&](Suite suite) {
    const SuiteLoop loop{timing_of(suite, OperationKind::one_sided), {.timed = 4}};
    ScriptedRank rank(script, 0, {}, reading);
    return time_like_suite(rank, rank, rank.clock, loop);
  };
  CHECK(time_of(Suite::osu) == Approx((30 + 2 * reading + reading / 4.) * tick));
  CHECK(time_of(Suite::imb) == Approx((30 + reading / 4.) * tick));
}

TEST_CASE("one call in a hundred that is disturbed moves the means, and no median") {
  Script script(100, {{0, 10}, {0, 10}});
  script[50] = {{0, 5010}, {0, 10}};
  const Repetitions hundred{.timed = 100, .warm_up = 0};
  CHECK(completion(script) == 10 * tick);
  CHECK(like(Suite::osu, OperationKind::collective, script, hundred) == 35 * tick);
  CHECK(like(Suite::imb, OperationKind::collective, script, hundred) == 60 * tick);
}

TEST_CASE(
    "a ping-pong is half of the first rank's calls to OMB, of the slower rank's loop to IMB") {
  const Script script{{{0, 12}, {5, 20}}};
  CHECK(like(Suite::osu, OperationKind::pair, script, {8, 1}, 2) == 6 * tick);
  CHECK(like(Suite::imb, OperationKind::pair, script, {8, 1}, 2) == 7.5 * tick);
}

TEST_CASE("a message rate is that of the senders' mean to OMB") {
  const Script script{{{0, 8}, {0, 16}, {0, 100}, {0, 100}}};
  CHECK(like(Suite::osu, OperationKind::windowed_pairs, script, {4, 1}, 4) == 3 * tick);
  CHECK(like(Suite::imb, OperationKind::windowed_pairs, script, {4, 1}, 4) == 25 * tick);
}

TEST_CASE("the cost of reading the clock enters every call, or the loop once") {
  const auto time = [](const SuiteTiming& timing) {
    FakeClock clock(tick, {4});
    FakeOperation operation(clock, 6);
    SoloTeam group;
    return time_like_suite(operation, group, clock, {timing, {.timed = 8, .warm_up = 3}});
  };
  CHECK(time(timing_of(Suite::osu, OperationKind::pair)) == 10 * tick);
  CHECK(time(timing_of(Suite::imb, OperationKind::pair)) == 6.5 * tick);
}

TEST_CASE("of a pair timed like OMB the second rank looks at no clock") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  CallLog log;
  operation.log_to(log);
  RecordingTeam group(log);  // rank 1
  time_like_suite(operation, group, clock, {timing_of(Suite::osu, OperationKind::pair), {5, 2}});
  CHECK(clock.readings() == 0);
  CHECK(log == CallLog{"barrier", "batch 2", "batch 5", "maximum 2"});
}

TEST_CASE("barriers are where the suites have them") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  CallLog log;
  operation.log_to(log);
  RecordingTeam group(log);
  const auto calls = [&](Suite suite, OperationKind kind) {
    log.clear();
    time_like_suite(operation, group, clock, {timing_of(suite, kind), {2, 1}});
    return log;
  };
  CHECK(calls(Suite::osu, OperationKind::collective) == CallLog{"barrier", "batch 1", "barrier",
                                                                "batch 1", "barrier", "batch 1",
                                                                "barrier", "maximum 2"});
  CHECK(calls(Suite::imb, OperationKind::collective) ==
        CallLog{"barrier", "barrier", "batch 1", "barrier", "barrier", "barrier", "batch 1",
                "barrier", "batch 1", "barrier", "maximum 2"});
  CHECK(calls(Suite::imb, OperationKind::ring) ==
        CallLog{"barrier", "barrier", "batch 1", "barrier", "barrier", "batch 2", "maximum 2"});
  CHECK(calls(Suite::osu, OperationKind::barrier) ==
        CallLog{"batch 1", "batch 1", "batch 1", "maximum 2"});
}

TEST_CASE("what is calibrated are calls with their barriers") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  CallLog log;
  operation.log_to(log);
  RecordingTeam group(log);
  SuiteCalls(operation, group, timing_of(Suite::osu, OperationKind::collective)).run_batch(2);
  CHECK(log == CallLog{"batch 1", "barrier", "batch 1", "barrier"});
  log.clear();
  SuiteCalls(operation, group, timing_of(Suite::osu, OperationKind::pair)).run_batch(3);
  CHECK(log == CallLog{"batch 3"});
}

}  // namespace hockney::benchmarks
