#include <catch2/catch.hpp>
#include <cmath>

#include "models/collectives/collective_fit.hpp"

namespace hockney::collectives {
namespace {

using TrueTime = double (*)(double ranks, double bytes);

/// Launches of 4 to 64 ranks; launch i takes 1 + i/1000 as long as the truth.
Curve curve_of(const std::string& operation, std::optional<std::string> algorithm, TrueTime time,
               int launches = 7) {
  Curve curve{.operation = operation,
              .algorithm = std::move(algorithm),
              .proven = true,
              .setting = "",
              .mpi_library = "known",
              .works = {},
              .medians_seconds = {}};
  for (const int ranks : {4, 8, 16, 32, 64}) {
    for (const std::int64_t bytes : {64, 512, 4096, 32768, 262144, 1048576}) {
      curve.works.push_back({.ranks = ranks, .bytes = {bytes}});
      auto& row = curve.medians_seconds.emplace_back();
      for (int launch = 0; launch < launches; ++launch) {
        const double factor = 1 + 0.001 * (launch - (launches - 1) / 2);
        row.push_back(factor * time(ranks, static_cast<double>(bytes)));
      }
    }
  }
  return curve;
}

double doubling(double ranks, double bytes) { return std::log2(ranks) * (2e-6 + 1e-9 * bytes); }

double bent_by_protocol(double ranks, double bytes) {
  return std::log2(ranks) * (bytes <= 4096 ? 2e-6 + 1e-9 * bytes : 9e-6 + 0.2e-9 * bytes);
}

double like_nothing(double ranks, double bytes) { return 1e-6 * ranks + 1e-9 * bytes; }

}  // namespace

TEST_CASE("alpha and beta of an algorithm are found, with intervals over launches") {
  const auto fits = fit_collectives({curve_of("allreduce", "recursive_doubling", doubling)}).fits;
  REQUIRE(fits.size() == 1);
  const FormFit& model = fits.front().model;
  CHECK(model.form.name == "closed");
  REQUIRE(model.segments.size() == 1);
  const FormSegment& segment = model.segments.front();
  CHECK(segment.parameters[0] == Approx(2e-6));
  CHECK(segment.parameters[1] == Approx(1e-9));
  // Combining and sending grow alike, so that their costs cannot be told apart.
  CHECK(segment.inseparable == std::vector<std::size_t>{2});
  REQUIRE(segment.intervals[0]);
  CHECK(segment.intervals[0]->low == Approx(2e-6 * 0.997));
  CHECK(segment.intervals[0]->high == Approx(2e-6 * 1.003));
  CHECK(model.errors.mape < 1e-9);
  REQUIRE(model.errors.held_out);
  CHECK(*model.errors.held_out < 1e-9);
}

TEST_CASE("a change of protocol divides the sizes") {
  const auto fits =
      fit_collectives({curve_of("allreduce", "recursive_doubling", bent_by_protocol)}).fits;
  REQUIRE(fits.size() == 1);
  const auto& segments = fits.front().model.segments;
  REQUIRE(segments.size() == 2);
  CHECK(segments[0].to == Bytes{4096});
  CHECK(segments[1].from == Bytes{32768});
  CHECK(segments[1].parameters[0] == Approx(9e-6));
  CHECK(segments[1].parameters[1] == Approx(0.2e-9));
}

TEST_CASE("the form that predicts unseen numbers of ranks best is chosen") {
  const auto fits = fit_collectives({curve_of("allreduce", "recursive_doubling", like_nothing)});
  REQUIRE(fits.fits.size() == 1);
  CHECK(fits.fits.front().model.form.name == "linear");
  CHECK(fits.fits.front().candidates.size() == 5);
}

TEST_CASE("without an algorithm the black box remains") {
  const auto fits = fit_collectives({curve_of("allreduce", std::nullopt, doubling)}).fits;
  REQUIRE(fits.size() == 1);
  CHECK(fits.front().model.form.name == "log2");
  CHECK(*fits.front().model.errors.held_out < 1e-9);
}

TEST_CASE("a prediction says how far it is from what was measured") {
  const auto fits = fit_collectives({curve_of("allreduce", "recursive_doubling", doubling)}).fits;
  const auto inside = predict(fits.front(), {.ranks = 16, .bytes = {1000}});
  REQUIRE(inside);
  CHECK(inside->seconds == Approx(doubling(16, 1000)));
  CHECK_FALSE(inside->extrapolated.in_ranks);
  CHECK_FALSE(inside->extrapolated.in_bytes);
  REQUIRE(inside->interval);
  CHECK(inside->interval->low == Approx(0.997 * inside->seconds));
  const auto outside = predict(fits.front(), {.ranks = 256, .bytes = {1 << 24}});
  REQUIRE(outside);
  CHECK(outside->seconds == Approx(doubling(256, 1 << 24)));
  CHECK(outside->extrapolated.in_ranks);
  CHECK(outside->extrapolated.in_bytes);
}

TEST_CASE("fewer than six launches give no interval") {
  const auto fits =
      fit_collectives({curve_of("allreduce", "recursive_doubling", doubling, 5)}).fits;
  CHECK_FALSE(fits.front().model.segments.front().intervals[0]);
  CHECK_FALSE(predict(fits.front(), {.ranks = 16, .bytes = {1000}})->interval);
}

TEST_CASE("gammas are measured by the linear bcast, and used where they are known") {
  auto linear = curve_of("bcast", "basic_linear", [](double ranks, double bytes) {
    return 1e-6 + (ranks - 1) * 1e-9 * bytes;
  });
  linear.works.push_back({.ranks = 2, .bytes = {4096}});
  linear.medians_seconds.push_back({1e-6 + 4096e-9});
  const GammaTable table = measure_gammas(std::vector{linear}, "known");
  CHECK(table.at(4, 4096).value_or(0) == Approx((1e-6 + 3 * 4096e-9) / (1e-6 + 4096e-9)));
  CHECK(table.at(2, 1) == 1.0);
  CHECK_FALSE(table.at(5, 4096));
}

}  // namespace hockney::collectives
