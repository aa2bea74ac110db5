#include "report/csv.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace hockney;

namespace {

const std::string header =
    "operation,setting,bytes,ranks,hop,path,algorithm,pair,parameters,axes,launches,visits,"
    "warm_up_visits,calm_visits,median_seconds,ci_low_seconds,ci_high_seconds,ci_level,"
    "p90_seconds,p99_seconds,p999_seconds,samples,detours,bandwidth_bytes_per_second,bus_bandwidth_"
    "bytes_per_second,"
    "skew_seconds,page_faults,flags,reason\n";

std::string csv(const std::vector<Row>& rows) {
  std::ostringstream out;
  write_csv(out, rows);
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
          .bytes_per_sample = 4096,
          .bus_bytes_per_sample = 2048,
          .page_faults = 2.5,
          .visits = 20,
          .warm_up_visits = 2,
          .undisturbed_visits = 15,
          .samples = 150,
          .outliers = 3,
          .tails = {.p90_seconds = 0.25, .p99_seconds = 0.5},
          .flags = {"drifting", "late"}};
}

}  // namespace

TEST_CASE("no rows give the header alone") { CHECK(csv({}) == header); }

TEST_CASE("a full row has every cell") {
  CHECK(csv({full_row()}) == header +
                                 "bandwidth,eager=4K,4096,2,l3,cma,direct,0-12,datatype=byte;"
                                 "window=64,algorithm=4;eager=4K,2,20,2,15,0.125,0.1,0.5,"
                                 "0.96875,0.25,0.5,,150,3,32768,16384,,2.5,drifting;late,\n");
}

TEST_CASE("what is unknown is an empty cell") {
  const Row row{.point = {.operation = "bcast", .bytes = {0}, .ranks = 4}, .reason = "no time"};
  CHECK(csv({row}) == header + "bcast,,0,4,,,,,,,0,0,0,0,,,,,,,,0,0,,,,,,no time\n");
}

TEST_CASE("cells are quoted as RFC 4180 asks") {
  Row row{.point = {.operation = "a,b", .bytes = {1}, .ranks = 2}};
  row.setting = "say \"4K\"";
  CHECK(csv({row}) == header + "\"a,b\",\"say \"\"4K\"\"\",1,2,,,,,,,0,0,0,0,,,,,,,,0,0,,,,,,\n");
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
  CHECK(csv({row}) == header +
                          "'=cmd|' /C calc'!A0,-1.5,8,2,'+1,'@sum,'-rf,,,,0,0,0,0,,,,,,,,0,0,,,"
                          "-1.5e-06,,fine;'=1+1;''quoted,a=b - c\n");
}

TEST_CASE("cells are of one line and keep what they hold") {
  Row row;
  row.point = {.operation = "a\tb\r\nc\\d\x1b\xE2\x80\xAE", .bytes = {8}, .ranks = 2};
  const std::string text = csv({row});
  CHECK(text.starts_with(header + "a\\u0009b\\u000d\\u000ac\\\\d\\u001b\\u202e,,8,2,"));
}
