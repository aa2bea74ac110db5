#include "tests/models/collectives/prediction_truth.hpp"

#include <catch2/catch.hpp>
#include <cstdio>

#include "tests/support/launches.hpp"

namespace hockney::collectives {
namespace {

Truth truth(const std::string& name) {
  for (const Truth& known : truths()) {
    if (known.name == name) return known;
  }
  throw std::out_of_range(name);
}

/// Without noise.
Sweep exact() { return {.launch_noise = 0, .cell_noise = 0}; }

Fit fitted(const std::string& name, const Sweep& sweep) {
  return fit_collectives({measured_curve(truth(name), sweep, 1)}).fits.at(0);
}

/// |T - t|/t at twice the ranks.
double error_at(const Fit& fit, const std::string& name, std::int64_t bytes) {
  const schedules::Workload work{.ranks = 16, .bytes = {bytes}, .element_bytes = 8};
  return std::abs(predict(fit, work)->seconds / true_seconds(truth(name), work, 1) - 1);
}

}  // namespace

TEST_CASE("alpha and beta stay the model where messages take alpha and beta") {
  const Fit fit = fitted("straight ring", exact());
  CHECK(fit.model.name() == "closed");
  CHECK(fit.model.segments.front().parameters[0] == Approx(0.8e-6));
  CHECK(off_works(fit).empty());
}

TEST_CASE("messages that are no line are predicted at twice the ranks") {
  const Fit fit = fitted("bent recursive_doubling", exact());
  CHECK(fit.model.name() == "closed x curve");
  for (const std::int64_t bytes : {8, 1024, 8192, 65536, 262144}) {
    CHECK(error_at(fit, "bent recursive_doubling", bytes) < 1e-9);
  }
  // Messages of the ring are a sixteenth of the vector, and lie between measured sizes.
  const Fit ring = fitted("bent ring", exact());
  for (const std::int64_t bytes : {8, 1024, 8192, 65536, 262144}) {
    CHECK(error_at(ring, "bent ring", bytes) < 0.08);
  }
}

TEST_CASE("the segments alone stay the summary, and their error is told") {
  const Fit fit = fitted("bent recursive_doubling", exact());
  CHECK(fit.model.segments.size() == 1);
  CHECK(fit.unbent_mape > 0.1);
  CHECK(fit.model.errors.mape < 1e-9);
}

TEST_CASE("what ranks share grows on with the ranks") {
  const Fit fit = fitted("shared memory recursive_doubling", exact());
  CHECK(fit.model.name() == "closed x curve(p)");
  for (const std::int64_t bytes : {1024, 65536, 262144}) {
    CHECK(error_at(fit, "shared memory recursive_doubling", bytes) < 0.005);
  }
}

TEST_CASE("works for which another algorithm runs are fitted and predicted as that one") {
  // One element is not divided: recursive doubling runs in place of the ring.
  for (const std::string name : {"straight ring", "bent ring"}) {
    const Fit fit = fitted(name, exact());
    CHECK(error_at(fit, name, 8) < 1e-6);
  }
  // 64 B are eight elements: a ring of eight ranks, but none of sixteen.
  Sweep sweep = exact();
  sweep.sizes = {8, 64, 1024, 8192, 65536};
  CHECK(error_at(fitted("straight ring", sweep), "straight ring", 64) < 1e-6);
}

TEST_CASE("a library that runs the ring even for one element is found out by its times") {
  Curve curve = measured_curve(truth("straight ring"), exact(), 1);
  for (std::size_t i = 0; i < curve.works.size(); ++i) {
    if (curve.works[i].bytes != Bytes{8}) continue;
    const double ranks = curve.works[i].ranks;
    curve.medians_seconds[i].assign(6, 2 * (ranks - 1) * straight(ranks, 8 / ranks));
  }
  const Fit fit = fit_collectives({curve}).fits.at(0);
  CHECK(fit.model.name() == "closed, never replaced");
  CHECK(predict(fit, {.ranks = 16, .bytes = {8}})->seconds == Approx(30 * straight(16, 0.5)));
}

TEST_CASE("works for which an unknown algorithm runs are left out, and that is said") {
  Curve curve = measured_curve({"scatter", "bcast", "scatter_allgather", straight},
                               {.ranks = {4, 8, 16},
                                .sizes = {1024, 8192, 65536, 262144},
                                .launch_noise = 0,
                                .cell_noise = 0},
                               1);
  curve.works.insert(curve.works.begin(), {.ranks = 4, .bytes = {16}, .element_bytes = 8});
  curve.medians_seconds.insert(curve.medians_seconds.begin(), std::vector<double>(6, 1.0));
  const Fits fits = fit_collectives({curve});
  REQUIRE(fits.fits.size() == 1);
  REQUIRE(fits.fits.front().replaced.size() == 1);
  CHECK(fits.fits.front().replaced.front().bytes == Bytes{16});
  CHECK(fits.fits.front().model.errors.mape < 1e-6);
}

TEST_CASE("launches whose ranks share CPUs do not count where others do") {
  std::vector<Record> records;
  for (const auto& [ranks, seconds] : {std::pair{2, 1e-6}, std::pair{4, 900e-6}}) {
    for (int launch = 0; launch < 6; ++launch) {
      Record record;
      record.provenance.mpi.library = "Example MPI";
      if (ranks == 4) record.flags.emplace_back(oversubscribed_flag);
      for (const std::int64_t bytes : {8, 1024, 8192, 65536}) {
        Point point{.operation = "allreduce", .bytes = {bytes}, .ranks = ranks};
        point.algorithm = "recursive_doubling";
        add_measured(record, point, seconds * (1 + static_cast<double>(bytes) / 1000));
      }
      records.push_back(record);
    }
  }
  const Fits fits = fit_collectives(collect_collectives(records));
  REQUIRE(fits.fits.size() == 1);
  CHECK(fits.fits.front().curve.ranks() == std::vector{2});
  CHECK(fits.fits.front().curve.oversubscribed_ranks == std::vector{4});
  const PredictedTime found = predict(fits, nullptr, {"allreduce", "recursive_doubling", ""},
                                      {.ranks = 8, .bytes = {1024}});
  CHECK(found.oversubscribed_ranks == std::vector{4});
  CHECK(found.prediction.seconds == Approx(3 * 2.024e-6).epsilon(0.01));
  // Where there are no others, they do.
  const std::vector<Record> shared(records.begin() + 6, records.end());
  CHECK(collect_collectives(shared).front().ranks() == std::vector{4});
  CHECK(collect_collectives(shared).front().shares_cpus);
  CHECK_FALSE(collect_collectives(records).front().shares_cpus);
}

TEST_CASE("a model that is half off at the largest number of ranks predicts none") {
  PredictedTime predicted{.work = {.ranks = 4, .bytes = {8}}};
  predicted.prediction.held_out = 0.1;
  predicted.model_held_out = 0.5;
  CHECK_FALSE(objection_to(predicted));
  predicted.model_held_out = 0.82;
  REQUIRE(objection_to(predicted));
  CHECK(objection_to(predicted)->why ==
        "the model is 82 % off on ranks it has not seen, 50 % is the most");
}

TEST_CASE("the error and the interval of a prediction are those of as large a step in ranks") {
  const Fit fit = fitted("rough recursive_doubling", {.ranks = {2, 4, 8, 16}});
  const auto at = [&](int ranks) {
    return *predict(fit, {.ranks = ranks, .bytes = {1024}, .element_bytes = 8});
  };
  const auto width = [&](int ranks) { return at(ranks).interval->high / at(ranks).interval->low; };
  CHECK(width(32) < width(256));
  CHECK(at(32).held_out < at(256).held_out);
  // Three doublings are the largest step held out; further ones are farther off in proportion.
  CHECK(*at(256).held_out == Approx(*at(128).held_out * 4 / 3));
}

TEST_CASE("intervals of predictions hold what is measured") {
  PredictionQuality all;
  for (const Truth& each : truths()) {
    const PredictionQuality quality = study(each, {}, 6);
    all.predictions += quality.predictions;
    all.covered += quality.covered;
    CHECK(quality.error < 0.25);
  }
  CHECK(all.covered >= 0.90 * all.predictions);
  CHECK(all.covered <= 0.99 * all.predictions);
}

namespace {

void print(const std::string& name, const PredictionQuality& quality) {
  std::printf("%-36s error %5.1f %%, covered %5.1f %%, width %.2f\n", name.c_str(),
              100 * quality.error, 100.0 * quality.covered / quality.predictions, quality.width);
}

void study_all(const std::string& title, const Sweep& sweep, int trials) {
  std::printf("%s\n", title.c_str());
  PredictionQuality all;
  double widths = 0;
  for (const Truth& each : truths()) {
    const PredictionQuality quality = study(each, sweep, trials);
    print(each.name, quality);
    all.predictions += quality.predictions;
    all.covered += quality.covered;
    all.error += quality.error / static_cast<double>(truths().size());
    widths += std::log(quality.width) / static_cast<double>(truths().size());
  }
  all.width = std::exp(widths);
  print("all", all);
}

}  // namespace

TEST_CASE("predictions of larger numbers of ranks, by kind of truth", "[.][study]") {
  study_all("2, 4, 8 ranks, 5 sizes; asked for 16", {}, 100);
  study_all("4, 8, 16, 32 ranks, 8 sizes; asked for 64",
            {.ranks = {4, 8, 16, 32},
             .sizes = {8, 64, 512, 4096, 16384, 65536, 262144, 1048576},
             .requested = 64},
            50);
  study_all("4, 8, 16, 32, 64 ranks, 5 sizes; asked for 256",
            {.ranks = {4, 8, 16, 32, 64}, .requested = 256}, 50);
}

}  // namespace hockney::collectives
