#include <catch2/catch.hpp>
#include <cmath>

#include "models/curves.hpp"
#include "tests/models/curve_fixture.hpp"
#include "tests/support/each_node_records.hpp"
#include "tests/support/timed_launches.hpp"

namespace hockney::models {
namespace {

/// A record under construction.
class Launch {
 public:
  Launch& series(std::int64_t bytes, std::vector<double> samples, std::vector<int> pair = {0, 1},
                 std::optional<std::string> hop = "l3") {
    Series added{.point = {.operation = "pingpong", .bytes = {bytes}, .ranks = 2},
                 .samples_seconds = std::move(samples)};
    added.point.hop = std::move(hop);
    added.point.pair = std::move(pair);
    record_.series.push_back(std::move(added));
    return *this;
  }
  Launch& path(const std::string& path) {
    record_.series.back().point.path = path;
    return *this;
  }
  Launch& status(LaunchStatus status) {
    record_.status = status;
    return *this;
  }
  Launch& setting(const std::string& setting) {
    record_.campaign = CampaignPlace{.name = "night", .setting = setting};
    return *this;
  }
  Launch& library(const std::string& library) {
    record_.provenance.mpi.library = library;
    return *this;
  }
  operator Record() const { return record_; }  // NOLINT(google-explicit-constructor)

