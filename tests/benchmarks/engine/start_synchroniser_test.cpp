#include "benchmarks/engine/start_synchroniser.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {

/// Rank `rank` of `size`: writes down whom it passes messages to and hears from.
class PassingTeam final : public RankGroup {
 public:
  PassingTeam(int rank, int size) : rank_(rank), size_(size) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void barrier() override {}
  void pass(int to, int from) override { passes.emplace_back(to, from); }
  std::int64_t from_first(std::int64_t value) override { return value; }
  void maximum(std::span<double>) override {}

  std::vector<std::pair<int, int>> passes;

 private:
  int rank_;
  int size_;
};

}  // namespace

TEST_CASE("schemes have names that parse back") {
  for (const auto scheme :
       {StartScheme::round_time, StartScheme::barrier, StartScheme::dissemination}) {
    CHECK(parse_start(start_name(scheme)) == scheme);
  }
  CHECK(start_name(StartScheme::round_time) == "round-time");
  CHECK_THROWS_WITH(parse_start("barier"), Catch::Contains("did you mean 'barrier'?"));
}

TEST_CASE("a barrier start begins after the barrier and agrees on no time") {
  FakeClock clock(tick);
  CallLog log;
  RecordingTeam group(log);
  const Start start = make_start_synchroniser(StartScheme::barrier, group, clock)->start();
  CHECK(log == CallLog{"barrier"});
  CHECK(start.begun == clock.now());
  CHECK_FALSE(start.agreed);
  CHECK_FALSE(start.late);
}

TEST_CASE("after a dissemination barrier every rank has heard from every other") {
  for (int size = 1; size <= 17; ++size) {
    std::vector<PassingTeam> groups;
    for (int rank = 0; rank < size; ++rank) groups.emplace_back(rank, size);
    FakeClock clock(tick);
    for (PassingTeam& group : groups)
      make_start_synchroniser(StartScheme::dissemination, group, clock)->start();
    // heard[r]: the ranks whose coming r knows of, itself included.
    std::vector<std::set<int>> heard(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank) heard[static_cast<std::size_t>(rank)] = {rank};
    for (std::size_t round = 0; round < groups.front().passes.size(); ++round) {
      const auto before = heard;
      for (int rank = 0; rank < size; ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        const auto [to, from] = groups[r].passes[round];
        CHECK(groups[static_cast<std::size_t>(to)].passes[round].second == rank);
        heard[r].insert(before[static_cast<std::size_t>(from)].begin(),
                        before[static_cast<std::size_t>(from)].end());
      }
    }
    for (const auto& known : heard) CHECK(known.size() == static_cast<std::size_t>(size));
  }
}

TEST_CASE("round-time waits for a time three broadcasts ahead") {
  FakeClock clock(tick, {10});  // every reading takes 10 ticks
  SoloTeam group;
  const auto synchroniser =
      make_start_synchroniser(StartScheme::round_time, group, clock);  // a broadcast: 10 ticks
  const std::int64_t before = clock.now() + 10;
  const Start start = synchroniser->start();
  CHECK(start.agreed == before + 30);
  CHECK(start.begun >= *start.agreed);
  CHECK(start.begun < *start.agreed + 10);
  CHECK_FALSE(start.late);
}

TEST_CASE("who first looks when the time has passed is late") {
  FakeClock clock(tick);  // broadcasts take no time: no slack at all
  SoloTeam group;
  const Start start = make_start_synchroniser(StartScheme::round_time, group, clock)->start();
  CHECK(start.agreed == start.begun);
  CHECK(start.late);
}

/// How far ahead [ticks] the next start is agreed on, on a clock of which a reading takes 10 ticks.
std::int64_t slack_of(StartSynchroniser& synchroniser, FakeClock& clock) {
  const std::int64_t before = clock.now() + 10;
  return *synchroniser.start().agreed - before;
}

TEST_CASE("many late starts lengthen the slack by a half, few do not, none shorten it") {
  FakeClock clock(tick, {10});
  SoloTeam group;
  const auto slack_after = [&](int starts, int late) {
    const auto synchroniser = make_start_synchroniser(StartScheme::round_time, group, clock);
    synchroniser->learn(starts, late);
    return slack_of(*synchroniser, clock);
  };
  CHECK(slack_after(100, 10) == 30);
  CHECK(slack_after(100, 11) == 45);
  CHECK(slack_after(100, 0) == 27);
}

