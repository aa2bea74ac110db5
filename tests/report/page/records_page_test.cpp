#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "core/text.hpp"
#include "report/exports.hpp"
#include "report/page/plot.hpp"
#include "report/page/records_page.hpp"
#include "report/screens/curves.hpp"
#include "report/screens/evaluation.hpp"
#include "report/table.hpp"
#include "tests/report/page/picture_of.hpp"
#include "tests/support/guideline_launches.hpp"
#include "tests/support/page_records.hpp"
#include "verdicts/tables/verdict_tables.hpp"

namespace hockney::report {
namespace {

std::vector<std::string> ids_of(const Page& page) {
  return strings_of(page.pictures, &Picture::id);
}

std::vector<std::string> cells(const std::string& line) { return split(line, ','); }

std::vector<std::string> column(const std::string& csv, const std::string& key) {
  std::vector<std::string> lines = split(csv, '\n');
  const std::vector<std::string> keys = cells(lines.front());
  const auto place = std::ranges::find(keys, key) - keys.begin();
  std::vector<std::string> values;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (!lines[i].empty()) values.push_back(cells(lines[i]).at(static_cast<std::size_t>(place)));
  }
  return values;
}

}  // namespace

TEST_CASE("a cell says the same to people, to programs and to a plot") {
  const View table{{{"curve", "curve"}, {"median_seconds", "median", Unit::seconds}},
                   {{"=a,b", 1.25e-6}, {"c", Value()}}};
  CHECK(page_text_at(table, 0, "median_seconds") == "1.250 us");
  CHECK(csv_of(table) == "curve,median_seconds\n\"'=a,b\",1.25e-06\nc,\n");
  const nlohmann::json values = values_of(table);
  CHECK(values[0] == nlohmann::json{{"curve", "=a,b"},
                                    {"median_seconds", 1.25e-6},
                                    {"says", "curve =a,b, median 1.250 us"}});
  CHECK(values[1].at("median_seconds").is_null());
}

TEST_CASE("the numbers of a curve are those of the console, the CSV and the fit") {
  const std::vector<Record> records = ping_pongs(6);
  const Page page = page_of_one(records);
  CHECK(ids_of(page) == std::vector<std::string>{"time-pingpong", "bandwidth-pingpong",
                                                 "residuals-pingpong", "launches"});
  const Picture& time = picture(page, "time-pingpong");
  CHECK(time.title == "Latency of pingpong: l3 1.00 us (1.00 .. 1.01) at 1");
  CHECK(page.screen.verdict == "pingpong l3 1.00 us (1.00 .. 1.01) at 1, 983 MB/s at 64K");

  const std::vector<Row> rows = campaign_rows(records);
  std::ostringstream exported;
  write_csv(exported, rows, records);
  const std::string csv = csv_of(time.table);
  const nlohmann::json drawn = rows_of(time);
  REQUIRE(drawn.size() == rows.size());
  for (const std::string key : {"bytes", "median_seconds", "ci_low_seconds", "ci_high_seconds",
                                "bandwidth_bytes_per_second", "launches"}) {
    CAPTURE(key);
    CHECK(column(csv, key) == column(exported.str(), key));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(drawn[i].at("median_seconds") == *rows[i].median_seconds);
    CHECK(drawn[i].at("value") == *rows[i].median_seconds);
    CHECK(drawn[i].at("low") == rows[i].interval_seconds->low);
    CHECK(drawn[i].at("high") == rows[i].interval_seconds->high);
    CHECK(page_text_at(time.table, i, "median_seconds") == short_time(*rows[i].median_seconds, 4));
  }
  const nlohmann::json rates = rows_of(picture(page, "bandwidth-pingpong"));
  CHECK(rates[3].at("value") == rows[3].bandwidth()->value);
  CHECK(rates[3].at("low").get<double>() ==
        Approx(static_cast<double>(rows[3].point.bytes.value) / rows[3].interval_seconds->high));
}

TEST_CASE("a model is drawn where it holds and nowhere else") {
  const Page page = page_of_one(ping_pongs(6));
  const nlohmann::json& layers = picture(page, "time-pingpong").plot.at("layer");
  const auto model = std::ranges::find_if(
      layers, [](const auto& layer) { return layer.at("mark").value("type", "") == "line"; });
  REQUIRE(model != layers.end());
  const nlohmann::json& values = model->at("data").at("values");
  CHECK(values.front().at("drawn_bytes") == 1.0);
  CHECK(values.back().at("drawn_bytes").get<double>() == Approx(65536));
  for (const auto& value : values) {
    CHECK(value.at("value").get<double>() ==
          Approx(1.0025e-6 + value.at("drawn_bytes").get<double>() * 1.0025e-9).epsilon(1e-3));
  }
}

