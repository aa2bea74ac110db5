#include <catch2/catch.hpp>

#include "benchmarks/engine/sampling.hpp"
#include "core/sample_unit.hpp"
#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {

using Samples = std::vector<double>;

/// Timed on the first rank.
Samples samples_of(FakeOperation& operation, RankGroup& group, FakeClock& clock,
                   const Sampling& sampling) {
  const auto synchroniser = make_start_synchroniser(StartScheme::barrier, group, clock);
  return take_samples(operation, group, clock, sampling, *synchroniser).samples_seconds;
}

/// Begins as told, each start at the clock's present: agreed ticks ago, late or not.
class ScriptedStarter final : public StartSynchroniser {
 public:
  ScriptedStarter(FakeClock& clock, std::vector<Start> starts)
      : clock_(clock), starts_(std::move(starts)) {}
  Start start() override {
    Start next = starts_.at(begun_++);
    next.begun = clock_.now();
    if (next.agreed) next.agreed = next.begun - *next.agreed;
    return next;
  }
  void learn(int starts, int late) override { learnt.emplace_back(starts, late); }

  std::vector<std::pair<int, int>> learnt;

 private:
  FakeClock& clock_;
  std::vector<Start> starts_;
  std::size_t begun_ = 0;
};

/// The other rank of two begins 5 ticks after this one and ends 7 ticks after it.
class SlowerPartner final : public RankGroup {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 2; }
  void barrier() override {}
  void pass(int, int) override {}
  std::int64_t from_first(std::int64_t value) override { return value; }
  void maximum(std::span<double> stamps) override {
    for (std::size_t i = 0; i < stamps.size(); i += 4) {
      stamps[i] += 5;
      stamps[i + 2] += 7;
    }
  }
};

}  // namespace

TEST_CASE("a sample is the time of one operation") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  SoloTeam group;
  CHECK(samples_of(operation, group, clock, {.batch = 25, .samples = 3}) ==
        Samples{6 * tick, 6 * tick, 6 * tick});
  // One iteration leads in untimed.
  CHECK(operation.batches() == std::vector<std::int64_t>{1, 25, 25, 25});
}

TEST_CASE("the divisor makes one operation of a round trip") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  SoloTeam group;
  CHECK(samples_of(operation, group, clock, {.divisor = 2, .batch = 32, .samples = 2}) ==
        Samples{3 * tick, 3 * tick});
}

TEST_CASE("samples are counts of the clock to the last bit, for any window") {
  for (const std::int64_t window : {1, 2, 21, 64}) {
    FakeClock clock(1e-9, {3});
    FakeOperation operation(clock, 1001);
    SoloTeam group;
    const Samples samples =
        samples_of(operation, group, clock, {.divisor = window, .batch = 7, .samples = 3});
    const SampleUnit unit{1e-9 / static_cast<double>(window), 7};
    CHECK(samples == Samples(3, unit.sample(7010)));  // 7 calls and a reading of the clock
    CHECK(find_sample_unit(samples, 7, 1e-9)->seconds >= unit.seconds);
  }
}

TEST_CASE("nothing is deleted as an outlier and nothing untimed leaks in") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  operation.disturb(0, 999'999);  // while the group gathers
  operation.disturb(2, 64);
  SoloTeam group;
  CHECK(samples_of(operation, group, clock, {.batch = 64, .samples = 3}) ==
        Samples{6 * tick, 7 * tick, 6 * tick});
}

TEST_CASE("the cost of reading the clock enters once a batch") {
  FakeClock clock(tick, {16});
  FakeOperation operation(clock, 6);
  SoloTeam group;
  CHECK(samples_of(operation, group, clock, {.batch = 16, .samples = 1}) == Samples{7 * tick});
  CHECK(clock.readings() == 2);
}

TEST_CASE("timed on the first rank, only the gathering synchronises") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  CallLog log;
  operation.log_to(log);
  RecordingTeam group(log, 3);
  CHECK(samples_of(operation, group, clock, {.batch = 4, .samples = 2}) ==
        Samples{6 * tick, 6 * tick});
  CHECK(log == CallLog{"barrier", "batch 1", "batch 4", "batch 4"});
}

TEST_CASE("timed to the last rank, every sample has a start and the visit one exchange of stamps") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  CallLog log;
  operation.log_to(log);
  RecordingTeam group(log);
  const Sampling sampling{.timing = Timing::last_rank, .batch = 4, .samples = 2};
  CHECK(samples_of(operation, group, clock, sampling) == Samples{6 * tick, 6 * tick});
  log.erase(log.begin() + 2);  // from_first of the present
  CHECK(log ==
        CallLog{"barrier", "batch 1", "barrier", "batch 4", "barrier", "batch 4", "maximum 8"});
}