 private:
  Record record_;
};

using Row = std::vector<std::optional<double>>;

}  // namespace

TEST_CASE("a curve has a row per launch and a column per size") {
  const std::vector<Record> records{Launch().series(8, {3, 1, 2}).series(4, {5}),
                                    Launch().series(4, {7}).series(16, {9, 9})};
  const Curves found = collect_curves(records);
  REQUIRE(found.curves.size() == 1);
  const Curve& curve = found.curves.front();
  CHECK(curve.sizes == std::vector<Bytes>{{4}, {8}, {16}});
  CHECK(curve.medians_seconds == std::vector<Row>{{5.0, 2.0, {}}, {7.0, {}, 9.0}});
  CHECK(curve.missing_cells() == 2);
  CHECK(curve.point.bytes == Bytes{0});
  CHECK(curve.point.pair == std::vector<int>{0, 1});
  CHECK(found.records_used == 2);
}

TEST_CASE("a curve goes on where the path changes, and has the path that all its sizes have") {
  const std::vector<Record> two{Launch().series(8, {1}).path("shm").series(16, {2}).path("cma")};
  REQUIRE(collect_curves(two).curves.size() == 1);
  CHECK(collect_curves(two).curves.front().sizes.size() == 2);
  CHECK_FALSE(collect_curves(two).curves.front().point.path);
  const std::vector<Record> one{Launch().series(8, {1}).path("shm").series(16, {2}).path("shm")};
  CHECK(collect_curves(one).curves.front().point.path == "shm");
}

TEST_CASE("size zero is a size") {
  const std::vector<Record> records{Launch().series(0, {1}).series(1, {2})};
  CHECK(collect_curves(records).curves.front().sizes == std::vector<Bytes>{{0}, {1}});
}

TEST_CASE("only complete launches count, and the others are counted") {
  const std::vector<Record> records{Launch().series(8, {1}),
                                    Launch().series(8, {2}).status(LaunchStatus::interrupted),
                                    Launch().series(8, {3}).status(LaunchStatus::failed)};
  const Curves found = collect_curves(records);
  CHECK(found.curves.front().medians_seconds == std::vector<Row>{{1.0}});
  CHECK(found.records_used == 1);
  CHECK(found.records_left_out == 2);
}

TEST_CASE("series without samples or without time are skipped and counted") {
  const std::vector<Record> records{Launch().series(8, {}).series(16, {0, 0, 0}).series(32, {1})};
  const Curves found = collect_curves(records);
  CHECK(found.curves.front().sizes == std::vector<Bytes>{{32}});
  CHECK(found.series_without_time == 2);
  CHECK(collect_curves(std::vector<Record>{}).curves.empty());
}

TEST_CASE("by hop a launch's cell is the median over pairs") {
  const std::vector<Record> records{
      Launch().series(8, {1}, {0, 1}).series(8, {2}, {0, 2}).series(8, {9}, {0, 3})};
  const Curves pooled = collect_curves(records, GroupBy::hop);
  REQUIRE(pooled.curves.size() == 1);
  CHECK(pooled.curves.front().medians_seconds == std::vector<Row>{{2.0}});
  CHECK(pooled.curves.front().pairs == 3);
  CHECK(pooled.curves.front().point.pair.empty());

  const Curves apart = collect_curves(records, GroupBy::pair);
  REQUIRE(apart.curves.size() == 3);
  CHECK(apart.curves[2].point.pair == std::vector<int>{0, 3});
  CHECK(apart.curves[2].medians_seconds == std::vector<Row>{{9.0}});
}

TEST_CASE("pairs of unknown hop are not pooled") {
  const std::vector<Record> records{
      Launch().series(8, {1}, {0, 1}, std::nullopt).series(8, {2}, {0, 2}, std::nullopt)};
  CHECK(collect_curves(records, GroupBy::hop).curves.size() == 2);
}

TEST_CASE("settings, libraries and hops are curves of their own") {
  const std::vector<Record> records{
      Launch().series(8, {1}).setting("eager 4K"), Launch().series(8, {2}).setting("eager 8K"),
      Launch().series(8, {3}).library("Open MPI 5"), Launch().series(8, {4}, {0, 1}, "numa")};
  const Curves found = collect_curves(records);
  REQUIRE(found.curves.size() == 4);
  CHECK(found.curves[0].setting == "eager 4K");
  CHECK(found.curves[2].mpi_library == "Open MPI 5");
}

TEST_CASE("hot caches are one curve with records that do not name a cache state") {
  const auto with_cache = [](const std::string& cache) {
    Record record = Launch().series(8, {1});
    record.series[0].point.parameters["cache"] = cache;
    return record;
  };
  const std::vector<Record> records{Launch().series(8, {1}), with_cache("hot"), with_cache("cold")};
  const Curves found = collect_curves(records);
  REQUIRE(found.curves.size() == 2);
  CHECK(found.curves[0].medians_seconds.size() == 2);
  CHECK(found.curves[1].point.parameters.at("cache") == "cold");
}

TEST_CASE("repetitions of a point in one launch make one cell") {
  const std::vector<Record> records{Launch().series(8, {1}).series(8, {3})};
  const Curve curve = collect_curves(records, GroupBy::pair).curves.front();
  CHECK(curve.medians_seconds == std::vector<Row>{{2.0}});
  CHECK(curve.pairs == 1);
}

TEST_CASE("points timed as another suite would are curves of their own") {
  const auto found = collect_curves(timed_launches(2));
  REQUIRE(found.curves.size() == 3);
  CHECK(found.curves[0].medians_seconds == std::vector<Row>{{1e-6}, {2e-6}});
  CHECK(found.curves[1].point.parameters.at("timing") == "osu");
  CHECK(found.curves[1].medians_seconds == std::vector<Row>{{0.5e-6}, {1e-6}});
}

namespace {

std::vector<TimedSize> points(const std::vector<double>& sizes, const std::vector<double>& times) {
  std::vector<TimedSize> made;
  for (std::size_t i = 0; i < sizes.size(); ++i) made.push_back({sizes[i], times[i], times[i]});
  return made;
}

double cost_of(const Line& line, const std::vector<TimedSize>& observed) {
  double sum = 0;
  for (const TimedSize& point : observed) {
    sum += std::pow((line.at(point.bytes) - point.seconds) / point.scale_seconds, 2);
  }
  return sum;
}

}  // namespace

TEST_CASE("a line through exact points is found") {
  const std::vector<double> sizes{0, 1, 1024, 65536, 4194304};
  std::vector<double> times;
  for (const double n : sizes) times.push_back(1e-6 + 1e-10 * n);
  const Line line = fit_line(points(sizes, times)).value();
  CHECK(line.alpha_seconds == Approx(1e-6).epsilon(1e-12));
  CHECK(line.beta_seconds_per_byte == Approx(1e-10).epsilon(1e-12));
  CHECK(line.at(10000) == Approx(2e-6).epsilon(1e-12));
}

TEST_CASE("the fit minimises relative, not absolute, error") {
  // Weights 1/t^2 of times 1, 2, 4 at 0, 1, 2: sums w = 1.3125, wn = 0.375, wnn = 0.5, wt = 1.75,
  // wnt = 1, determinant 0.515625; alpha = (0.5*1.75 - 0.375*1)/D, beta = (1.3125 - 0.65625)/D.
  const Line line = fit_line(points({0, 1, 2}, {1, 2, 4})).value();
  CHECK(line.alpha_seconds == Approx(0.5 / 0.515625).epsilon(1e-14));
  CHECK(line.beta_seconds_per_byte == Approx(0.65625 / 0.515625).epsilon(1e-14));
}

TEST_CASE("falling times give a flat line and never a negative slope") {
  const Line line = fit_line(points({1, 2, 3}, {3, 2, 1})).value();
  CHECK(line.beta_seconds_per_byte == 0);
  // Weighted mean: (1/3 + 1/2 + 1) / (1/9 + 1/4 + 1).
  CHECK(line.alpha_seconds == Approx((11.0 / 6) / (49.0 / 36)).epsilon(1e-14));
}

TEST_CASE("times that grow faster than the size give no startup time") {
  const Line line = fit_line(points({1, 2, 4}, {1, 4, 16})).value();
  CHECK(line.alpha_seconds == 0);
  // Rate (sum n/t)/(sum n^2/t^2) = (1 + 1/2 + 1/4) / (1 + 1/4 + 1/16).
  CHECK(line.beta_seconds_per_byte == Approx(1.75 / 1.3125).epsilon(1e-14));
}

TEST_CASE("a line needs two distinct sizes") {
  CHECK(fit_line({}) == std::nullopt);
  CHECK(fit_line(points({8}, {1})) == std::nullopt);
  CHECK(fit_line(points({8, 8, 8}, {1, 2, 3})) == std::nullopt);
  CHECK(fit_line(points({0, 8}, {1, 2})) == Line{1, 0.125});
}

TEST_CASE("costs of ranges are those of the fitted lines") {
  const auto observed = points({0, 1, 2, 3, 5, 8, 13}, {1, 1.5, 1.4, 3, 2, 1, 9});
  const LineCosts costs(observed);
  REQUIRE(costs.size() == 7);
  for (std::size_t first = 0; first < 6; ++first) {
    for (std::size_t last = first + 2; last <= 7; ++last) {
      const std::vector<TimedSize> range(observed.begin() + static_cast<std::ptrdiff_t>(first),
                                         observed.begin() + static_cast<std::ptrdiff_t>(last));
      const double expected = cost_of(fit_line(range).value(), range);
      CAPTURE(first, last);
      CHECK(static_cast<double>(costs.cost(first, last)) == Approx(expected).margin(1e-12));
    }
  }
}

TEST_CASE("costs of exact lines stay far below any noise floor") {
  std::vector<double> sizes;
  std::vector<double> times;
  for (int i = 0; i <= 26; ++i) {
    sizes.push_back(std::exp2(i));
    times.push_back(i < 13 ? 2e-7 + 1e-10 * sizes.back() : 1e-3 + 5e-11 * sizes.back());
  }
  const LineCosts costs(points(sizes, times));
  CHECK(static_cast<double>(costs.cost(0, 13)) < 1e-12);
  CHECK(static_cast<double>(costs.cost(13, 27)) < 1e-12);
  CHECK(static_cast<double>(costs.cost(12, 27)) > 0.1);
}

namespace {

std::vector<double> times(const PooledCurve& pooled) {
  std::vector<double> seconds;
  for (const TimedSize& point : pooled.points) seconds.push_back(point.seconds);
  return seconds;
}

}  // namespace

TEST_CASE("pooling takes the median over the named launches") {
  const Curve curve = make_curve({1, 2}, {{1.0, 10.0}, {2.0, 30.0}, {9.0, 20.0}});
  CHECK(times(pool(curve, all_launches(curve))) == std::vector<double>{2, 20});
  CHECK(times(pool(curve, std::vector<std::size_t>{2})) == std::vector<double>{9, 20});
}

TEST_CASE("sizes that no launch has are left out and the places tell") {
  const Curve curve = make_curve({1, 2, 4}, {{1.0, {}, 3.0}, {1.0, 2.0, 3.0}});
  const PooledCurve pooled = pool(curve, std::vector<std::size_t>{0});
  CHECK(times(pooled) == std::vector<double>{1, 3});
  CHECK(pooled.places == std::vector<std::size_t>{0, 2});
}

TEST_CASE("levelling takes each launch's factor out, the median launch's being one") {
  // Factors 1/2, 1 and 4 of times 1, 2, 3, 4; the fast launch lacks the first sizes.
  const Curve curve =
      make_curve({1, 2, 4, 8}, {{{}, {}, 1.5, 2.0}, {1.0, 2.0, 3.0, 4.0}, {4.0, 8.0, 12.0, 16.0}});
  CHECK(times(pool(curve, all_launches(curve))) == std::vector<double>{2.5, 5, 3, 4});
  const std::vector<double> levelled = times(pool_levelled(curve, all_launches(curve)));
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(levelled[i] / levelled[0] == Approx(static_cast<double>(i + 1)));
  }
}

