#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "components/health/report/health_exports.hpp"
#include "components/health/report/health_outputs.hpp"
#include "report/page/page.hpp"
#include "tests/components/health/report/health_reports.hpp"

namespace hockney::health {
namespace {

nlohmann::json page_document_of(const Report& report) {
  const report::Page page = health_page(report, {.verdict = "as the check says", .next = {}});
  REQUIRE(page.documents.size() == 1);
  return page.documents.front().document;
}

}  // namespace

TEST_CASE("a page has the document of the check and its first screen") {
  const Report report = example_health();
  nlohmann::json document = page_document_of(report);
  CHECK(document.at("summary").contains("findings"));
  document.erase("summary");
  CHECK(document == to_json(report));
}

TEST_CASE("a document has the nights of a series") {
  Report report = example_health();
  report.series.front().nights = {{.day = report.day - 1, .value = 1e-6, .launches = 5},
                                  *report.series.front().last};
  const nlohmann::json values = to_json(report).at("verdicts")[0].at("values");
  REQUIRE(values.size() == 2);
  CHECK(values[0] ==
        nlohmann::json{
            {"day", "2026-11-21"}, {"value", 1e-6}, {"value_ci", nullptr}, {"launches", 5}});
  CHECK(values[1].at("value_ci") == nlohmann::json{1e-6, 1.25e-6});
}

TEST_CASE("a page of many series leaves out those without news") {
  Report report = example_health();
  report.series.resize(2);
  for (int i = 0; i < 3000; ++i) report.series.push_back(report.series[1]);
  const nlohmann::json document = page_document_of(report);
  CHECK(document.at("verdicts").size() == 2001);
  CHECK(document.at("verdicts")[0].at("verdict") == "regressed");
  CHECK(document.at("verdicts_left_out") == 1001);
}

TEST_CASE("hostile notes and facts are text") {
  Report report = example_health();
  report.series.front().notes.front().text = "</script><script>alert(1)</script>";
  std::ostringstream out;
  write_page(out, health_page(report, {.next = {}}), {.texts = {"1"}, .missing = {}});
  CHECK(out.str().find("<script>") == std::string::npos);
}

}  // namespace hockney::health
