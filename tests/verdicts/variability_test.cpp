#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "tests/support/synthetic.hpp"
#include "verdicts/variability.hpp"

namespace hockney::verdicts {
namespace {

enum class Shape { normal, student, exponential };

/// A logarithm of one mode, about 0.
double logarithm(Shape shape, Noise& noise) {
  if (shape == Shape::normal) return noise.normal();
  if (shape == Shape::exponential) return -std::log(noise.uniform());
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(noise.normal(), 2);
  return noise.normal() * std::sqrt(3 / squares);
}

/// Launch medians at some points: each launch has a level of its own at all of them (3 %), and is
/// off it by 2 %; those of `slow` take `factor` times as long.
struct LaunchLevels {
  std::size_t launches = 10;
  std::size_t points = 45;
  std::size_t slow = 0;
  double factor = 1;
  Shape shape = Shape::normal;

  [[nodiscard]] std::vector<std::vector<double>> draw(Noise& noise) const {
    std::vector<std::vector<double>> seconds(points);
    for (std::size_t launch = 0; launch < launches; ++launch) {
      const double level = 0.03 * logarithm(shape, noise) + (launch < slow ? std::log(factor) : 0);
      for (std::vector<double>& point : seconds) {
        point.push_back(1e-7 * std::exp(level + 0.02 * logarithm(shape, noise)));
      }
    }
    return seconds;
  }
};

std::size_t moded(const std::vector<std::vector<double>>& points) {
  const auto found = find_modes(points);
  return static_cast<std::size_t>(
      std::ranges::count_if(found, [](const auto& one) { return one.has_value(); }));
}

}  // namespace

TEST_CASE("the largest gap is that of two parts, each by its own spread") {
  // Parts 0 .. 0.2 and 1.0 .. 1.2: squares 0.02 each, deviation sqrt(0.04 / 4) = 0.1, gap 0.8.
  const auto gap = largest_gap(std::vector{1.2, 0.0, 0.2, 1.0, 1.1, 0.1});
  REQUIRE(gap);
  CHECK(gap->below == 3);
  CHECK(gap->statistic == Approx(8));
  CHECK_FALSE(largest_gap(std::vector{0.0, 0.0, 0.0, 1.0, 1.0}));
  // One launch far off is no mode.
  CHECK(largest_gap(std::vector{0.0, 0.1, 0.2, 0.3, 0.4, 9.0})->statistic < 2);
}

TEST_CASE("the p of a gap falls from 0.05 on, and never promises more than it knows") {
  CHECK(mode_p(5, 1e9) == 1);
  CHECK(mode_p(10, 1) == 1);
  for (const std::size_t launches : {6U, 10U, 30U, 100U}) {
    double before = 1;
    for (double statistic = 1; statistic < 1000; statistic *= 1.3) {
      const double p = mode_p(launches, statistic);
      CHECK(p <= before);
      before = p;
    }
    CHECK(before < 1e-4);
  }
  CHECK(mode_p(100, 5) == mode_p(30, 5));
}

TEST_CASE("ten launches of which three are fast: both times, and how many launches have each") {
  const std::vector<std::vector<double>> points{{0.111e-6, 0.351e-6, 0.350e-6, 0.105e-6, 0.352e-6,
                                                 0.353e-6, 0.104e-6, 0.350e-6, 0.355e-6, 0.352e-6}};
  const auto found = find_modes(points).at(0);
  REQUIRE(found);
  CHECK(found->low_seconds == 0.105e-6);
  CHECK(found->high_seconds == 0.352e-6);
  CHECK(found->low_launches() == 3);
  CHECK(found->high_launches() == 7);
  CHECK_FALSE(found->is_high[0]);
  CHECK(found->is_high[1]);
  CHECK(found->p_adjusted < 0.001);
}

TEST_CASE("planted modes are named in 20 of 20 campaigns, at nearly every point") {
  Noise noise(31);
  for (const std::size_t launches : {7U, 10U, 14U, 30U}) {
    const LaunchLevels truth{.launches = launches, .slow = launches / 2, .factor = 3.4};
    int campaigns = 0;
    std::size_t points = 0;
    for (int i = 0; i < 20; ++i) {
      const std::size_t named = moded(truth.draw(noise));
      campaigns += named > 0 ? 1 : 0;
      points += named;
    }
    INFO(launches << " launches");
    CHECK(campaigns == 20);
    CHECK(points > 17 * truth.points);
  }
}

TEST_CASE("no mode is named in 20 of 20 quiet campaigns") {
  Noise noise(32);
  for (const Shape shape : {Shape::normal, Shape::student, Shape::exponential}) {
    int campaigns = 0;
    for (int i = 0; i < 20; ++i) campaigns += moded(LaunchLevels{.shape = shape}.draw(noise)) == 0;
    CHECK(campaigns == 20);
  }
}

TEST_CASE("of campaigns whose launches have one mode at most one in twenty has two at any point") {
  Noise noise(33);
  for (const Shape shape : {Shape::normal, Shape::student, Shape::exponential}) {
    for (const std::size_t launches : {6U, 8U, 12U, 20U, 30U}) {
      int wrong = 0;
      constexpr int campaigns = 400;
      for (int i = 0; i < campaigns; ++i) {
        // Points that have nothing in common are the hardest, and levels that hide no ratio.
        std::vector<std::vector<double>> points(20);
        for (std::vector<double>& point : points) {
          for (std::size_t launch = 0; launch < launches; ++launch) {
            point.push_back(std::exp(logarithm(shape, noise)));
          }
        }
        wrong += moded(points) > 0 ? 1 : 0;
      }
      INFO(launches << " launches, shape " << static_cast<int>(shape));
      CHECK(wrong <= 0.05 * campaigns + 2 * std::sqrt(0.05 * 0.95 * campaigns));
    }
  }
}

TEST_CASE("modes that are near each other, and steps of a clock, are none") {
  const std::vector<std::vector<double>> points{
      {1.00e-6, 1.00e-6, 1.00e-6, 1.05e-6, 1.05e-6, 1.05e-6, 1.05e-6, 1.05e-6},
      std::vector<double>(8, 1e-6),
      {1e-6, 1e-6, 0, 3e-6, 3e-6, 3e-6, 3e-6, 3e-6},
      {1e-6, 1e-6, std::numeric_limits<double>::infinity(), 3e-6, 3e-6, 3e-6, 3e-6, 3e-6},
      {}};
  CHECK(moded(points) == 0);
}

namespace {

/// Standard deviations of the logarithm of a time, by cause.
using Deviations = std::map<Cause, double>;

/// Launches with noise of known causes: blocks of twenty calls of one or more pairs.
class Machine {
 public:
  Machine(Deviations truth, std::uint64_t seed) : truth_(std::move(truth)), engine_(seed) {}

