#include <catch2/catch.hpp>
#include <sstream>

#include "report/curve_tables.hpp"
#include "tests/support/launches.hpp"

namespace hockney::report {
namespace {

std::string table(const std::vector<Row>& rows) {
  std::ostringstream out;
  print_latency_tables(out, rows);
  return out.str();
}

Row row_of(std::int64_t bytes, double seconds) {
  return {.point = {.operation = "pingpong", .bytes = {bytes}, .ranks = 2, .hop = "l3"},
          .launches = std::vector<LaunchMedian>(6, {.seconds = seconds}),
          .median_seconds = seconds,
          .interval_seconds = Interval{0.75 * seconds, 1.25 * seconds, 0.96875},
          .bytes_per_sample = bytes};
}

}  // namespace

TEST_CASE("no rows print nothing") { CHECK(table({}).empty()); }

TEST_CASE("a time of zero has no relative width") {
  Row row = row_of(8, 0);
  CHECK(table({row}) == R"(# pingpong ranks=2 hop=l3
# size[B]  time[us]    interval[us]  launches
        8     0.000  0.000 .. 0.000         6
# interval: of the median over launches, 96.9 % confidence

)");
}

TEST_CASE("warm-up and outliers are told") {
  std::vector<Row> rows{row_of(8, 1e-6), row_of(16, 1e-6)};
  rows[0].blocks = 60;
  rows[0].warm_up_blocks = 6;
  rows[0].undisturbed_blocks = 54;
  rows[0].samples = 700;
  rows[1].samples = 300;
  rows[1].outliers = 5;
  const std::string text = table(rows);
  CHECK(text.find("\n# warm-up: 6 of 60 blocks do not count (the first of a launch, slower than "
                  "the rest)\n# outliers: 0.50 % of the samples lie beyond Q3 + 3 IQR; they "
                  "count\n# interval:") != std::string::npos);
  CHECK(text.find("disturbed") == std::string::npos);
}

TEST_CASE("points that fault in every call are told, fresh buffers apart") {
  std::vector<Row> rows{row_of(8, 1e-6), row_of(131072, 1e-6), row_of(262144, 1e-6)};
  rows[0].page_faults = 0.4;
  rows[1].page_faults = 97.2;
  rows[2].page_faults = 64;
  CHECK(table(rows).find(
            "\n# page faults: in every call at 2 of 3 points, 97 at 128K; the "
            "allocator decides (docs/explanation/how-hockney-measures.md)\n# interval:") !=
        std::string::npos);
  for (Row& row : rows) row.point.parameters["cache"] = "fresh";
  CHECK(table(rows).find("page faults") == std::string::npos);
  for (Row& row : rows) row.point.parameters = {{"pages", "moved"}};
  CHECK(table(rows).find("page faults") == std::string::npos);
  for (Row& row : rows) row.point.parameters = {{"pages", "same"}};
  CHECK(table(rows).find("page faults") != std::string::npos);
}

TEST_CASE("how many deliveries were checked is told, and what that can find") {
  std::vector<Row> rows{row_of(0, 1e-6), row_of(8, 1e-6), row_of(1 << 20, 1e-6)};
  CHECK(table(rows).find("data:") == std::string::npos);
  rows[1].deliveries_checked = 190;
  rows[2].deliveries_checked = 43;
  CHECK(table(rows).find("\n# data: 233 deliveries checked, fewest at 1M: 43, enough to meet 1 "
                         "wrong in 14 with 95 %\n# interval:") != std::string::npos);
  rows[1].deliveries_checked = 0;
  rows[2].deliveries_checked = 1;
  CHECK(table(rows).find("\n# data: 1 delivery checked, fewest at 1M: 1, enough to meet what is "
                         "wrong every time\n# interval:") != std::string::npos);
}

TEST_CASE("high quantiles are printed when asked for, and only where they are known") {
  Row row = row_of(8, 1e-6);
  row.tails = {.p90_seconds = 2e-6, .p99_seconds = 5e-6};
  std::ostringstream out;
  print_latency_tables(out, {row}, {.tails = true});
  CHECK(out.str().find("  launches  p90[us]  p99[us]\n") != std::string::npos);
  CHECK(out.str().find("         6    2.000    5.000\n") != std::string::npos);
  CHECK(table({row}).find("p90") == std::string::npos);
}

TEST_CASE("where ranks begin together, the table says how well they did") {
  std::vector<Row> rows{row_of(8, 1e-6), row_of(16, 1e-6)};
  rows[1].skew_seconds = 7e-9;
  const std::string text = table(rows);
  CHECK(text.find("  launches  skew[%]\n") != std::string::npos);
  CHECK(text.find("         6        -\n") != std::string::npos);
  CHECK(text.find("         6   0.7000\n") != std::string::npos);
}

}  // namespace hockney::report