TEST_CASE("one launch is level") {
  const Curve curve = make_curve({1, 2}, {{3.0, 7.0}});
  CHECK(times(pool_levelled(curve, all_launches(curve))) == std::vector<double>{3, 7});
}

TEST_CASE("all launches but one are pooled as if that one were not there") {
  // Equal times, sizes that one launch alone has or lacks, even and odd numbers of launches.
  const Cells rows{{1, 4, {}, 7},  {2, 4, {}, {}}, {3, 4, 5, {}},
                   {3, 1, {}, {}}, {5, 4, {}, {}}, {4, 9, {}, {}}};
  for (std::size_t launches = 2; launches <= rows.size(); ++launches) {
    const Curve curve =
        make_curve({1, 2, 4, 8}, {rows.begin(), rows.begin() + std::ptrdiff_t(launches)});
    const PoolWithoutOne without(curve);
    for (std::size_t left_out = 0; left_out < launches; ++left_out) {
      std::vector<std::size_t> others = all_launches(curve);
      others.erase(others.begin() + std::ptrdiff_t(left_out));
      const PooledCurve expected = pool(curve, others);
      const PooledCurve pooled = without.pool(left_out);
      REQUIRE(pooled.places == expected.places);
      for (std::size_t i = 0; i < pooled.points.size(); ++i) {
        CHECK(pooled.points[i].seconds == expected.points[i].seconds);
        CHECK(pooled.points[i].bytes == expected.points[i].bytes);
      }
    }
  }
}

