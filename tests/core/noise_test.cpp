#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "core/error.hpp"
#include "core/noise.hpp"

namespace hockney {
namespace {

constexpr double recorded = 2;  // [s]

/// Interruptions at known times: of some periods, and at random.
class Planted {
 public:
  explicit Planted(std::uint64_t seed, double seconds = recorded)
      : random_(seed), seconds_(seconds) {}

  /// One in each period, from `first` on, off by up to `jitter` either way [s].
  Planted& ticks(double period, double first, double jitter = 0) {
    for (double at = first; at < seconds_; at += period) {
      add(at + jitter * (2 * fraction() - 1));
    }
    return *this;
  }

  /// Poisson, so many in a second.
  Planted& at_random(double per_second) {
    double at = 0;
    while (at < seconds_) {
      at -= std::log(1 - fraction()) / per_second;
      add(at);
    }
    return *this;
  }

  /// Bursts at random times, each of so many in `length` seconds, at random there too.
  Planted& bursts(double per_second, int events, double length) {
    const Planted centres = Planted(random_(), seconds_).at_random(per_second);
    for (const double centre : centres.at_) {
      for (int i = 0; i < events; ++i) add(centre + length * fraction());
    }
    return *this;
  }

  [[nodiscard]] std::vector<double> times() const {
    std::vector<double> sorted = at_;
    std::ranges::sort(sorted);
    return sorted;
  }

  [[nodiscard]] std::vector<NoisePeriod> periods() const {
    const auto found = find_periods(times(), seconds_);
    REQUIRE(found.has_value());
    return *found;
  }

 private:
  void add(double at) {
    if (at >= 0 && at < seconds_) at_.push_back(at);
  }
  double fraction() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  std::mt19937_64 random_;
  double seconds_;
  std::vector<double> at_;
};

TEST_CASE("planted periods are found to a thousandth, among others and among random times") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO(seed);
    const auto found = Planted(seed)
                           .ticks(4e-3, 1.3e-3, 50e-6)
                           .ticks(10e-3, 0.4e-3, 50e-6)
                           .at_random(60)
                           .periods();
    REQUIRE(found.size() == 2);
    CHECK(found[0].period_seconds == Approx(4e-3).epsilon(1e-3));
    CHECK(found[1].period_seconds == Approx(10e-3).epsilon(1e-3));
    CHECK(found[0].false_alarm < 1e-12);
    CHECK(found[1].false_alarm < period_false_alarm);
    // 500 and 200 of some 820
    CHECK(found[0].share == Approx(500.0 / 820).margin(0.1));
    CHECK(found[1].share == Approx(200.0 / 820).margin(0.1));
  }
}

TEST_CASE("a period is the time between two ticks, not a part or a multiple of it") {
  for (const double period : {0.55e-3, 1e-3, 1e-3 / 0.3, 4e-3, 0.01, 0.0333, 0.1}) {
    INFO(period);
    const auto found = Planted(1).ticks(period, period / 3).periods();
    REQUIRE(found.size() == 1);
    CHECK(found[0].period_seconds == Approx(period).epsilon(1e-3));
    CHECK(found[0].share == Approx(1));
  }
}

TEST_CASE("ticks that meet keep their periods") {
  const auto found = Planted(1).ticks(4e-3, 1e-3).ticks(10e-3, 1e-3).periods();
  REQUIRE(found.size() == 2);
  CHECK(found[0].period_seconds == Approx(4e-3).epsilon(1e-3));
  CHECK(found[1].period_seconds == Approx(10e-3).epsilon(1e-3));
}

TEST_CASE("a period whose own frequency is hidden by bursts is told by its multiples") {
  int found_at_all = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto found = Planted(seed, 4).ticks(10e-3, 1e-3).bursts(10, 40, 20e-3).periods();
    for (const NoisePeriod& period : found) {
      CHECK(period.period_seconds == Approx(10e-3).epsilon(1e-3));
    }
    found_at_all += static_cast<int>(found.size());
  }
  CHECK(found_at_all == 10);
}

TEST_CASE("longer recordings tell longer periods") {
  const auto found = Planted(1, 30).ticks(1, 0.2, 0.01).at_random(20).periods();
  REQUIRE(found.size() == 0);  // thirty of more than six hundred: sqrt(14 n) are some ninety
  const auto alone = Planted(1, 30).ticks(1, 0.2, 0.01).periods();
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].period_seconds == Approx(1).epsilon(1e-3));
}