  std::vector<Record> launches(int days, int jobs, int launches, int pairs) {
    std::vector<double> places(static_cast<std::size_t>(pairs));
    for (double& place : places) place = draw(Cause::place);
    std::vector<Record> records;
    for (int day = 0; day < days; ++day) {
      const double of_day = draw(Cause::day);
      for (int job = 0; job < jobs; ++job) {
        const double of_job = of_day + draw(Cause::job);
        for (int launch = 0; launch < launches; ++launch) {
          records.push_back(record(day, day * jobs + job, of_job + draw(Cause::launch), places));
        }
      }
    }
    return records;
  }

 private:
  double draw(Cause cause) {
    const auto found = truth_.find(cause);
    return found == truth_.end() ? 0 : found->second * normal_(engine_);
  }

  Record record(int day, int job, double level, const std::vector<double>& places) {
    Record record;
    record.started_utc = "2026-11-" + std::to_string(10 + day) + "T02:00:00Z";
    record.provenance.environment["SLURM_JOB_ID"] = std::to_string(job);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const int first = static_cast<int>(2 * i);
      for (const int rank : {first, first + 1}) {
        record.ranks.push_back({.rank = rank, .host = "n" + std::to_string(rank)});
      }
      Series series{.point = {.operation = "pingpong", .bytes = Bytes{8}, .ranks = 2}};
      series.point.pair = {first, first + 1};
      for (int block = 0; block < blocks; ++block) {
        const double of_block = level + places[i] + draw(Cause::block);
        series.blocks.push_back(calls);
        for (int call = 0; call < calls; ++call) {
          series.samples_seconds.push_back(1e-6 * std::exp(of_block + draw(Cause::repetition)));
        }
      }
      record.series.push_back(series);
    }
    return record;
  }

