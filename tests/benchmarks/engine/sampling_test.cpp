#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "benchmarks/engine/sampling.hpp"
#include "core/error.hpp"
#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {
using Order = std::vector<std::size_t>;
}

TEST_CASE("an order is a permutation") {
  for (const std::size_t count : {0U, 1U, 2U, 7U, 100U}) {
    Order order = epoch_order(count, 42, 3);
    REQUIRE(order.size() == count);
    std::ranges::sort(order);
    for (std::size_t i = 0; i < count; ++i) CHECK(order[i] == i);
  }
}

TEST_CASE("equal seeds give equal orders, other seeds and epochs give others") {
  CHECK(epoch_order(50, 42, 3) == epoch_order(50, 42, 3));
  std::set<Order> orders;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (int epoch = 0; epoch < 10; ++epoch) orders.insert(epoch_order(50, seed, epoch));
  }
  CHECK(orders.size() == 100);
}

TEST_CASE("every point comes first equally often") {
  // 6000 epochs of 6 points: 1000 each, standard deviation 29; 150 is five of them.
  std::vector<int> firsts(6);
  for (int epoch = 0; epoch < 6000; ++epoch) ++firsts[epoch_order(6, 1, epoch).front()];
  for (const int count : firsts) CHECK(std::abs(count - 1000) < 150);
}

TEST_CASE("a number of epochs ends them, whatever the budget") {
  const EpochRule rule(3, 1.0);
  CHECK_FALSE(rule.finished(1e9, 2));
  CHECK(rule.finished(0, 3) == "epochs done");
  CHECK(rule.finished(0, 4) == "epochs done");
  CHECK(EpochRule(1, 1.0, 5).finished(0, 1) == "epochs done");
}

TEST_CASE("a budget ends when the next epoch would overrun it") {
  const EpochRule rule(std::nullopt, 10.0);
  CHECK_FALSE(rule.finished(7.5, 3));  // 2.5 each: the next ends at 10 exactly
  CHECK(rule.finished(7.6875, 3) == "budget spent");
  CHECK_FALSE(rule.finished(8, 4));
  CHECK_FALSE(rule.finished(9, 9));
  CHECK(rule.finished(10, 10) == "budget spent");
}

TEST_CASE("the fewest epochs are run however long they take") {
  const EpochRule rule(std::nullopt, 10.0, 2);
  CHECK_FALSE(rule.finished(1000, 0));
  CHECK_FALSE(rule.finished(1000, 1));
  CHECK(rule.finished(1000, 2) == "budget spent");
}

TEST_CASE("half of the epochs, or of the budget, is the middle of a launch") {
  const EpochRule of_epochs(3, 1.0);
  CHECK_FALSE(of_epochs.is_half_over(1e9, 1));
  CHECK(of_epochs.is_half_over(0, 2));
  const EpochRule of_budget(std::nullopt, 10.0);
  CHECK_FALSE(of_budget.is_half_over(4.9, 40));
  CHECK(of_budget.is_half_over(5, 1));
}

TEST_CASE("a launch looks at itself seldom") {
  std::vector<int> looks;
  for (int epochs = 0; epochs <= 60; ++epochs) {
    if (is_time_to_look(epochs)) looks.push_back(epochs);
  }
  CHECK(looks == std::vector<int>{8, 12, 18, 27, 40, 60});
}

namespace {

constexpr std::int64_t most = 4 << 20;

/// Hands over up to `limit`, but the sender is late in a share of the short and of the long waits.
class Sender {
 public:
  Sender(std::int64_t limit, double late_in_short, double late_in_long, std::uint64_t seed = 1)
      : limit_(limit), late_in_short_(late_in_short), late_in_long_(late_in_long), random_(seed) {}

  bool operator()(std::int64_t bytes, Patience patience) {
    const double share = patience == Patience::short_wait ? late_in_short_ : late_in_long_;
    const bool is_late = std::uniform_real_distribution<>(0, 1)(random_) < share;
    return bytes <= limit_ && !is_late;
  }

 private:
  std::int64_t limit_;
  double late_in_short_;
  double late_in_long_;
  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("a limit is found to the byte") {
  for (const std::int64_t limit : {0L, 1L, 2L, 255L, 256L, 968L, 4040L, 7721L, 65480L, most - 1}) {
    const LimitFound found = find_limit(Sender(limit, 0, 0), most);
    CHECK(found.limit_bytes == limit);
    CHECK(found.held_bytes == limit + 1);
    CHECK(found.exceptions.empty());
    CHECK(found.corrections == 0);
    CHECK(found.probes < 100);
  }
}

TEST_CASE("nothing is handed over, or everything is") {
  const LimitFound nothing = find_limit(Sender(-1, 0, 0), most);
  CHECK_FALSE(nothing.limit_bytes);
  CHECK(nothing.held_bytes == 0);
  for (const std::int64_t limit : {most, 2 * most}) {
    const LimitFound everything = find_limit(Sender(limit, 0, 0), most);
    CHECK(everything.limit_bytes == most);
    CHECK_FALSE(everything.held_bytes);
    CHECK(everything.exceptions.empty());
  }
}

TEST_CASE("a sender that is often late costs probes, not the answer") {
  std::mt19937_64 random(7);
  int corrected = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto limit = static_cast<std::int64_t>(random() % most);
    const LimitFound found = find_limit(Sender(limit, 0.3, 0, seed), most);
    CHECK(found.limit_bytes == limit);
    CHECK(found.held_bytes == limit + 1);
    CHECK(found.exceptions.empty());
    corrected += found.corrections > 0 ? 1 : 0;
  }
  CHECK(corrected > 400);
}

TEST_CASE(
    "late in one of twenty long waits too, the answer is wrong in less than one of a hundred") {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const LimitFound found = find_limit(Sender(4040, 0.3, 0.05, seed), most);
    wrong += found.limit_bytes == 4040 ? 0 : 1;
  }
  CHECK(wrong < 10);
}

TEST_CASE("sizes that speak against one limit are told") {
  const auto with_hole = [](std::int64_t bytes, Patience) {
    return bytes <= 4040 && !(bytes >= 1000 && bytes <= 2000);
  };
  // Doubling meets the hole first: its lower edge is a limit, and what lies beyond it is not.
  const LimitFound hole = find_limit(with_hole, most);
  CHECK(hole.limit_bytes == 999);
  CHECK(hole.exceptions == std::vector<std::int64_t>{1000 + 2187});
  const auto with_island = [](std::int64_t bytes, Patience) {
    return bytes <= 4040 || bytes == 4041 + 243;
  };
  const LimitFound island = find_limit(with_island, most);
  CHECK(island.limit_bytes == 4040);
  CHECK(island.exceptions == std::vector<std::int64_t>{4284});
}

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