TEST_CASE("interruptions at random times, few or many, have no period") {
  int alarms = 0;
  constexpr int seeds = 200;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const double per_second = 20 + static_cast<double>(seed);
    if (!Planted(seed).at_random(per_second).periods().empty()) ++alarms;
  }
  CHECK(alarms <= seeds / 20);  // the bound is 1 %; 2000 seeds had 7
}

TEST_CASE("bursts at random times have no period") {
  int alarms = 0;
  constexpr int seeds = 100;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    if (!Planted(seed).bursts(20, 10, 5e-3).periods().empty()) ++alarms;
  }
  CHECK(alarms <= seeds / 20);
}

TEST_CASE("too few interruptions, and too short recordings, have no period that could be told") {
  const std::vector<double> few = Planted(1).ticks(0.11, 0).times();
  REQUIRE(few.size() == 19);
  CHECK_FALSE(find_periods(few, recorded));
  std::vector<double> short_recording;
  for (int i = 0; i < 30; ++i) short_recording.push_back(i * 1e-4);
  CHECK_FALSE(find_periods(short_recording, 3e-3));
}

TEST_CASE("of very many interruptions the first ones tell the period") {
  const auto found = Planted(1, 10).ticks(1e-3, 0).periods();
  REQUIRE(found.size() == 1);
  CHECK(found[0].period_seconds == Approx(1e-3).epsilon(1e-3));
}

/// So many pieces of 5 us, of which those at these places take longer by so much [s].
std::vector<double> pieces(std::size_t count, const std::vector<std::size_t>& at, double longer) {
  std::vector<double> all(count, 5e-6);
  for (const std::size_t place : at) all[place] += longer;
  return all;
}

TEST_CASE("noise is what pieces of work take beyond the shortest") {
  // 1000 pieces of 5 us: 5 ms, and 2 x 100 us more. 5 and 6 are one interruption of 200 us.
  const CoreNoise noise = judge_noise(pieces(1000, {5, 6, 500}, 100e-6));
  CHECK(noise.recorded_seconds == Approx(5.3e-3));
  CHECK(noise.work_seconds == Approx(5e-6));
  CHECK(noise.limit_seconds == Approx(5.5e-6));  // a tenth more, since there is no spread
  CHECK(noise.interruptions == 2);
  CHECK(noise.longest_seconds == Approx(200e-6));
  CHECK(noise.median_seconds == Approx(150e-6));
  REQUIRE(noise.stolen.size() == noise_parts);
  // In the first tenth, 530 us, are 66 pieces and both that took longer.
  CHECK(noise.stolen[0] == Approx((64 * 5e-6 + 2 * 105e-6) / 66 / 5e-6 - 1).epsilon(0.01));
  CHECK(noise.stolen[1] == Approx(0).margin(1e-9));
  REQUIRE(noise.interruptions_per_second.size() == noise_parts);
  CHECK(noise.interruptions_per_second[0] == Approx(1 / 0.53e-3));
  CHECK(noise.interruptions_per_second[1] == 0);
  CHECK_FALSE(noise.periods);
}

TEST_CASE("a core without noise says so") {
  const CoreNoise noise = judge_noise(pieces(1000, {}, 0));
  CHECK(noise.interruptions == 0);
  CHECK_FALSE(noise.longest_seconds);
  CHECK_FALSE(noise.median_seconds);
  for (const double stolen : noise.stolen) CHECK(stolen == Approx(0).margin(1e-9));
}

TEST_CASE("a tick is found from the pieces that it made longer") {
  std::vector<double> all(400'000, 5e-6);
  double now = 0;
  double next = 1e-3;
  for (double& piece : all) {
    if (now + piece > next) {
      piece += 3e-6;
      next += 4e-3;
    }
    now += piece;
  }
  const CoreNoise noise = judge_noise(all);
  REQUIRE(noise.periods.has_value());
  REQUIRE(noise.periods->size() == 1);
  CHECK(noise.periods->front().period_seconds == Approx(4e-3).epsilon(1e-3));
  CHECK(noise.interruptions == 501);  // 2.0015 s: at 1 ms, 5 ms ... 2001 ms
  CHECK(noise.longest_seconds == Approx(3e-6));
}

TEST_CASE("what is no recording is refused") {
  CHECK_THROWS_AS(judge_noise(pieces(9, {}, 0)), InputError);
  CHECK_THROWS_AS(judge_noise(pieces(100, {3}, -5e-6)), InputError);
}

}  // namespace
}  // namespace hockney
