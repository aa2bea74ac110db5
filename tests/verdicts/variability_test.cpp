#include "verdicts/variability.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

namespace hockney::verdicts {
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

}  // namespace hockney::verdicts
