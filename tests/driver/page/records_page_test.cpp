#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "driver/page/records_page.hpp"
#include "report/exports.hpp"
#include "tests/support/guideline_launches.hpp"
#include "tests/support/page_records.hpp"
#include "verdicts/tables/verdict_tables.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

Json rows_of(std::vector<Record> records) {
  Results folders(std::move(records), "results/x");
  return page_of(folders).documents.front().document;
}

std::vector<std::string> names_in(const Page& page) {
  return strings_of(page.documents, &PageDocument::name);
}

}  // namespace

TEST_CASE("the rows of a page are those of the CSV, with the medians of their launches") {
  const std::vector<Record> records = ping_pongs(6);
  const std::vector<Row> rows = campaign_rows(records);
  const Json document = rows_of(records);
  const Json exported = rows_json(rows, records);
  REQUIRE(document.at("rows").size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& row = document.at("rows")[i];
    for (const auto& [key, value] : exported[i].items()) CHECK(row.at(key) == value);
    CHECK(row.at("median_seconds") == *rows[i].median_seconds);
    CHECK(row.at("launch_places") == Json{0, 1, 2, 3, 4, 5});
    CHECK(row.at("launch_seconds")[5].get<double>() ==
          Approx(1.005 * row.at("launch_seconds")[0].get<double>()));
  }
  CHECK(document.at("launches").size() == 6);
  CHECK(document.at("launches")[5].at("launch") == 5);
  CHECK(document.at("rows_measured") == rows.size());
  CHECK(document.at("comparisons").empty());
  CHECK(document.at("pairs").empty());
}

TEST_CASE("pairs of a page beyond its limit are pooled, and their smallest size stays") {
  Record record = launch_of("default");
  for (int pair = 0; pair < 1000; ++pair) {
    for (std::int64_t bytes = 1; bytes <= 20; ++bytes) {
      const bool is_near = pair < 500;
      add_measured(record, pair_point(bytes, 0, pair + 1, is_near ? "l3" : "cross-node"),
                   1e-6 * (is_near ? 1 : 3) + 1e-9 * pair);
    }
  }
  const Json document = rows_of({record});
  CHECK(document.at("rows_measured") == 20000);
  REQUIRE(document.at("rows").size() == 40);
  const Json& near = document.at("rows")[0];
  CHECK(near.at("hop") == "l3");
  CHECK(near.at("pair") == "");
  CHECK(near.at("median_seconds").get<double>() == Approx(1.2495e-6));
  CHECK(near.at("ci_low_seconds").get<double>() == Approx(1e-6));
  CHECK(near.at("ci_high_seconds").get<double>() == Approx(1.499e-6));
  CHECK(near.at("ci_level") == 1);
  CHECK(near.at("launch_seconds").empty());
  REQUIRE(document.at("pairs").size() == 1000);
  CHECK(document.at("pairs")[999].at("pair") == "0-1000");
  CHECK(document.at("pairs")[999].at("bytes") == 1);
}

TEST_CASE("a page leaves out medians of launches where there are too many of them") {
  const std::vector<Record> records = ping_pongs(8);  // at 9 sizes
  Results results(records);
  CHECK(rows_document(results, 18).at("rows")[0].at("launch_seconds").size() == 8);
  CHECK(rows_document(results, 17).at("rows")[0].at("launch_seconds").empty());
  CHECK(rows_document(results).at("rows")[0].at("launch_seconds").size() == 8);
}