TEST_CASE("after a barrier a sample lasts from the first begin to the last end") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 100);
  SlowerPartner group;
  ScriptedStarter synchroniser(clock, {{}, {}});
  const Sampling sampling{.timing = Timing::last_rank, .samples = 2};
  const MeasurementBlock taken = take_samples(operation, group, clock, sampling, synchroniser);
  CHECK(taken.samples_seconds == Samples{107 * tick, 107 * tick});
  CHECK(taken.skew_seconds == 5 * tick);
  CHECK(taken.late_starts == 0);
}

TEST_CASE("with an agreed time a sample lasts from that time") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 100);
  SlowerPartner group;
  ScriptedStarter synchroniser(clock, {{.agreed = 3}});  // this rank began 3 ticks after it
  const MeasurementBlock taken =
      take_samples(operation, group, clock, {.timing = Timing::last_rank}, synchroniser);
  CHECK(taken.samples_seconds == Samples{110 * tick});
  CHECK(taken.skew_seconds == 5 * tick);
}

TEST_CASE("late starts are repeated, counted and learnt from") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 100);
  SoloTeam group;
  ScriptedStarter synchroniser(clock, {{.agreed = 0},
                                       {.agreed = 0, .late = true},
                                       {.agreed = 0, .late = true},
                                       {.agreed = 0, .late = true},
                                       {.agreed = 0},
                                       {.agreed = 0}});
  const Sampling sampling{.timing = Timing::last_rank, .samples = 3};
  const MeasurementBlock taken = take_samples(operation, group, clock, sampling, synchroniser);
  CHECK(taken.samples_seconds.size() == 3);
  CHECK(taken.late_starts == 3);
  CHECK(synchroniser.learnt == std::vector<std::pair<int, int>>{{3, 2}, {2, 1}, {1, 0}});
}

TEST_CASE("every rank's own time, from its begin to its end, is shared when asked for") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 100);
  SoloTeam group;
  ScriptedStarter synchroniser(clock, {{.agreed = 0}, {.agreed = 0}});
  const Sampling sampling{.timing = Timing::last_rank, .samples = 2, .local_times = true};
  const MeasurementBlock taken = take_samples(operation, group, clock, sampling, synchroniser);
  CHECK(taken.locals_seconds == Samples{100 * tick});
}

TEST_CASE("starts that are always late end with no sample and no skew") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 100);
  SoloTeam group;
  ScriptedStarter synchroniser(clock, std::vector<Start>(6, Start{.agreed = 0, .late = true}));
  const Sampling sampling{.timing = Timing::last_rank, .samples = 2};
  const MeasurementBlock taken = take_samples(operation, group, clock, sampling, synchroniser);
  CHECK(taken == MeasurementBlock{.late_starts = 6});
}

TEST_CASE("late starts are repeated no more often than there are spares") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 100);
  SoloTeam group;
  ScriptedStarter synchroniser(clock, std::vector<Start>(6, Start{.agreed = 0, .late = true}));
  const Sampling sampling{.timing = Timing::last_rank, .samples = 2, .spares = 1};
  CHECK(take_samples(operation, group, clock, sampling, synchroniser) ==
        MeasurementBlock{.late_starts = 3});
  CHECK(operation.batches().size() == 4);  // with the one in which ranks gather
}

TEST_CASE("differences stay exact however long the machine has been up") {
  FakeClock clock(1e-9);
  clock.advance(std::int64_t{1} << 62);  // 146 years: a double of seconds would round to 512 ns
  FakeOperation operation(clock, 3);
  SoloTeam group;
  for (const Timing timing : {Timing::first_rank, Timing::last_rank}) {
    CHECK(samples_of(operation, group, clock, {.timing = timing, .samples = 1}) ==
          Samples{3 * 1e-9});
  }
}

TEST_CASE("a clock that jumps ends the block without a sample, and flags it") {
  FakeClock clock(tick);
  FakeOperation operation(clock, 6);
  SoloTeam group;
  ScriptedStarter starts(clock, {{.agreed = 0}, {.agreed = 0, .jumped = true}, {.agreed = 0}});
  const MeasurementBlock block =
      take_samples(operation, group, clock, {.timing = Timing::last_rank, .samples = 3}, starts);
  CHECK(block.flags == std::vector<std::string>{"clock-jumped"});
  CHECK(block.samples_seconds.empty());
  CHECK(block.is_check);
  CHECK(block.late_starts == 0);
  CHECK(starts.learnt.empty());
  CHECK(operation.batches().size() == 4);  // no rank leaves the others alone in an operation
}

TEST_CASE("a sample that ends before it begins ends the block, too") {
  for (const auto timing : {Timing::first_rank, Timing::last_rank}) {
    FakeClock clock(tick);
    FakeOperation operation(clock, 6);
    operation.disturb(2, -1000);
    SoloTeam group;
    const auto synchroniser = make_start_synchroniser(StartScheme::barrier, group, clock);
    const MeasurementBlock block =
        take_samples(operation, group, clock, {.timing = timing, .samples = 3}, *synchroniser);
    CHECK(block.flags == std::vector<std::string>{"clock-jumped"});
    CHECK(block.samples_seconds.empty());
  }
}

}  // namespace hockney::benchmarks
