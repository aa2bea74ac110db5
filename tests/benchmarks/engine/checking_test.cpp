#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "benchmarks/engine/prepared.hpp"
#include "tests/support/mock_measuring.hpp"

namespace hockney::benchmarks {
namespace {

/// Delivers wrong data in the iterations that a fault hits, counted from 1 on.
class FaultyOperation final : public PreparedOperation {
 public:
  FaultyOperation(FakeClock& clock, std::function<bool(std::int64_t)> is_hit)
      : clock_(clock), is_hit_(std::move(is_hit)) {}

  void run_batch(std::int64_t iterations) override {
    log_.push_back("batch " + std::to_string(iterations));
    clock_.advance(10);
    for (; iterations > 0; --iterations) is_wrong_ = is_hit_(++iteration_);
  }
  void ready() override { log_.emplace_back("ready"); }
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
    return std::nullopt;
  }
  void refill(std::uint64_t seed, std::int64_t iterations) override {
    log_.push_back("refill " + std::to_string(seed) + " " + std::to_string(iterations));
    is_wrong_ = false;
  }
  [[nodiscard]] bool verify() override {
    log_.emplace_back("verify");
    return !is_wrong_;
  }
  CallLog& log() { return log_; }

 private:
  FakeClock& clock_;
  std::function<bool(std::int64_t)> is_hit_;
  std::int64_t iteration_ = 0;
  bool is_wrong_ = false;
  CallLog log_;
};

Checked check(const std::function<bool(std::int64_t)>& is_hit,
              const Checking& checking = {.least = deliveries_to_check}) {
  FakeClock clock(tick);
  FaultyOperation operation(clock, is_hit);
  SoloTeam group;
  return check_deliveries(operation, group, clock, checking);
}

bool never(std::int64_t) { return false; }

/// Says that its partner found wrong data in one of the rounds.
class DoubtingTeam final : public RankGroup {
 public:
  explicit DoubtingTeam(int round) : round_(round) {}
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 2; }
  void barrier() override {}
  void pass(int, int) override {}
  std::int64_t from_first(std::int64_t value) override { return value; }
  void maximum(std::span<double> values) override {
    if (++rounds_ == round_) values[0] = 1;
  }

 private:
  int round_;
  int rounds_ = 0;
};

}  // namespace

TEST_CASE("every delivery is looked at before the next one may overwrite it") {
  FakeClock clock(tick);
  FaultyOperation operation(clock, never);
  RecordingTeam group(operation.log());
  const Checked checked =
      check_deliveries(operation, group, clock, {.seed = 7, .most = 2, .until = 0});
  CHECK(checked.deliveries == 1);
  CHECK(operation.log() ==
        CallLog{"refill 7 1", "ready", "barrier", "batch 1", "verify", "maximum 3"});
  operation.log().clear();
  check_deliveries(operation, group, clock, {.seed = 7, .least = 2, .most = 2});
  CHECK(operation.log() == CallLog{"refill 7 1", "ready", "barrier", "batch 1", "verify",
                                   "maximum 3", "refill 8 1", "ready", "barrier", "batch 1",
                                   "verify", "maximum 3"});
}

TEST_CASE("the check ends with its time, whatever it was asked for at least") {
  FakeClock clock(tick);
  FaultyOperation operation(clock, never);
  RecordingTeam group(operation.log());
  const Checked checked =
      check_deliveries(operation, group, clock, {.seed = 7, .least = 9, .most = 9, .latest = 0});
  CHECK(checked.deliveries == 1);
  CHECK(checked.is_good);
}

TEST_CASE("a fault in every n-th delivery is found at the first one, up to the last checked") {
  for (std::int64_t n = 1; n <= deliveries_to_check; ++n) {
    const Checked checked = check([&](std::int64_t i) { return i % n == 0; });
    CHECK_FALSE(checked.is_good);
    CHECK(checked.deliveries == n);
  }
  const Checked beyond = check([](std::int64_t i) { return i == deliveries_to_check + 1; });
  CHECK(beyond.is_good);
  CHECK(beyond.deliveries == deliveries_to_check);
}

TEST_CASE("a fault that hits one delivery in fifty at random is found in 95 % of the checks") {
  constexpr int trials = 4000;
  std::mt19937_64 draw(20263);
  std::bernoulli_distribution is_hit(0.02);
  int found = 0;
  for (int i = 0; i < trials; ++i) {
    if (!check([&](std::int64_t) { return is_hit(draw); }).is_good) ++found;
  }
  const double truth = 1 - std::pow(0.98, deliveries_to_check);
  CHECK(truth > 0.95);
  CHECK(found == Approx(trials * truth).margin(4 * std::sqrt(trials * truth * (1 - truth))));
}

TEST_CASE("checking ends when its time is over, but not before the least that is wanted") {
  FakeClock clock(tick);
  const std::int64_t now = clock.now();
  CHECK(check(never, {.until = now + 55}).deliveries == 6);
  CHECK(check(never, {.until = now}).deliveries == 1);
  CHECK(check(never, {.least = 9, .until = now + 55}).deliveries == 9);
  CHECK(check(never, {.until = now + 1'000'000}).deliveries == deliveries_to_check);
}

TEST_CASE("wrong data on any rank are everybody's") {
  FakeClock clock(tick);
  FaultyOperation operation(clock, never);
  DoubtingTeam group(3);
  const Checked checked = check_deliveries(operation, group, clock, {.least = 10});
  CHECK_FALSE(checked.is_good);
  CHECK(checked.deliveries == 3);
}

}  // namespace hockney::benchmarks