TEST_CASE("where a model changes there is a band, with what the library states near it") {
  std::vector<Record> records = ping_pongs(6);
  for (Record& record : records) {
    record.provenance.mpi.settings = {{"btl_vader_eager_limit", "128"}};
    for (Series& series : record.series) {
      if (series.point.bytes.value <= 64) continue;
      for (double& seconds : series.samples_seconds) seconds += 5e-6;
    }
  }
  const Page page = page_of_one(records);
  const Picture& time = picture(page, "time-pingpong");
  CHECK_THAT(time.caption, Catch::Contains("bands: where a model changes"));
  const nlohmann::json& layers = time.plot.at("layer");
  REQUIRE(layers[0].at("mark").at("type") == "rect");
  const nlohmann::json& band = layers[0].at("data").at("values");
  REQUIRE(band.size() == 1);
  CHECK(band[0].at("drawn_bytes") == 64);
  CHECK(band[0].at("until_bytes") == 256);
  CHECK(layers[1].at("data").at("values")[0].at("name") ==
        "near btl_vader_eager_limit 128 (stated)");
  CHECK_THAT(picture(page_of_one(ping_pongs(6)), "time-pingpong").caption,
             !Catch::Contains("bands"));
}

TEST_CASE("a size of 0 has a place on a logarithmic axis") {
  std::vector<Record> records = ping_pongs(2);
  for (Record& record : records) add_measured(record, pair_point(0, 0, 1, "l3"), 9e-7);
  const nlohmann::json drawn = rows_of(picture(page_of_one(records), "time-pingpong"));
  CHECK(drawn[0].at("bytes") == 0);
  CHECK(drawn[0].at("drawn_bytes") == 0.5);
}

TEST_CASE("more curves than can be told apart are put together, and it is said") {
  Record record = launch_of("default");
  for (int pair = 0; pair < 1000; ++pair) {
    for (std::int64_t bytes = 1; bytes <= 100; ++bytes) {
      add_measured(record, pair_point(bytes, 0, pair + 1, pair < 500 ? "l3" : "cross-node"),
                   1e-6 * (pair < 500 ? 1 : 3) + 1e-9 * pair);
    }
  }
  const Page page = page_of_one({record});  // 100 000 points
  const Picture& time = picture(page, "time-pingpong");
  CHECK(time.table.rows.size() == 200);
  CHECK_THAT(time.caption,
             Catch::StartsWith("1000 curves that differ in their pair alone put together"));
  CHECK(time.title ==
        "Latency of pingpong: l3 (500 curves) 1.25 us (1.00 .. 1.50) at 1; "
        "cross-node (500 curves) 3.75 us (3.50 .. 4.00) at 1");
  for (const Picture& each : page.pictures) {
    CAPTURE(each.id);
    CHECK(each.table.rows.size() <= most_marks);
  }
}

TEST_CASE("memory, windows and settings are never put together") {
  Record record = launch_of("default");
  const std::vector<std::string> memories{"host", "cuda", "cuda-to-host", "host-to-cuda"};
  for (std::size_t memory = 0; memory < memories.size(); ++memory) {
    for (int window = 1; window <= 16; window *= 2) {
      for (int pair = 1; pair <= 3; ++pair) {
        for (const std::int64_t bytes : {8, 64}) {
          Point point = pair_point(bytes, 0, pair, "l3");
          point.parameters = {{"memory", memories[memory]}, {"window", std::to_string(window)}};
          add_measured(record, point, 1e-6 * static_cast<double>(memory + 1) + 1e-9 * window);
        }
      }
    }
  }
  const Page page = page_of_one({record});
  std::size_t panels = 0;
  for (const Picture& each : page.pictures) {
    if (!each.id.starts_with("time-pingpong")) continue;
    CHECK(each.id == "time-pingpong--memory-" + memories[panels]);
    CHECK_THAT(each.title, Catch::StartsWith("Latency of pingpong, memory=" + memories[panels]));
    CHECK_THAT(each.caption, Catch::StartsWith("15 curves that differ in their pair alone"));
    const nlohmann::json rows = rows_of(each);
    REQUIRE(rows.size() == 5 * 2);  // windows and sizes
    for (const auto& row : rows) {
      const double seconds = row.at("median_seconds");
      CHECK(std::lround(seconds * 1e6) == static_cast<long>(panels + 1));
    }
    CHECK(rows[0].at("curve") == "window=1 (3 curves)");
    ++panels;
  }
  CHECK(panels == memories.size());
  std::size_t matrices = 0;
  for (const Picture& each : page.pictures) {
    if (!each.id.starts_with("pairs-by-rank")) continue;
    CHECK(each.table.rows.size() == 3);
    ++matrices;
  }
  CHECK(matrices == memories.size() * 5);
}

