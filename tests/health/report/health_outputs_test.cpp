#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "health/report/health_exports.hpp"
#include "health/report/health_outputs.hpp"
#include "report/page/page.hpp"
#include "tests/health/report/health_reports.hpp"

namespace hockney::health {
namespace {

const std::string regressed_name = "pingpong/ranks=2 hop=l3 bytes=8/seconds";

/// The nights before and after the change of example_health().
NightlySeries nights_of(const Report& report) {
  NightlySeries series{.name = regressed_name, .unit = "seconds", .nights = {}, .where = {}};
  for (int night = 9; night >= 0; --night) {
    const double value = night > 3 ? 1e-6 : 1.1e-6;
    series.nights.push_back({.day = report.day - night,
                             .value = value,
                             .interval = Interval{0.99 * value, 1.01 * value, 0.95},
                             .launches = 12,
                             .environment = {}});
  }
  series.nights.push_back({.day = report.day + 1, .value = 9, .launches = 1, .environment = {}});
  return series;
}

const nlohmann::json* layer_of_mark(const report::Picture& picture, const std::string& type) {
  for (const auto& layer : picture.plot.at("layer")) {
    if (layer.at("mark").is_object() && layer.at("mark").value("type", "") == type) return &layer;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("what changed is drawn before what did not") {
  const std::vector<std::string> names = pictured_series(example_health());
  REQUIRE(names.size() == 3);
  CHECK(names.front() == regressed_name);
}

TEST_CASE("a series is drawn with its band, its change and what happened") {
  const Report report = example_health();
  const std::vector<NightlySeries> series{nights_of(report)};
  const report::Page page = health_page(report, series);
  CHECK(page.screen.verdict == headline(report));
  REQUIRE(page.documents.size() == 1);
  CHECK(page.documents.front().document == to_json(report));
  REQUIRE(page.pictures.size() == 3);

  const report::Picture& picture = page.pictures.front();
  CHECK(picture.title ==
        regressed_name + ": regressed " + change_text(report.series.front().health));
  CHECK(picture.table.rows.size() == 10);  // nothing after the night that was judged
  CHECK(csv_of(picture.table)
            .starts_with("day,value,ci_low,ci_high,launches\n2026-11-13,1e-06,9.9e-07,"));
  const nlohmann::json* const band = layer_of_mark(picture, "area");
  REQUIRE(band != nullptr);
  const nlohmann::json& ends = band->at("data").at("values")[0];
  CHECK(ends.at("middle") == 1e-6);
  CHECK(ends.at("top").get<double>() == Approx(1e-6 * 1.0408107741923882));
  CHECK_THAT(picture.caption, Catch::Contains("mpi.library: A \"1\" -> B <2>") &&
                                  Catch::Contains("2026-11-18: MPI updated"));
  const nlohmann::json& events = picture.plot.at("layer").back().at("data").at("values");
  CHECK(events.size() == 3);
  CHECK(events[0].at("day") == "2026-11-19");
}

TEST_CASE("nodes are drawn with how slow they are") {
  const report::Page page = health_page(example_health(), {});
  REQUIRE(page.pictures.size() == 2);
  CHECK_THAT(page.pictures.front().title, Catch::EndsWith(": 1 of 2 nodes slow"));
  CHECK(csv_of(page.pictures.front().table) ==
        "host,ratio,ratio_ci_low,ratio_ci_high,verdict\nhx2,1.25,1.2,1.3,slow\nhx1,1,,,as usual\n");
}

TEST_CASE("links that stay slow are drawn with how slow they are") {
  const report::Page page = health_page(example_health(), {});
  const report::Picture& links = page.pictures.back();
  CHECK(links.title ==
        "pingpong/ranks=2 bytes=8/seconds: 1 slow link, worst hx1 - hx3, 1.50 times as long");
  CHECK(csv_of(links.table) ==
        "link,hop,ratio,ratio_ci_low,ratio_ci_high,evidence,verdict\nhx1 - hx3,switch,1.5,,,for 4 "
        "nights,MONITOR\n");
}

TEST_CASE("hostile notes and facts are text") {
  Report report = example_health();
  report.series.front().notes.front().text = "</script><script>alert(1)</script>";
  const std::vector<NightlySeries> series{nights_of(report)};
  std::ostringstream out;
  write_page(out, health_page(report, series), {.texts = {"1"}, .missing = {}});
  CHECK(out.str().find("<script>") == std::string::npos);
}

}  // namespace hockney::health