  static constexpr int blocks = 7;  // fewer than would be searched for a warm-up
  static constexpr int calls = 20;
  Deviations truth_;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

const CauseShare& share_of(const VarianceSplit& split, Cause cause) {
  const auto found = std::ranges::find(split.shares, cause, &CauseShare::cause);
  REQUIRE(found != split.shares.end());
  return *found;
}

double variance_of(const Deviations& truth) {
  double sum = 0;
  for (const auto& [cause, deviation] : truth) sum += deviation * deviation;
  return sum;
}

}  // namespace

TEST_CASE("every cause has its share of the variance") {
  const Deviations truth{{Cause::repetition, 0.05}, {Cause::block, 0.02}, {Cause::launch, 0.03},
                         {Cause::place, 0.04},      {Cause::job, 0.02},   {Cause::day, 0.05}};
  Machine machine(truth, 1);
  const auto splits = split_variance(machine.launches(30, 3, 3, 8));
  REQUIRE(splits.size() == 1);
  CHECK(splits.front().launches == 270);
  CHECK(splits.front().untold.empty());
  CHECK(splits.front().spread == Approx(std::sqrt(variance_of(truth))).epsilon(0.15));
  for (const auto& [cause, deviation] : truth) {
    const CauseShare& found = share_of(splits.front(), cause);
    const double share = deviation * deviation / variance_of(truth);
    INFO(word(cause) << ": " << found.share << ", in truth " << share);
    CHECK(std::abs(found.share - share) < 0.12);
    REQUIRE(found.interval);
    CHECK(found.interval->low <= found.share);
    CHECK(found.share <= found.interval->high);
  }
}

TEST_CASE("intervals of shares hold the truth as often as is stated") {
  const Deviations truth{{Cause::repetition, 0.05}, {Cause::block, 0.02}, {Cause::launch, 0.03}};
  for (const int launches : {6, 12}) {
    std::map<Cause, int> held;
    constexpr int trials = 300;
    for (int trial = 0; trial < trials; ++trial) {
      Machine machine(truth, static_cast<std::uint64_t>(1000 * launches + trial));
      const auto splits = split_variance(machine.launches(1, 1, launches, 1));
      REQUIRE(splits.size() == 1);
      for (const auto& [cause, deviation] : truth) {
        const Interval interval = share_of(splits.front(), cause).interval.value();
        const double share = deviation * deviation / variance_of(truth);
        held[cause] += interval.low <= share && share <= interval.high ? 1 : 0;
      }
    }
    for (const auto& [cause, times] : held) {
      INFO(word(cause) << " at " << launches << " launches: " << times << " of " << trials);
      CHECK(times >= trials * 86 / 100);
      CHECK(times <= trials * 99 / 100);
    }
  }
}

TEST_CASE("a cause that cannot be told is named, and a few launches have no interval") {
  Machine machine({{Cause::repetition, 0.05}, {Cause::launch, 0.05}}, 3);
  const auto splits = split_variance(machine.launches(1, 1, 5, 1));
  REQUIRE(splits.size() == 1);
  CHECK(splits.front().untold == std::vector<Cause>{Cause::place, Cause::job, Cause::day});
  CHECK(!share_of(splits.front(), Cause::launch).interval);
  // One launch a job is the job's, too, and counts as launches.
  const auto alone = split_variance(machine.launches(1, 8, 1, 1));
  CHECK(alone.front().untold == std::vector<Cause>{Cause::place, Cause::job, Cause::day});
  CHECK(share_of(alone.front(), Cause::launch).interval);
  CHECK(split_variance({}).empty());
}

TEST_CASE("sizes of a curve stay together when the first launch lacks one") {
  Machine machine({{Cause::repetition, 0.05}, {Cause::launch, 0.05}}, 4);
  std::vector<Record> records = machine.launches(1, 1, 5, 1);
  for (Record& record : records) {
    Series series = record.series.front();
    series.point.operation = "pingping";
    record.series.push_back(series);
    series.point = record.series.front().point;
    series.point.bytes = Bytes{64};
    if (&record != &records.front()) record.series.insert(record.series.begin(), series);
  }
  std::vector<std::string> met;
  for (const VarianceSplit& split : split_variance(records)) {
    met.push_back(split.point.operation + " " + std::to_string(split.point.bytes.value));
  }
  CHECK(met == std::vector<std::string>{"pingpong 8", "pingpong 64", "pingping 8"});
}

namespace {

ValueGroup group_of(const std::vector<double>& values, std::vector<int> levels) {
  ValueGroup group{.levels = std::move(levels)};
  group.count = static_cast<double>(values.size());
  for (const double value : values) group.mean += value / group.count;
  for (const double value : values) {
    group.squares += (value - group.mean) * (value - group.mean);
  }
  return group;
}

}  // namespace

TEST_CASE("in a balanced nested design variances are those of the analysis of variance") {
  // Means of the levels 1, 3 and 8, whose mean is 4; mean squares 2 * (9 + 1 + 16) / 2 = 26 and 2.
  const std::vector<ValueGroup> groups{group_of({0, 2}, {0}), group_of({2, 4}, {1}),
                                       group_of({7, 9}, {2})};
  const std::vector<double> found = variance_components(groups, 1);
  REQUIRE(found.size() == 2);
  CHECK(found[0] == Approx((26 - 2) / 2.0));
  CHECK(found[1] == Approx(2));
}

TEST_CASE("variances are unbiased in a design that is crossed, nested and not balanced") {
  std::mt19937_64 engine(20261124);
  std::normal_distribution<double> normal;
  std::vector<double> sums(4);
  std::vector<double> squares(4);
  constexpr int trials = 600;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> places(4);
    for (double& place : places) place = 2 * normal(engine);
    std::vector<ValueGroup> groups;
    for (int launch = 0; launch < 9; ++launch) {
      const double of_launch = 3 * normal(engine);
      for (int place = 0; place < 4; ++place) {
        if ((launch + place) % 5 == 0) continue;  // not measured in all launches
        for (int block = 0; block < 2 + launch % 3; ++block) {
          const double of_block = normal(engine);
          std::vector<double> values(static_cast<std::size_t>(1 + (launch + block) % 4));
          for (double& value : values) {
            value = of_launch + places[static_cast<std::size_t>(place)] + of_block +
                    1.5 * normal(engine);
          }
          const int number = static_cast<int>(groups.size());
          groups.push_back(group_of(values, {launch, place, number}));
        }
      }
    }
    const std::vector<double> found = variance_components(groups, 3);
    REQUIRE(found.size() == sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += found[i];
      squares[i] += found[i] * found[i];
    }
  }
  const std::vector<double> truth{9, 4, 1, 1.5 * 1.5};
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double mean = sums[i] / trials;
    const double error = std::sqrt((squares[i] / trials - mean * mean) / trials);
    INFO(mean << " +- " << error << ", in truth " << truth[i]);
    CHECK(std::abs(mean - truth[i]) < 4 * error);
    CHECK(error < 0.1 * truth[i]);
  }
}

TEST_CASE("factors that cannot be told apart have no variances") {
  const std::vector<ValueGroup> alike{group_of({0, 2}, {0, 5}), group_of({2, 4}, {1, 6})};
  CHECK(variance_components(alike, 1).size() == 2);
  CHECK(variance_components(alike, 2).empty());
  const std::vector<ValueGroup> single{group_of({0, 2}, {0}), group_of({2, 4}, {0})};
  CHECK(variance_components(single, 1).empty());
  CHECK(variance_components({}, 0).empty());
  const std::vector<ValueGroup> one_each{group_of({1}, {0}), group_of({2}, {1})};
  CHECK(variance_components(one_each, 1).empty());
}

}  // namespace hockney::verdicts