TEST_CASE("a start takes from before it to its last reading, on the slowest rank") {
  FakeClock clock(tick, {10});
  SoloTeam alone;
  const auto synchroniser = make_start_synchroniser(StartScheme::round_time, alone, clock);
  CHECK(seconds_of_start(*synchroniser, alone, clock) == Approx(40 * tick));
  CallLog log;
  RecordingTeam two(log, 3);
  const auto barrier = make_start_synchroniser(StartScheme::barrier, two, clock);
  CHECK(seconds_of_start(*barrier, two, clock) == Approx(30 * tick));
}

TEST_CASE("the slack is judged by a hundred starts, however many visits they take") {
  FakeClock clock(tick, {10});
  SoloTeam group;
  const auto synchroniser = make_start_synchroniser(StartScheme::round_time, group, clock);
  for (int visit = 0; visit < 9; ++visit) synchroniser->learn(11, 2);
  CHECK(slack_of(*synchroniser, clock) == 30);
  synchroniser->learn(11, 2);
  CHECK(slack_of(*synchroniser, clock) == 45);
  synchroniser->learn(11, 2);
  CHECK(slack_of(*synchroniser, clock) == 45);
}

TEST_CASE("three late starts in a row lengthen the slack at once, and by 2.25") {
  FakeClock clock(tick, {10});
  SoloTeam group;
  const auto synchroniser = make_start_synchroniser(StartScheme::round_time, group, clock);
  synchroniser->learn(2, 2);
  synchroniser->learn(2, 1);
  synchroniser->learn(2, 2);
  CHECK(slack_of(*synchroniser, clock) == 30);
  synchroniser->learn(1, 1);
  CHECK(slack_of(*synchroniser, clock) == 68);
}

/// The first rank of the group reads a clock that is so far ahead [ticks].
class TeamAhead final : public RankGroup {
 public:
  [[nodiscard]] int rank() const override { return 1; }
  [[nodiscard]] int size() const override { return 2; }
  void barrier() override {}
  void pass(int, int) override {}
  std::int64_t from_first(std::int64_t value) override { return value + ahead; }
  void maximum(std::span<double>) override {}

  std::int64_t ahead = 0;
};

TEST_CASE("a start that lies beyond any slack is not waited for") {
  FakeClock clock(tick, {10});
  TeamAhead group;
  const auto synchroniser = make_start_synchroniser(StartScheme::round_time, group, clock);
  constexpr std::int64_t tolerated = 1'000;  // a millisecond and ten slacks are some 1350 ticks
  group.ahead = tolerated;
  const Start near = synchroniser->start();
  CHECK_FALSE(near.jumped);
  CHECK(near.begun >= *near.agreed);
  group.ahead = 1'000'000;  // a second
  const std::size_t before = clock.readings();
  const Start far = synchroniser->start();
  CHECK(far.jumped);
  CHECK_FALSE(far.late);
  CHECK(clock.readings() == before + 2);
}

TEST_CASE(
    "a clock that goes back between two readings is noticed, within a start and between two") {
  SoloTeam group;
  FakeClock clock(tick, {10});
  const auto synchroniser = make_start_synchroniser(StartScheme::round_time, group, clock);
  CHECK_FALSE(synchroniser->start().jumped);
  clock.advance(-100'000);
  CHECK(synchroniser->start().jumped);
  CHECK_FALSE(synchroniser->start().jumped);  // all is well again, as far as one rank can see
  // 21 readings are made before the start; its third one, in the wait, goes back by a million.
  std::vector<std::int64_t> costs(30, 10);
  costs[22] = -1'000'000;
  FakeClock set_back(tick, costs);
  const auto other = make_start_synchroniser(StartScheme::round_time, group, set_back);
  const std::size_t before = set_back.readings();
  CHECK(other->start().jumped);
  CHECK(set_back.readings() < before + 10);
}

TEST_CASE("the slack does not grow without end") {
  FakeClock clock(tick, {10});
  SoloTeam group;
  const auto synchroniser = make_start_synchroniser(StartScheme::round_time, group, clock);
  for (int block = 0; block < 1000; ++block) synchroniser->learn(100, 50);
  CHECK(slack_of(*synchroniser, clock) == 1 << 20);  // a second
}

}  // namespace hockney::benchmarks
