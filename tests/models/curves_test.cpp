#include "models/curves.hpp"

#include <catch2/catch.hpp>

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

}  // namespace hockney::models
