#include <catch2/catch.hpp>
#include <cmath>

#include "report/page/plot.hpp"
#include "report/page/records_page.hpp"
#include "report/table.hpp"
#include "tests/report/page/picture_of.hpp"
#include "tests/support/page_records.hpp"

namespace hockney::report {
namespace {

using Axes = std::map<std::string, std::string>;

/// How many times 1 us + size / 1 GB/s a place on the axes takes.
using Factor = double (*)(const Axes& axes, std::int64_t bytes);

/// Eight launches of an allreduce at each place, each a thousandth slower than the one before.
void add_place(std::vector<Record>& records, const Axes& axes, int ranks, Factor factor) {
  for (int launch = 0; launch < 8; ++launch) {
    Record record = launch_of(join_assignments(axes));
    record.campaign->launch = launch;
    record.campaign->axes = axes;
    for (const std::int64_t bytes : {8, 1024, 65536}) {
      Point point = simple_point("allreduce", bytes);
      point.ranks = ranks;
      const double seconds = 1e-6 + 1e-9 * static_cast<double>(bytes);
      add_measured(record, point, factor(axes, bytes) * seconds * (1 + 0.001 * launch));
    }
    records.push_back(std::move(record));
  }
}

/// Ring takes half the time from 8 ranks on at 64 KiB.
double of_ranks(const Axes& axes, std::int64_t bytes) {
  const bool gains = axes.at("ranks") != "4" && bytes == 65536;
  return axes.at("algorithm") == "ring" && gains ? 0.5 : 1;
}

std::vector<Record> sweep_of_ranks() {
  std::vector<Record> records;
  for (const int ranks : {16, 4, 8}) {
    for (const std::string algorithm : {"default", "ring"}) {
      add_place(records, {{"ranks", std::to_string(ranks)}, {"algorithm", algorithm}}, ranks,
                of_ranks);
    }
  }
  return records;
}

double of_segment(const Axes& axes, std::int64_t /*bytes*/) {
  return axes.at("segment") == "8192" ? 2 : 1;
}

std::vector<Record> sweep_of_many(int algorithms) {
  std::vector<Record> records;
  for (int i = 0; i < algorithms; ++i) {
    const std::string algorithm = i == 0 ? "default" : "a" + std::to_string(i);
    for (const std::string segment : {"default", "8192"}) {
      add_place(records, {{"algorithm", algorithm}, {"segment", segment}}, 4, of_segment);
    }
  }
  return records;
}

/// The fits of two algorithms whose time is log2 p (2 us + factor ns for each byte), but a tenth
/// more on 8 ranks.
collectives::Fits fits_of(const std::vector<int>& ranks) {
  std::vector<collectives::Curve> curves;
  for (const std::string algorithm : {"recursive_doubling", "ring"}) {
    collectives::Curve curve{.operation = "allreduce", .algorithm = algorithm, .proven = true};
    for (const int count : ranks) {
      for (const std::int64_t bytes : {64, 4096, 65536}) {
        curve.works.push_back({.ranks = count, .bytes = {bytes}});
        const double factor = algorithm == "ring" ? 2e-9 : 1e-9;
        const double more = count == 8 ? 1.1 : 1;
        const double seconds =
            more * std::log2(count) * (2e-6 + factor * static_cast<double>(bytes));
        curve.medians_seconds.push_back(std::vector<double>(7, seconds));
      }
    }
    curves.push_back(std::move(curve));
  }
  return fit_collectives(curves);
}

}  // namespace

TEST_CASE("the best algorithm is told by ranks and size, each number of ranks with its own base") {
  const Page page = page_of_one(sweep_of_ranks());
  const Picture& best = picture(page, "best");
  CHECK(best.title ==
        "Another setting than default is best in 2 of 9 cases, saving up to 50 % of the time");
  const nlohmann::json rows = rows_of(best);
  CHECK(names_in(rows, "curve") ==
        std::vector<std::string>{"allreduce ranks=4", "allreduce ranks=8", "allreduce ranks=16"});
  CHECK(texts_in(rows, "best") == std::vector<std::string>{"default", "default", "default",
                                                           "default", "default", "ring", "default",
                                                           "default", "ring"});
  CHECK(rows[5].at("ratio").get<double>() == Approx(0.5));
}

TEST_CASE("each axis of a sweep has its values beside its base") {
  const Page page = page_of_one(sweep_of_many(3));
  const Picture& segment = picture(page, "axis-segment");
  CHECK(segment.title ==
        "By segment: 8192 takes 2.00 times as long as default (median over all points)");
  const nlohmann::json rows = rows_of(segment);
  REQUIRE(rows.size() == 9);  // three algorithms at three sizes
  for (const auto& row : rows) {
    CHECK(row.at("value") == "8192");
    CHECK(row.at("ratio").get<double>() == Approx(2));
  }
  CHECK(rows[0].at("point") == "allreduce ranks=4, at algorithm=a1, 8");
  CHECK(rows_of(picture(page, "axis-algorithm")).size() == 12);
  CHECK(segment.command == "hockney report results/x --by segment");
}

TEST_CASE("a sweep of more points than can be drawn is put together by value, and it is said") {
  const Page page = page_of_one(sweep_of_many(340));
  const Picture& segment = picture(page, "axis-segment");
  REQUIRE(segment.table.rows.size() == 1);
  CHECK(rows_of(segment)[0].at("ratio").get<double>() == Approx(2));
  CHECK_THAT(segment.caption, Catch::Contains("1020 points are put together by value and curve"));
}

TEST_CASE("a sweep that is put together keeps curves of other memory and cache apart") {
  std::vector<Record> records = sweep_of_many(340);
  for (Record& record : records) {
    Point point = simple_point("allreduce", 8);
    point.ranks = 4;
    point.parameters = {{"memory", "cuda"}, {"cache", "cold"}};
    const double factor = record.campaign->axes.at("segment") == "8192" ? 3 : 1;
    add_measured(record, point, factor * 1e-6);
  }
  const nlohmann::json rows = rows_of(picture(page_of_one(records), "axis-segment"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].at("point") == "allreduce ranks=4, all its points");
  CHECK(rows[0].at("ratio").get<double>() == Approx(2));
  CHECK(rows[1].at("point") == "allreduce ranks=4 cache=cold memory=cuda, all its points");
  CHECK(rows[1].at("ratio").get<double>() == Approx(3));
}

TEST_CASE("times of several campaigns are not laid on one axis") {
  std::vector<Record> records = sweep_of_many(2);
  records.back().campaign->name = "another";
  for (const Picture& each : page_of_one(records).pictures) {
    CHECK_FALSE(each.id.starts_with("axis-"));
  }
}

TEST_CASE("of more settings than can be told apart the default and the best have curves") {
  const Page page = page_of_one(sweep_of_many(6));
  const Picture& time = picture(page, "time-allreduce");
  CHECK_THAT(time.title, Catch::StartsWith("allreduce ranks=4 by setting: from "));
  CHECK_THAT(time.caption, Catch::Contains("Drawn are 8 of 12 settings: default, "));
  CHECK(time.table.rows.size() == 8 * 3);
  const std::vector<std::string> curves = names_in(rows_of(time), "curve");
  REQUIRE(curves.size() == 8);
  CHECK(curves.front() == "default");
  CHECK(std::ranges::count(curves, "a3") == 1);
}

TEST_CASE("models of collectives are drawn over ranks, with their error at ranks left out") {
  const collectives::Fits fits = fits_of({4, 8, 16, 32});
  const Page page = page_of_one(ping_pongs(6), fits);
  const Picture& ranks = picture(page, "ranks-allreduce");
  CHECK(ranks.title ==
        "allreduce of 64K on 32 ranks: allreduce recursive_doubling is fastest, 338 us");
  const nlohmann::json points = rows_of(ranks);
  REQUIRE(points.size() == 8);
  CHECK(points[3].at("ranks") == 32);
  CHECK(points[3].at("median_seconds").get<double>() == Approx(5 * (2e-6 + 65536e-9)));
  CHECK(points[3].at("model_seconds").get<double>() ==
        fits.fits[0].model.at({.ranks = 32, .bytes = {65536}}));
  const Picture& errors = picture(page, "collective-models");
  const nlohmann::json rows = rows_of(errors);
  REQUIRE(rows.size() == 2);
  for (const auto& row : rows) {
    const bool is_ring = row.at("curve") == "allreduce ring";
    const collectives::FormErrors& expected = fits.fits[is_ring ? 1 : 0].model.errors;
    CHECK(expected.held_out.value() > 0);
    CHECK(row.at("held_out_percent").get<double>() == 100 * expected.held_out.value());
    CHECK(row.at("mape_percent").get<double>() == 100 * expected.mape);
  }
}

TEST_CASE("of two numbers of ranks the larger one is predicted from the smaller one") {
  const collectives::Fits fits = fits_of({4, 8});
  const Page page = page_of_one(ping_pongs(6), fits);
  CHECK(picture(page, "ranks-allreduce").table.rows.size() == 4);
  CHECK(fits.fits[0].model.errors.held_out);
  CHECK(picture(page, "collective-models").table.rows.size() == 2);
}

}  // namespace hockney::report