TEST_CASE("memory, windows and settings are never pooled") {
  Record record = launch_of("default");
  for (const std::string memory : {"host", "cuda"}) {
    for (int pair = 1; pair <= 3; ++pair) {
      Point point = pair_point(8, 0, pair, "l3");
      point.parameters = {{"memory", memory}};
      add_measured(record, point, memory == "host" ? 1e-6 : 2e-6);
    }
  }
  Record slow = record;
  slow.campaign->setting = "slow";
  const std::vector<Record> records{record, slow};
  Results results(records);
  const Json document = rows_document(results, 2);
  REQUIRE(document.at("rows").size() == 4);
  std::map<std::string, double> medians;
  for (const Json& row : document.at("rows")) {
    medians[row.at("setting").get<std::string>() + row.at("memory").get<std::string>()] =
        row.at("median_seconds");
  }
  CHECK(medians ==
        std::map<std::string, double>{
            {"defaulthost", 1e-6}, {"defaultcuda", 2e-6}, {"slowhost", 1e-6}, {"slowcuda", 2e-6}});
}

TEST_CASE("the host of each rank is known where launches agree") {
  std::vector<Record> records{all_pairs(3), all_pairs(3)};
  for (Record& record : records) {
    for (int rank = 0; rank < 3; ++rank) {
      record.ranks.push_back({.rank = rank, .host = rank == 0 ? "a" : "b"});
    }
  }
  CHECK(rows_of(records).at("hosts_of_ranks") == Json{"a", "b", "b"});
  records[1].ranks[2].host = "c";
  CHECK(rows_of(records).at("hosts_of_ranks").empty());
}

TEST_CASE("settings stand against their base with the verdicts of a comparison") {
  std::vector<Record> records = ping_pongs(8);
  const std::vector<Record> slow = ping_pongs(8, 2, "slow");
  records.insert(records.end(), slow.begin(), slow.end());
  const Json comparisons = rows_of(records).at("comparisons");
  REQUIRE(comparisons.size() == 9);
  for (const Json& one : comparisons) {
    CHECK(one.at("setting") == "slow");
    CHECK(one.at("base") == "default");
    CHECK(one.at("ratio").get<double>() == Approx(2));
    CHECK(one.at("ratio_low").get<double>() <= one.at("ratio").get<double>());
    CHECK(one.at("verdict") == "slower");
  }
}

TEST_CASE("folders that measured the same are compared, others are taken together") {
  const NamedRecords fast{.name = "fast", .records = ping_pongs(8)};
  const NamedRecords slow{.name = "slow", .records = ping_pongs(8, 2)};
  Results folders({fast, slow});
  const Page page = page_of(folders);
  CHECK(names_in(page) == std::vector<std::string>{"rows", "compare-1"});
  CHECK(page.documents[1].document == to_json(folders.comparisons().front()));
  const Json& rows = page.documents.front().document.at("rows");
  REQUIRE(rows.size() == 18);
  CHECK(rows[0].at("setting") == "fast");
  CHECK(rows[17].at("setting") == "slow");

  const NamedRecords others{.name = "others", .records = {all_pairs(4)}};
  Results apart({fast, others});
  CHECK(apart.comparisons().empty());
  CHECK(names_in(page_of(apart)) == std::vector<std::string>{"rows"});
}

TEST_CASE("a page may be led by another document, in place of those of its kind") {
  Results folders(
      {{.name = "fast", .records = ping_pongs(8)}, {.name = "slow", .records = ping_pongs(8, 2)}});
  const Page page = led_by({"compare", {{"schema", "hockney.compare/1"}}}, page_of(folders));
  CHECK(names_in(page) == std::vector<std::string>{"compare", "rows"});
}

TEST_CASE("guidelines stand in a page with their verdicts") {
  Results folders(exact_launches({3, 1}, 10), "x");
  const Page page = page_of(folders);
  REQUIRE(names_in(page) == std::vector<std::string>{"rows", "guidelines"});
  const Json& verdicts = page.documents[1].document.at("verdicts");
  REQUIRE(verdicts.size() == 2);
  CHECK(verdicts[0].at("verdict") == "violated");
  CHECK(verdicts[0].at("ratio").get<double>() == Approx(3));
  CHECK(verdicts[1].at("verdict") == "satisfied");
}

}  // namespace hockney::report