TEST_CASE("of twenty settings nothing is put together either") {
  std::vector<Record> records;
  for (int setting = 10; setting < 30; ++setting) {
    records.push_back(launch_of("eager=" + std::to_string(setting)));
    add_measured(records.back(), pair_point(8, 0, 1, "l3"), 1e-6);
  }
  std::vector<Row> rows = campaign_rows(records);
  Evaluation evaluation(records);
  const std::vector<CurveSummary> curves = curve_summaries(rows, evaluation);
  const std::vector<CurvePanel> panels = curve_panels(curves, 8);
  REQUIRE(panels.size() == 3);
  CHECK(panels[0].name() == "pingpong, 1 to 8 of 20 curves");
  CHECK(panels[2].curves.size() == 4);
  CHECK(panels[2].bundled == 0);
}

TEST_CASE("pairs are a matrix, one way for both") {
  const Page page = page_of_one({all_pairs(4)});
  const Picture& matrix = picture(page, "pairs-by-rank-pingpong-default");
  CHECK(matrix.title == "pingpong at 8 by rank: l3 1.00 us, cross-node 2.00 us (2.0 times)");
  CHECK(rows_of(matrix).size() == 6);
  CHECK(csv_of(matrix.table)
            .starts_with("from,to,hop,median_seconds,pairs\n0,1,cross-node,2e-06,1\n"
                         "0,2,l3,1e-06,1\n"));
  std::size_t mirrored = 0;
  for (const auto& layer : matrix.plot.at("layer")) {
    const bool is_cell = layer.at("mark").value("type", "") == "rect";
    if (is_cell && layer.contains("data")) mirrored = layer.at("data").at("values").size();
  }
  CHECK(mirrored == 6);
}

TEST_CASE("pairs of other numbers of ranks, memory or cache have matrices of their own") {
  std::vector<Record> records{all_pairs(4), all_pairs(4), all_pairs(4), all_pairs(4)};
  const auto change = [](Record& record, auto change_point) {
    for (Series& series : record.series) change_point(series.point);
    for (PlannedPoint& planned : record.points.own()) change_point(planned.point);
  };
  change(records[1], [](Point& point) { point.ranks = 8; });
  change(records[2], [](Point& point) { point.parameters = {{"memory", "cuda"}}; });
  change(records[3], [](Point& point) { point.parameters = {{"cache", "cold"}}; });
  std::size_t matrices = 0;
  for (const Picture& each : page_of_one(records).pictures) {
    if (!each.id.starts_with("pairs-by-rank")) continue;
    ++matrices;
    for (const auto& row : rows_of(each)) CHECK(row.at("pairs") == 1);
  }
  CHECK(matrices == 4);
}

TEST_CASE("a matrix of many ranks is drawn in blocks, and it is said") {
  const Page page = page_of_one({all_pairs(128)});
  const Picture& matrix = picture(page, "pairs-by-rank-pingpong-default");
  CHECK(matrix.table.rows.size() == 32 * 33 / 2);
  CHECK_THAT(matrix.caption, Catch::Contains("8128 pairs put together to 528"));
  CHECK(page_text(matrix.table.rows.back()[0], Unit::text) == "124-127");
}

TEST_CASE("hosts have a matrix where there are several") {
  Record record = all_pairs(4);
  for (int rank = 0; rank < 4; ++rank) {
    record.ranks.push_back({.rank = rank, .host = rank % 2 == 0 ? "even" : "odd"});
  }
  const Page page = page_of_one({record});
  const Picture& matrix = picture(page, "pairs-by-host-pingpong-default");
  CHECK(csv_of(matrix.table) ==
        "from,to,hop,median_seconds,pairs\neven,even,l3,1e-06,1\neven,odd,cross-node,2e-06,3\n"
        "odd,even,cross-node,2e-06,1\nodd,odd,l3,1e-06,1\n");
}

