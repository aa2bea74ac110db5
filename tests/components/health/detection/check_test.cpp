#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "components/health/detection/check.hpp"
#include "core/error.hpp"
#include "tests/components/health/detection/check_fixture.hpp"
#include "verdicts/self_test.hpp"

namespace hockney::health {

TEST_CASE("a quiet series is steady, with its level and noise") {
  const SeriesHealth health = check_one(quiet_series("quiet", 100));
  CHECK(health.series == "quiet");
  CHECK(health.verdict == Verdict::steady);
  CHECK(health.why == UndecidedWhy::none);
  CHECK(health.severity == fleet::Severity::none);
  CHECK(health.nights == 100);
  CHECK(health.last_day == first_day + 99);
  CHECK_FALSE(health.change);
  CHECK_FALSE(health.suspect);
  CHECK(*health.baseline == Approx(1e-6).epsilon(0.011));
  CHECK(*health.noise == Approx(0.015).epsilon(0.3));
}

TEST_CASE("a series that became 10 % slower regressed, since that night") {
  const SeriesHealth health = check_one(shifted(quiet_series("slow", 60), 50, 1.10));
  CHECK(health.verdict == Verdict::regressed);
  REQUIRE(health.change);
  CHECK(health.change->since == first_day + 50);
  CHECK(health.change->since_low <= first_day + 50);
  CHECK(health.change->since_high >= first_day + 50);
  CHECK(health.change->alarmed >= first_day + 53);  // four of the last seven nights
  CHECK(health.change->alarmed <= first_day + 54);
  CHECK(health.change->change == Approx(0.10).margin(0.011));
  REQUIRE(health.change->interval);
  CHECK(health.change->interval->low <= 0.10);
  CHECK(health.change->interval->high >= 0.10);
  CHECK(health.severity == fleet::Severity::monitor);
}

TEST_CASE("worse is larger for times and smaller for bandwidths") {
  NightlySeries times = shifted(quiet_series("times", 60), 50, 0.8);
  CHECK(check_one(times).verdict == Verdict::improved);
  CHECK(check_one(times).change->change == Approx(-0.2).margin(0.02));
  NightlySeries bandwidths = times;
  bandwidths.worse = WorseWhen::smaller;
  CHECK(check_one(bandwidths).verdict == Verdict::regressed);
}

TEST_CASE("a change is told from another one that was larger") {
  // 20 % faster for 9 nights, as usual for 19, then 10 % slower.
  const NightlySeries times = shifted(shifted(quiet_series("two", 110), 70, 0.8, 79), 98, 1.10);
  const SeriesHealth health = check_one(times);
  CHECK(health.verdict == Verdict::regressed);
  CHECK(std::abs(health.change->since - (first_day + 98)) <= 1);
  CHECK(health.change->change == Approx(0.10).margin(0.015));
}

TEST_CASE("a regression is told until it is mended or accepted") {
  const NightlySeries lasting = shifted(quiet_series("lasting", 300), 50, 1.2);
  CHECK(check_one(lasting).verdict == Verdict::regressed);
  CHECK(check_one(lasting).change->since == first_day + 50);
  const NightlySeries corrected = shifted(quiet_series("mended", 80), 50, 1.2, 70);
  CHECK(check_one(corrected).verdict == Verdict::steady);
  CheckOptions accepted;
  accepted.accepted = {{"la*g", first_day + 50}};
  const SeriesHealth known = check_one(lasting, accepted);
  CHECK(known.verdict == Verdict::steady);
  CHECK(known.nights == 250);
  accepted.accepted = {{"other*", first_day + 50}};
  CHECK(check_one(lasting, accepted).verdict == Verdict::regressed);
}

TEST_CASE("an improvement is told for a month and is the baseline from then on") {
  const NightlySeries better = shifted(quiet_series("better", 300), 50, 0.8);
  CheckOptions options;
  options.today = first_day + 60;
  CHECK(check_one(better, options).verdict == Verdict::improved);
  options.today = first_day + 100;
  CHECK(check_one(better, options).verdict == Verdict::steady);
  const NightlySeries back = shifted(better, 200, 1.25);
  CHECK(check_one(back).verdict == Verdict::regressed);
  CHECK(check_one(back).change->since == first_day + 200);
}

TEST_CASE("a regression from a new, better level is found, and stays") {
  struct NextStep {
    double better;
    double after;
    std::size_t nights;  ///< at the better level
  };
  // The third returns to the level before.
  for (const NextStep& next_step :
       {NextStep{0.8, 0.92, 12}, NextStep{0.7, 0.98, 12}, NextStep{0.8, 1.0, 20},
        NextStep{0.8, 0.92, 7}, NextStep{0.9, 0.95, 28}, NextStep{0.5, 0.6, 40}}) {
    CAPTURE(next_step.better, next_step.after, next_step.nights);
    const std::size_t worse = 30 + next_step.nights;
    const NightlySeries series = shifted(shifted(quiet_series("b", 160), 30, next_step.better),
                                         worse, next_step.after / next_step.better);
    CheckOptions options;
    for (const std::size_t later : {10U, 30U, 80U}) {
      options.today = first_day + static_cast<std::int64_t>(worse + later);
      const SeriesHealth health = check_one(series, options);
      CHECK(health.verdict == Verdict::regressed);
      CHECK(std::abs(health.change->since - (first_day + static_cast<std::int64_t>(worse))) <= 1);
      CHECK(health.change->change == Approx(next_step.after / next_step.better - 1).margin(0.03));
    }
    NightlySeries rates = series;
    rates.worse = WorseWhen::smaller;
    for (NightlyValue& night : rates.nights) night.value = 1 / night.value;
    CHECK(check_one(rates, options).verdict == Verdict::regressed);
  }
}

TEST_CASE("a second step on top of an open regression is found, dated and sized") {
  for (const std::size_t second : {50U, 60U, 100U}) {
    CAPTURE(second);
    const NightlySeries series = shifted(shifted(quiet_series("b", 140), 30, 1.1), second, 1.19);
    CheckOptions options;
    options.today = first_day + static_cast<std::int64_t>(second) - 1;
    const SeriesHealth before = check_one(series, options);
    CHECK(before.verdict == Verdict::regressed);
    CHECK(before.change->since == first_day + 30);
    CHECK(*before.from_baseline == Approx(0.1).margin(0.02));
    for (const std::size_t later : {8U, 30U}) {
      options.today = first_day + static_cast<std::int64_t>(second + later);
      const SeriesHealth health = check_one(series, options);
      CHECK(health.verdict == Verdict::regressed);
      CHECK(std::abs(health.change->since - (first_day + static_cast<std::int64_t>(second))) <= 1);
      CHECK(health.change->change == Approx(0.19).margin(0.03));
      CHECK(*health.from_baseline == Approx(1.1 * 1.19 - 1).margin(0.03));
    }
  }
  // A return to the baseline ends both steps.
  const NightlySeries corrected =
      shifted(shifted(shifted(quiet_series("b", 140), 30, 1.1), 60, 1.19), 90, 1 / (1.1 * 1.19));
  CHECK(check_one(corrected).verdict == Verdict::steady);
}

TEST_CASE("rounding of printed values is no change") {
  // Prints 0.0444 and 0.0457 as 0.04 and 0.05.
  const auto printed = [](double microseconds) {
    NightlySeries series = quiet_series("printed", 60, 4e-8);
    for (std::size_t i = 0; i < series.nights.size(); ++i) {
      NightlyValue& night = series.nights[i];
      night.value = i < 40 ? 4e-8 : microseconds * 1e-6;
      night.half_digit = 0.5e-8;
      night.interval = Interval{.low = night.value - 0.5e-8, .high = night.value + 0.5e-8};
    }
    return check_one(series);
  };
  CHECK(printed(0.05).verdict == Verdict::steady);
  CHECK(printed(0.03).verdict == Verdict::steady);
  CHECK(printed(0.06).verdict == Verdict::regressed);
  CHECK(printed(0.06).change->interval->low == Approx(0.055 / 0.045 - 1).margin(0.001));
  CHECK(printed(0.06).change->interval->high == Approx(0.065 / 0.035 - 1).margin(0.02));
  CHECK(printed(0.02).verdict == Verdict::improved);
}

TEST_CASE("the night that is judged hides what came later") {
  CheckOptions options;
  options.today = first_day + 49;
  const SeriesHealth health = check_one(shifted(quiet_series("later", 80), 50, 1.2), options);
  CHECK(health.verdict == Verdict::steady);
  CHECK(health.nights == 50);
}

TEST_CASE("nights in maintenance do not count") {
  const NightlySeries worked_on = shifted(quiet_series("worked on", 70), 50, 1.5, 60);
  CheckOptions options;
  options.today = first_day + 59;
  CHECK(check_one(worked_on, options).verdict == Verdict::regressed);
  options.maintenance = {{first_day + 50, first_day + 59}};
  options.stale_after_days = 10;
  const SeriesHealth health = check_one(worked_on, options);
  CHECK(health.verdict == Verdict::steady);
  CHECK(health.nights == 50);
}

TEST_CASE("what cannot be judged is undecided and says why") {
  const SeriesHealth fresh = check_one(quiet_series("fresh", 14));
  CHECK(fresh.verdict == Verdict::undecided);
  CHECK(fresh.why == UndecidedWhy::short_baseline);
  CHECK(fresh.nights == 14);
  CHECK(fresh.nights_needed == 15);
  CHECK_FALSE(fresh.severity != fleet::Severity::none);
  CHECK(check_one(quiet_series("ready", 15)).verdict == Verdict::steady);
  CHECK(check_one(NightlySeries{.name = "none"}).why == UndecidedWhy::no_nights);
  CheckOptions options;
  options.today = first_day + 63;
  CHECK(check_one(quiet_series("old", 60), options).why == UndecidedWhy::stale);
  options.today = first_day + 62;
  CHECK(check_one(quiet_series("old", 60), options).why == UndecidedWhy::absent);
  CHECK(check_one(quiet_series("old", 63), options).verdict == Verdict::steady);
}

TEST_CASE("missing nights are no nights") {
  NightlySeries series = shifted(quiet_series("gaps", 120), 90, 1.1);
  std::erase_if(series.nights, [](const NightlyValue& night) { return night.day % 3 == 0; });
  const SeriesHealth health = check_one(series);
  CHECK(health.verdict == Verdict::regressed);
  CHECK(health.nights == 80);
  CHECK(std::abs(health.change->since - (first_day + 90)) <= 1);
}

TEST_CASE("one night twice as far off as any before is suspect, and no verdict unless asked") {
  for (const std::size_t nights : {10U, 60U}) {
    const NightlySeries series = shifted(quiet_series("shim", nights), nights - 1, 1.10);
    const SeriesHealth health = check_one(series);
    CHECK(health.verdict == (nights < 15 ? Verdict::undecided : Verdict::steady));
    REQUIRE(health.suspect);
    CHECK(health.suspect->day == first_day + static_cast<std::int64_t>(nights) - 1);
    CHECK(health.suspect->change == Approx(0.10).margin(0.011));
    CHECK(health.severity == fleet::Severity::monitor);
    CheckOptions options;
    options.single_night = true;
    const SeriesHealth strict = check_one(series, options);
    CHECK(strict.verdict == Verdict::regressed);
    CHECK(strict.change->since == health.suspect->day);
    CHECK(strict.change->change == health.suspect->change);
  }
}

TEST_CASE("a series with spikes raises its own bar for single nights") {
  NightlySeries spiky = shifted(quiet_series("spiky", 60), 59, 1.3);
  CHECK(check_one(spiky).suspect);
  spiky = shifted(spiky, 40, 1.25, 41);
  CHECK_FALSE(check_one(spiky).suspect);
}

TEST_CASE("a single night must be beyond the floor with its whole interval") {
  NightlySeries series = shifted(quiet_series("unsure", 20), 19, 1.10);
  series.nights.back().interval = Interval{1.05e-6, 1.2e-6, 0.95};
  CHECK(check_one(series).suspect);
  CHECK(check_one(series).suspect->interval->low == Approx(0.05).margin(0.011));
  series.nights.back().interval = Interval{1.01e-6, 1.2e-6, 0.95};
  CHECK_FALSE(check_one(series).suspect);
  CHECK_FALSE(check_one(shifted(quiet_series("few", 6), 5, 2)).suspect);  // five others
}

TEST_CASE("environment changes on the nights of the change are named") {
  NightlySeries series = shifted(quiet_series("mpi", 70), 60, 1.2);
  for (std::size_t i = 0; i < 70; ++i) {
    series.nights[i].environment = i < 20 ? "old kernel" : i < 60 ? "new kernel" : "new MPI";
  }
  const SeriesHealth health = check_one(series);
  REQUIRE(health.environment.size() == 1);
  CHECK(health.environment[0].day == first_day + 60);
  CHECK(health.environment[0].day_before == first_day + 59);
  CHECK(health.environment[0].before == "new kernel");
  CHECK(health.environment[0].after == "new MPI");
  series.nights[60].environment = "";  // unknown is no difference
  CHECK(check_one(series).environment.empty());
}

TEST_CASE("controls that changed on the same nights speak for the node") {
  NightlySeries control = shifted(quiet_series("memcpy", 70), 60, 1.15);
  control.role = SeriesRole::control;
  const NightlySeries subject = shifted(quiet_series("pingpong", 70), 60, 1.2);
  NightlySeries earlier = shifted(quiet_series("bcast", 70), 50, 1.2);
  const auto health = check_series(std::vector<NightlySeries>{control, subject, earlier});
  CHECK(health[0].verdict == Verdict::regressed);
  CHECK(health[0].controls.empty());
  CHECK(health[1].controls == std::vector<std::string>{"memcpy"});
  CHECK(health[2].controls.empty());
}

TEST_CASE("controls of another host do not speak for this one") {
  NightlySeries control = shifted(quiet_series("memcpy", 70), 60, 1.15);
  control.role = SeriesRole::control;
  control.where = "n1";
  NightlySeries subject = shifted(quiet_series("node", 70), 60, 1.3);
  subject.where = "n2";
  auto health = check_series(std::vector<NightlySeries>{control, subject});
  CHECK(health[1].controls.empty());
  CHECK(health[1].severity == fleet::Severity::isolate);  // a host, by more than 20 %
  subject.where = "n1";
  health = check_series(std::vector<NightlySeries>{control, subject});
  CHECK(health[1].controls.size() == 1);
}

TEST_CASE("histories that cannot be are refused") {
  NightlySeries twice = quiet_series("twice", 20);
  twice.nights[5].day = twice.nights[4].day;
  CHECK_THROWS_WITH(check_one(twice), Catch::StartsWith("day 20004 of twice follows day 20004"));
  for (const double value : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    NightlySeries wrong = quiet_series("wrong", 20);
    wrong.nights[7].value = value;
    CHECK_THROWS_AS(check_one(wrong), InputError);
  }
  const NightlySeries same = quiet_series("same", 20);
  CHECK_THROWS_AS(check_series(std::vector<NightlySeries>{same, same}), InputError);
  CheckOptions options;
  options.maintenance = {{5, 4}};
  CHECK_THROWS_AS(check_one(same, options), InputError);
  CHECK(check_series({}).empty());
}

TEST_CASE("a regression stays open until later nights of the series resolve it") {
  const NightlySeries slower = shifted(quiet_series("slower", 60), 45, 1.2);
  CheckOptions options;
  for (const std::int64_t later : {0, 3, 4, 40, 3650}) {
    options.today = first_day + 59 + later;
    const SeriesHealth health = check_one(slower, options);
    CAPTURE(later);
    CHECK(health.verdict == Verdict::regressed);
    CHECK(health.why == UndecidedWhy::none);
    CHECK(health.is_open == (later > 0));
    CHECK(health.last_day == first_day + 59);
    CHECK(health.severity == fleet::Severity::monitor);
  }
  // The level is back.
  options.today = first_day + 79;
  CHECK(check_one(shifted(quiet_series("healed", 80), 45, 1.2, 60), options).verdict ==
        Verdict::steady);
  // A person says that the level is right.
  options.accepted = {{.series = "slower", .day = first_day + 60}};
  CHECK(check_one(slower, options).why == UndecidedWhy::no_nights);
  // What got better, and was not measured lately, is nothing to act on.
  options.today = first_day + 79;
  const SeriesHealth better = check_one(shifted(quiet_series("better", 60), 45, 0.8), options);
  CHECK(better.verdict == Verdict::undecided);
  CHECK(better.why == UndecidedWhy::stale);
}

TEST_CASE("a night that is a verdict by itself stays one until the series has another") {
  const NightlySeries series = shifted(quiet_series("one night", 60), 59, 1.5);
  CheckOptions options;
  options.single_night = true;
  for (const std::int64_t later : {0, 1, 30}) {
    options.today = first_day + 59 + later;
    CHECK(check_one(series, options).verdict == Verdict::regressed);
  }
  options.today = first_day + 60;
  CHECK(check_one(shifted(quiet_series("healed", 61), 59, 1.5, 60), options).verdict ==
        Verdict::steady);
}

TEST_CASE("the energy split of two levels lies between them") {
  const std::vector<double> values{0, 0, 0, 1, 1};
  const auto split = energy_split(values);
  REQUIRE(split);
  CHECK(split->first_after == 3);
  CHECK(split->statistic == Approx(3.0 * 2 / 5 * 2));  // E|X-Y| = 1, both sides constant
}

TEST_CASE("the energy statistic is that of its definition") {
  const std::vector<double> values{0.3, 1.1, 0.2, 2.0, 1.7, 2.4};
  const auto split = energy_split(values, {.earliest = 3, .latest = 3});
  REQUIRE(split);
  const double between = ((2.0 - 0.3) + (1.7 - 0.3) + (2.4 - 0.3) + (2.0 - 1.1) + (1.7 - 1.1) +
                          (2.4 - 1.1) + (2.0 - 0.2) + (1.7 - 0.2) + (2.4 - 0.2)) /
                         9;
  const double left = (0.8 + 0.1 + 0.9) / 3;
  const double right = (0.3 + 0.4 + 0.7) / 3;
  CHECK(split->statistic == Approx(9.0 / 6 * (2 * between - left - right)));
}

TEST_CASE("a split stays within its range") {
  const std::vector<double> values{0, 0, 0, 0, 0, 0, 1, 1, 1};
  CHECK(energy_split(values)->first_after == 6);
  CHECK(energy_split(values, {.latest = 5})->first_after == 5);
  CHECK(energy_split(values, {.earliest = 7})->first_after == 7);
  CHECK_FALSE(energy_split(values, {.earliest = 8}));
  CHECK_FALSE(energy_split(values, {.latest = 1}));
  CHECK_FALSE(energy_split(std::vector<double>{1, 2, 3}));
}

TEST_CASE("a clear step is dated to the night and sized exactly") {
  std::vector<double> values(40, std::log(2.0));
  for (std::size_t i = 33; i < values.size(); ++i) values[i] = std::log(3.0);
  const auto change = date_change(values, {.latest = 36});
  REQUIRE(change);
  CHECK(change->first == 33);
  CHECK(change->earliest == 33);
  CHECK(change->latest == 33);
  CHECK(change->change == Approx(0.5));
  CHECK(change->interval.low == Approx(0.5));
  CHECK(change->interval.high == Approx(0.5));
}

TEST_CASE("too few nights have no date") {
  CHECK_FALSE(date_change(std::vector<double>(6, 1.0), {.latest = 5}));
  CHECK_FALSE(date_change(std::vector<double>(60, 1.0), {.latest = 4}));
  CHECK_FALSE(date_change({}, {.latest = 0}));
}

namespace {

struct DatingStudy {
  verdicts::Rate size;  ///< intervals that hold the true change
  verdicts::Rate day;   ///< intervals that hold the true night
  verdicts::Rate near;  ///< dated to the night or one beside it
};

DatingStudy study(double rho, std::size_t after, int trials) {
  constexpr std::size_t before = 90;
  constexpr double truth = 0.10;
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  DatingStudy study;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(before + after);
    double state = normal(random);
    for (std::size_t i = 0; i < values.size(); ++i) {
      state = rho * state + std::sqrt(1 - rho * rho) * normal(random);
      values[i] = 0.02 * state + (i < before ? 0 : std::log1p(truth));
    }
    const auto change = date_change(values, {.latest = before + 3, .seed = 5}).value();
    study.size.hits += change.interval.low <= truth && truth <= change.interval.high;
    study.day.hits += change.earliest <= before && before <= change.latest;
    study.near.hits += change.first + 1 >= before && change.first <= before + 1;
    study.size.trials = study.day.trials = study.near.trials = trial + 1;
  }
  return study;
}

}  // namespace

TEST_CASE("intervals hold the true size and night as often as they say") {
  for (const std::size_t after : {5U, 20U}) {
    const DatingStudy found = study(0, after, 300);
    INFO(after << " nights after: size " << *found.size.share() << " day " << *found.day.share());
    CHECK(found.size.interval()->high >= 0.92);
    CHECK(found.day.interval()->high >= 0.95);
    CHECK(*found.near.share() >= 0.95);
  }
  const DatingStudy correlated = study(0.5, 20, 300);
  INFO("correlated: size " << *correlated.size.share() << " day " << *correlated.day.share());
  CHECK(*correlated.size.share() >= 0.80);
  CHECK(*correlated.near.share() >= 0.90);
}

}  // namespace hockney::health