TEST_CASE("windows that shrink with the size are one curve") {
  Record record;
  for (const std::int64_t bytes : {8, 1 << 20, 4 << 20}) {
    const Point point{.operation = "bandwidth",
                      .bytes = {bytes},
                      .ranks = 2,
                      .parameters = {{"window", std::to_string(default_window({bytes}))}},
                      .automatic = {window_parameter}};
    record.series.push_back({.point = point, .samples_seconds = {64.0}});
  }
  const Curves joined = collect_curves(std::vector{record});
  REQUIRE(joined.curves.size() == 1);
  CHECK(joined.curves[0].medians_seconds == std::vector<Row>{{64.0, 64.0, 64.0}});
  CHECK(joined.curves[0].point.parameters.empty());
  const Curves apart = collect_curves(std::vector{record}, GroupBy::hop, Windows::apart);
  REQUIRE(apart.curves.size() == 3);
  CHECK(apart.curves[1].medians_seconds == std::vector<Row>{{64.0}});
  CHECK(apart.curves[1].point.parameters.at("window") == "32");
}

TEST_CASE("nodes that measured themselves have curves of their own, unless they are pooled") {
  std::vector<Record> records = launches_of_nodes({.nodes = 3, .launches = 2});
  const std::vector<Curve> curves = collect_curves(records).curves;
  REQUIRE(curves.size() == 3);
  CHECK(curves[2].medians_seconds.size() == 2);
  CHECK(host_of(curves[2].point) == "h2");
  for (Record& record : records) forget_host(record);
  const std::vector<Curve> pooled = collect_curves(records).curves;
  REQUIRE(pooled.size() == 1);
  CHECK(pooled.front().medians_seconds.size() == 6);
}

}  // namespace hockney::models
