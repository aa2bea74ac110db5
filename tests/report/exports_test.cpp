#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>

#include "report/exports.hpp"
#include "tests/support/each_node_records.hpp"

namespace hockney::report {
namespace {

const std::string header =
    "operation,setting,bytes,ranks,hop,path,algorithm,pair,parameters,axes,launches,blocks,"
    "warm_up_blocks,undisturbed_blocks,median_seconds,ci_low_seconds,ci_high_seconds,ci_level,"
    "mean_seconds,min_seconds,max_seconds,p90_seconds,p99_seconds,p999_seconds,samples,outliers,"
    "bandwidth_bytes_per_second,bus_"
    "bandwidth_"
    "bytes_per_second,"
    "skew_seconds,page_faults,flags,reason,host,mpi_library,campaign,date,launch";

std::string csv(const std::vector<Row>& rows, const std::vector<Record>& records = {}) {
  std::ostringstream out;
  write_csv(out, rows, records);
  return out.str();
}

Row full_row() {
  return {.point = {.operation = "bandwidth",
                    .bytes = {4096},
                    .ranks = 2,
                    .hop = "l3",
                    .path = "cma",
                    .algorithm = "direct",
                    .pair = {0, 12},
                    .parameters = {{"datatype", "byte"}, {"window", "64"}}},
          .setting = "eager=4K",
          .axes = {{"algorithm", "4"}, {"eager", "4K"}},
          .launches = {{.launch = 0, .seconds = 0.1}, {.launch = 1, .seconds = 0.2}},
          .median_seconds = 0.125,
          .interval_seconds = Interval{0.1, 0.5, 0.96875},
          .mean_seconds = 0.1875,
          .min_seconds = 0.0625,
          .max_seconds = 0.75,
          .bytes_per_sample = 4096,
          .bus_bytes_per_sample = 2048,
          .page_faults = 2.5,
          .blocks = 20,
          .warm_up_blocks = 2,
          .undisturbed_blocks = 15,
          .samples = 150,
          .outliers = 3,
          .tails = {.p90_seconds = 0.25, .p99_seconds = 0.5},
          .flags = {"drifting", "late"}};
}

}  // namespace

TEST_CASE("no rows give the header alone") { CHECK(csv({}) == header + "\n"); }

TEST_CASE("a full row has every cell") {
  CHECK(csv({full_row()}) ==
        header +
            ",datatype,window,axis_algorithm,axis_eager\n"
            "bandwidth,eager=4K,4096,2,l3,cma,direct,0-12,datatype=byte;"
            "window=64,algorithm=4;eager=4K,2,20,2,15,0.125,0.1,0.5,"
            "0.96875,0.1875,0.0625,0.75,0.25,0.5,,150,3,32768,16384,,2.5,drifting;late,"
            ",,,,,,byte,64,4,4K\n");
}

TEST_CASE("what is unknown is an empty cell") {
  const Row row{.point = {.operation = "bcast", .bytes = {0}, .ranks = 4}, .reason = "no time"};
  CHECK(csv({row}) == header + "\nbcast,,0,4,,,,,,,0,0,0,0,,,,,,,,,,,0,0,,,,,,no time,,,,,\n");
}

TEST_CASE("cells are quoted as RFC 4180 asks") {
  Row row{.point = {.operation = "a,b", .bytes = {1}, .ranks = 2}};
  row.setting = "say \"4K\"";
  CHECK(csv({row}) ==
        header + "\n\"a,b\",\"say \"\"4K\"\"\",1,2,,,,,,,0,0,0,0,,,,,,,,,,,0,0,,,,,,,,,,,\n");
}

TEST_CASE("numbers read back exactly") {
  Row row = full_row();
  row.median_seconds = 1.0 / 3;
  row.interval_seconds = Interval{5e-324, 1.2345678901234567e-06, 0.96875};
  const std::string text = csv({row});
  CHECK(text.find(",0.3333333333333333,5e-324,1.2345678901234567e-06,") != std::string::npos);
}

TEST_CASE("no cell is a formula, and numbers stay numbers") {
  Row row;
  row.point = {.operation = "=cmd|' /C calc'!A0", .bytes = {8}, .ranks = 2};
  row.setting = "-1.5";
  row.point.hop = "+1";
  row.point.path = "@sum";
  row.point.algorithm = "-rf";
  row.flags = {"fine", "=1+1", "'quoted"};
  row.reason = "a=b - c";
  row.skew_seconds = -1.5e-6;
  CHECK(csv({row}) ==
        header +
            "\n'=cmd|' /C calc'!A0,-1.5,8,2,'+1,'@sum,'-rf,,,,0,0,0,0,,,,,,,,,,,0,0,,,"
            "-1.5e-06,,fine;'=1+1;''quoted,a=b - c,,,,,\n");
}

TEST_CASE("cells are of one line and keep what they hold") {
  Row row;
  row.point = {.operation = "a\tb\r\nc\\d\x1b\xE2\x80\xAE", .bytes = {8}, .ranks = 2};
  const std::string text = csv({row});
  CHECK(text.starts_with(header + "\na\\u0009b\\u000d\\u000ac\\\\d\\u001b\\u202e,,8,2,"));
}

namespace {

Record launch_on(const std::string& host, int number, const std::string& start) {
  Record record;
  record.started_utc = start;
  record.provenance.hosts = {{.name = "login"}, {.name = host}};
  record.provenance.mpi.library = "Open MPI v4.1.4";
  record.campaign = CampaignPlace{.name = "nightly", .setting = "default", .launch = number};
  return record;
}

/// The last cells of a line, without those of the point.
std::string end_of(const std::string& text, const std::string& operation) {
  const std::string line = text.substr(text.find("\n" + operation) + 1);
  std::size_t at = 0;
  for (int cell = 0; cell < 32; ++cell) at = line.find(',', at) + 1;
  return line.substr(at, line.find('\n') - at);
}

}  // namespace

TEST_CASE("a row says where, with which library, in which campaign and when it was measured") {
  const std::vector<Record> records{launch_on("n2", 1, "2026-11-22T03:00:00Z"),
                                    launch_on("n1", 2, "2026-11-22T02:00:00Z")};
  const Row both{.point = {.operation = "bcast", .ranks = 4}, .records = {0, 1}};
  CHECK(end_of(csv({both}, records), "bcast") ==
        "login;n2;n1,Open MPI v4.1.4,nightly,2026-11-22T02:00:00Z,");
  const Row second{.point = {.operation = "bcast", .ranks = 4}, .records = {1}};
  CHECK(end_of(csv({second}, records), "bcast") ==
        "login;n1,Open MPI v4.1.4,nightly,2026-11-22T02:00:00Z,2");
}

TEST_CASE("what any row has a parameter of has a column, in none that is empty or taken") {
  const Row window{.point = {.operation = "a", .parameters = {{"window", "64"}, {"flags", "x"}}}};
  const Row cache{.point = {.operation = "b", .parameters = {{"cache", "hot"}, {"none", ""}}}};
  const std::string text = csv({window, cache});
  CHECK(text.starts_with(header + ",cache,parameter_flags,window\n"));
  CHECK(end_of(text, "a,") == ",,,,,,x,64");
  CHECK(end_of(text, "b,") == ",,,,,hot,,");
}

TEST_CASE("the host of a node that measured itself is in one column, and a key of its own") {
  const std::vector<Record> records = launches_of_nodes({.nodes = 2});
  const std::vector<Row> rows = campaign_rows(records);
  CHECK_THAT(csv(rows, records), Catch::StartsWith(header + "\n") && Catch::Contains(",h1,"));
  CHECK(rows_json(rows, records).back()["host"] == "h1");
}

TEST_CASE("docs/reference/record-and-csv.md says of every column what the program says, in order") {
  std::string dictionary = "| column | what it says |\n|---|---|\n";
  for (const auto& [key, meaning] : csv_dictionary()) {
    dictionary += "| `" + key + "` | " + meaning + " |\n";
  }
  std::ifstream page(HOCKNEY_SOURCE_DIR "/docs/reference/record-and-csv.md");
  const std::string text(std::istreambuf_iterator<char>(page), {});
  CHECK_THAT(text, Catch::Contains("\n\n" + dictionary + "\n"));
  CHECK(csv_dictionary().size() == 37);
}

}  // namespace hockney::report
