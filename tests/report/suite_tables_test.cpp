#include "report/suite_tables.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "driver/imports/suite_run.hpp"
#include "tests/support/timed_launches.hpp"

// What OMB and IMB print, letter by letter, and that hockney's readers take the same from it.
namespace hockney::report {
namespace {

/// A row of an operation whose samples took 1, 2 and 3 times `seconds` in turns.
Row row_of(const std::string& operation, std::int64_t bytes, double seconds, int ranks = 2) {
  Row row{.point = simple_point(operation, bytes)};
  row.point.ranks = ranks;
  row.median_seconds = 2 * seconds;
  row.mean_seconds = 2 * seconds;
  row.min_seconds = seconds;
  row.max_seconds = 3 * seconds;
  row.operations = 1000;
  return row;
}

std::string printed(const std::vector<Row>& rows, SuiteLayout layout) {
  std::ostringstream out;
  CHECK(print_suite_tables(out, rows, layout).empty());
  return out.str();
}

/// "operation bytes ranks microseconds" as read from the text.
std::vector<std::string> read_back(const std::string& text, SuiteLayout layout, int ranks) {
  const bool is_imb = layout == SuiteLayout::imb;
  const imports::RunFacts facts{.ranks = ranks, .hop = {}, .operation = {}, .memory = {}};
  const auto runs = is_imb ? imports::read_imb({"a.txt", text}, facts)
                           : imports::read_osu({"a.txt", text}, facts);
  std::vector<std::string> found;
  for (const imports::SuiteRun& run : runs) {
    CHECK(run.left_out.count + run.not_understood.count + run.assumed.count == 0);
    for (const auto& [point, seconds, bytes, is_corrupt] : run.figures) {
      std::ostringstream figure;
      figure << point.operation << ' ' << point.bytes.value << ' ' << point.ranks << ' '
             << seconds * 1e6;
      found.push_back(figure.str());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("a ping-pong as osu_latency and as IMB's PingPong") {
  const std::vector<Row> rows{row_of("pingpong", 0, 0.125e-6), row_of("pingpong", 4194304, 250e-6)};
  const std::string osu = printed(rows, SuiteLayout::osu);
  CHECK(osu ==
        "# OSU MPI Latency Test\n"
        "# Size          Latency (us)\n"
        "0                       0.25\n"
        "4194304               500.00\n");
  CHECK(printed(rows, SuiteLayout::osu_full) == osu);
  const std::string imb = printed(rows, SuiteLayout::imb);
  CHECK(imb ==
        "#---------------------------------------------------\n"
        "# Benchmarking PingPong \n"
        "# #processes = 2 \n"
        "#---------------------------------------------------\n"
        "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
        "            0         1000         0.25         0.00\n"
        "      4194304         1000       500.00      8388.61\n");
  const std::vector<std::string> figures{"pingpong 0 2 0.25", "pingpong 4194304 2 500"};
  CHECK(read_back(osu, SuiteLayout::osu, 2) == figures);
  CHECK(read_back(imb, SuiteLayout::imb, 2) == figures);
}

TEST_CASE("a collective has the mean, and with -f minimum, maximum and iterations") {
  const std::vector<Row> rows{row_of("bcast", 8, 1e-6, 4), row_of("barrier", 0, 2e-6, 4)};
  const std::string plain = printed(rows, SuiteLayout::osu);
  CHECK(plain ==
        "# OSU MPI Broadcast Latency Test\n"
        "# Size       Avg Latency(us)\n"
        "8                       2.00\n"
        "\n"
        "# OSU MPI Barrier Latency Test\n"
        "# Avg Latency(us)\n"
        "             4.00\n");
  const std::string full = printed(rows, SuiteLayout::osu_full);
  CHECK(full ==
        "# OSU MPI Broadcast Latency Test\n"
        "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
        "8                       2.00              1.00              3.00        1000\n"
        "\n"
        "# OSU MPI Barrier Latency Test\n"
        "# Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
        "             4.00              2.00              6.00        1000\n");
  const std::string imb = printed(rows, SuiteLayout::imb);
  CHECK(imb ==
        "#----------------------------------------------------------------\n"
        "# Benchmarking Bcast \n"
        "# #processes = 4 \n"
        "#----------------------------------------------------------------\n"
        "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
        "            8         1000         2.00         2.00         2.00\n"
        "\n"
        "#----------------------------------------------------------------\n"
        "# Benchmarking Barrier \n"
        "# #processes = 4 \n"
        "#----------------------------------------------------------------\n"
        " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
        "         1000         4.00         4.00         4.00\n");
  const std::vector<std::string> figures{"bcast 8 4 2", "barrier 0 4 4"};
  CHECK(read_back(plain, SuiteLayout::osu, 4) == figures);
  CHECK(read_back(full, SuiteLayout::osu_full, 4) == figures);
  CHECK(read_back(imb, SuiteLayout::imb, 4) == figures);
}

TEST_CASE("rates come from means, and a rate of no bytes is none") {
  Row rate = row_of("message-rate", 1000, 1e-6, 4);  // two pairs, 2 us
  rate.point.parameters[window_parameter] = "64";
  const std::vector<Row> rows{row_of("bandwidth", 0, 1e-6), row_of("bandwidth", 1000, 1e-6),
                              row_of("bidirectional-bandwidth", 1000, 1e-6), rate};
  const std::string text = printed(rows, SuiteLayout::osu);
  CHECK(text ==
        "# OSU MPI Bandwidth Test\n"
        "# Size      Bandwidth (MB/s)\n"
        "1000                  500.00\n"
        "\n"
        "# OSU MPI Bi-Directional Bandwidth Test\n"
        "# Size      Bandwidth (MB/s)\n"
        "1000                 1000.00\n"
        "\n"
        "# OSU MPI Multiple Bandwidth / Message Rate Test\n"
        "# [ pairs: 2 ] [ window size: 64 ]\n"
        "# Size                  MB/s        Messages/s\n"
        "1000                 1000.00        1000000.00\n");
  CHECK(read_back(text, SuiteLayout::osu, 4) ==
        std::vector<std::string>{"bandwidth 1000 2 2", "bidirectional-bandwidth 1000 2 2",
                                 "message-rate 1000 4 2"});
}

TEST_CASE("every operation with a table is read as that operation") {
  for (const char* const operation :
       {"allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "bcast",
        "gather", "gatherv", "reduce", "scatter", "scatterv", "reduce-scatter",
        "reduce-scatter-block"}) {
    const std::vector<Row> rows{row_of(operation, 64, 1e-6, 4)};
    const std::vector<std::string> figures{std::string(operation) + " 64 4 2"};
    for (const SuiteLayout layout : {SuiteLayout::osu, SuiteLayout::osu_full, SuiteLayout::imb}) {
      if (!has_suite_table(layout, operation)) continue;
      CHECK(read_back(printed(rows, layout), layout, 4) == figures);
    }
  }
  CHECK_FALSE(has_suite_table(SuiteLayout::imb, "reduce-scatter"));
}

TEST_CASE("points timed as the suite times them come first, others are named") {
  const std::vector<Row> rows = campaign_rows(timed_launches(1));
  CHECK(printed(rows, SuiteLayout::osu).ends_with("\n8                       0.50\n"));
  CHECK(printed(rows, SuiteLayout::imb).ends_with(" 1.50\n"));
  std::ostringstream out;
  CHECK(print_suite_tables(out, std::vector<Row>{row_of("scan", 8, 1e-6)}, SuiteLayout::osu) ==
        std::vector<std::string>{"scan"});
  CHECK(out.str().empty());
}

}  // namespace hockney::report