TEST_CASE("where each host has one rank, hosts have a matrix alone, of many in blocks") {
  Record record = all_pairs(64);
  for (int rank = 0; rank < 64; ++rank) {
    record.ranks.push_back({.rank = rank, .host = "n" + std::to_string(rank)});
  }
  const Page page = page_of_one({record});
  const Picture& matrix = picture(page, "pairs-by-host-pingpong-default");
  CHECK(matrix.table.rows.size() == 32 * 33 / 2);
  CHECK(page_text(matrix.table.rows.back()[0], Unit::text) == "n62..n63");
  CHECK_THAT(matrix.caption, Catch::Contains("2016 pairs put together to 528"));
  for (const Picture& each : page.pictures) CHECK_FALSE(each.id.starts_with("pairs-by-rank"));
}

TEST_CASE("launches are all there, and of very many those at even ranks") {
  const Picture few = picture(page_of_one(ping_pongs(6)), "launches");
  CHECK(few.table.rows.size() == 3 * 6);
  CHECK(few.caption.find("are drawn") == std::string::npos);
  CHECK(rows_of(few)[0].at("ratio").get<double>() == Approx(1 / 1.0025));
  const Picture many = picture(page_of_one(ping_pongs(500)), "launches");
  CHECK(many.table.rows.size() == 3 * 60);
  CHECK_THAT(many.caption, Catch::Contains("Of 500 launches 60 are drawn"));
  CHECK(page_text(many.table.rows.front()[1], Unit::count) == "1");
  CHECK(page_text(many.table.rows[59][1], Unit::count) == "500");
}

TEST_CASE("settings are drawn against their base with the verdicts of a comparison") {
  std::vector<Record> records = ping_pongs(8);
  const std::vector<Record> slow = ping_pongs(8, 2, "slow");
  records.insert(records.end(), slow.begin(), slow.end());
  const Page page = page_of_one(records);
  const Picture& settings = page.pictures.front();
  CHECK_THAT(settings.title,
             Catch::Contains("\"slow\" is slower at 9 of 9 sizes: at most 2.00 x as long"));
  REQUIRE(settings.table.rows.size() == 9);
  for (const auto& row : rows_of(settings)) {
    CHECK(row.at("ratio").get<double>() == Approx(2));
    CHECK(row.at("verdict") == "slower");
  }
}

TEST_CASE("folders that measured the same are compared, others are taken together") {
  const NamedRecords fast{.name = "fast", .records = ping_pongs(8)};
  const NamedRecords slow{.name = "slow", .records = ping_pongs(8, 2)};
  RecordFolders folders({fast, slow});
  const Page page = page_of(folders);
  CHECK_THAT(page.screen.verdict, Catch::Contains("\"slow\" is slower at 9 of 9 sizes"));
  REQUIRE(page.documents.size() == 1);
  CHECK(page.documents.front().name == "compare");
  CHECK(page.documents.front().document == to_json(folders.comparisons().front()));
  CHECK(page.pictures.front().command == "hockney compare fast slow --all");
  const Picture& time = picture(page, "time-pingpong");
  CHECK(time.table.rows.size() == 18);

  const NamedRecords others{.name = "others", .records = {all_pairs(4)}};
  RecordFolders apart({fast, others});
  CHECK(apart.comparisons().empty());
  CHECK(page_of(apart).documents.empty());
}

TEST_CASE("guidelines are drawn with their verdicts") {
  const Page page = page_of_one(exact_launches({3, 1}, 10));
  REQUIRE(page.pictures.size() == 1);
  const Picture& guidelines = page.pictures.front();
  CHECK(guidelines.title ==
        "setting default, 2 ranks: 1 of 2 cases violated, most slow <= fast at 1: 3.0 times as "
        "long as the right side");
  const nlohmann::json rows = rows_of(guidelines);
  CHECK(rows[0].at("verdict") == "violated");
  CHECK(rows[0].at("ratio").get<double>() == Approx(3));
  CHECK(rows[1].at("verdict") == "satisfied");
  CHECK(page.documents.front().name == "guidelines");
}

TEST_CASE("every picture has its table, its launches, its command and an id of its own") {
  std::vector<Record> records = ping_pongs(7);
  records.push_back(all_pairs(4));
  const Page page = page_of_one(records);
  std::vector<std::string> ids = ids_of(page);
  for (const Picture& each : page.pictures) {
    CAPTURE(each.id);
    CHECK(each.id == id_of(each.id));
    CHECK_FALSE(each.table.rows.empty());
    CHECK(each.launches == "8 launches of results/x");
    CHECK(each.command.starts_with("hockney "));
    CHECK(rows_of(each).size() == each.table.rows.size());
    for (const auto& row : each.table.rows) CHECK(row.size() == each.table.headings.size());
  }
  std::ranges::sort(ids);
  CHECK(std::ranges::adjacent_find(ids) == ids.end());
}

}  // namespace hockney::report
