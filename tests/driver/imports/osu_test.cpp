#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "core/error.hpp"
#include "driver/imports/suite_run.hpp"

// Texts as the OSU Micro-Benchmarks print them, with numbers made up so that the truth is easily
// seen.
namespace hockney::imports {
namespace {

std::vector<SuiteRun> osu_runs(std::string_view text, const RunFacts& facts = {}) {
  return read_osu({"osu.txt", text}, facts);
}

TEST_CASE("a latency is half of a round trip between two ranks") {
  const auto runs = osu_runs(
      "Lmod is automatically replacing modules\n"
      "\n"
      "# OSU MPI Latency Test v7.5\r\n"
      "# Datatype: MPI_CHAR.\n"
      "# Size       Avg Latency(us)\n"
      "1                       0.25\n"
      "65536                   8.00\n"
      "real\t0m5.711s\n");
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].suite == "osu");
  CHECK(runs[0].version == "7.5");
  REQUIRE(runs[0].figures.size() == 2);
  const SuiteFigure& figure = runs[0].figures[1];
  CHECK(figure.point.operation == "pingpong");
  CHECK(figure.point.ranks == 2);
  CHECK(figure.point.bytes.value == 65536);
  CHECK(figure.point.parameters.at("timing") == "osu");
  CHECK(figure.seconds == Approx(8e-6));
  CHECK(figure.bytes_per_sample == 65536);
}

TEST_CASE("older headers are read, and runs one after the other are runs of their own") {
  const auto runs = osu_runs(
      "# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n8 0.50\n"
      "# OSU MPI-CUDA Latency Test v5.9\n# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE "
      "(D)\n"
      "# Size          Latency (us)\n8 0.75\n");
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].figures.at(0).seconds == Approx(5e-7));
  CHECK(runs[1].figures.at(0).seconds == Approx(7.5e-7));
}

TEST_CASE("a rate becomes the time of one operation of a window") {
  const auto one_way =
      osu_runs("# OSU MPI Bandwidth Test v7.5\n# Size      Bandwidth (MB/s)\n1000 500.00\n");
  CHECK(one_way.at(0).figures.at(0).point.operation == "bandwidth");
  CHECK(one_way[0].figures[0].seconds == Approx(2e-6));

  const auto both_ways = osu_runs(
      "# OSU MPI Bi-Directional Bandwidth Test v7.5\n# Size      Bandwidth (MB/s)\n1000 500.00\n");
  CHECK(both_ways.at(0).figures.at(0).point.operation == "bidirectional-bandwidth");
  CHECK(both_ways[0].figures[0].seconds == Approx(4e-6));
  CHECK(both_ways[0].figures[0].bytes_per_sample == 2000);

  const auto pairs = osu_runs(
      "# OSU MPI Multiple Bandwidth / Message Rate Test v7.5\n"
      "# [ pairs: 4 ] [ window size: 64 ]\n"
      "# Size                  MB/s        Messages/s\n"
      "1                       8.00        8000000.00\n");
  const SuiteFigure& figure = pairs.at(0).figures.at(0);
  CHECK(figure.point.operation == "message-rate");
  CHECK(figure.point.ranks == 8);
  CHECK(figure.point.parameters.at("window") == "64");
  CHECK(figure.seconds == Approx(0.5e-6));  // 4 messages, one of each pair
  CHECK(figure.bytes_per_sample == 4);
}

TEST_CASE("collectives need the number of ranks, which OMB does not print") {
  const std::string text =
      "# OSU MPI All-to-All Personalized Exchange Latency Test v5.9\n"
      "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
      "1024 10.00 9.00 11.00 1000\n";
  CHECK_THROWS_WITH(osu_runs(text), Catch::Contains("line 3") && Catch::Contains("--ranks"));
  const auto runs = osu_runs(text, {.ranks = 16, .hop = "cross-node"});
  const SuiteFigure& figure = runs.at(0).figures.at(0);
  CHECK(figure.point.operation == "alltoall");
  CHECK(figure.point.ranks == 16);
  CHECK(figure.point.hop == "cross-node");
  CHECK(figure.seconds == Approx(10e-6));
  CHECK(figure.bytes_per_sample == 0);
}

TEST_CASE("a barrier has no size, and what hockney has not keeps its own name") {
  const auto barrier = osu_runs(
      "# OSU MPI Barrier Latency Test v5.8\n# Avg Latency(us)\n            12.57\n", {.ranks = 96});
  CHECK(barrier.at(0).figures.at(0).point.operation == "barrier");
  CHECK(barrier[0].figures[0].point.bytes.value == 0);
  const auto put = osu_runs(
      "# OSU MPI_Put Latency Test v5.9\n# Window creation: MPI_Win_allocate\n"
      "# Synchronization: MPI_Win_flush\n# Size          Latency (us)\n8 1.00\n");
  CHECK(put.at(0).figures.at(0).point.operation == "put");
  CHECK(put[0].figures[0].point.ranks == 2);
  using Parameters = std::map<std::string, std::string>;
  CHECK(put[0].figures[0].point.parameters == Parameters{{"completion", "origin"},
                                                         {"synchronisation", "flush"},
                                                         {"timing", "osu"},
                                                         {"window-kind", "allocated"}});
}

TEST_CASE("one-sided, persistent and threaded runs have hockney's names") {
  const auto operation_of = [](const std::string& title, const std::string& header) {
    const auto runs = osu_runs("# OSU MPI" + title + " Test v7.4\n# " + header + "\n1000 4.00\n");
    return runs.at(0).figures.at(0).point.operation;
  };
  CHECK(operation_of("_Compare_and_swap latency", "Size  Latency (us)") == "compare-and-swap");
  CHECK(operation_of("_Get Bandwidth", "Size  Bandwidth (MB/s)") == "get-bandwidth");
  CHECK(operation_of("_Put Bi-directional Bandwidth", "Size  Bandwidth (MB/s)") ==
        "put-bidirectional-bandwidth");
  CHECK(operation_of(" Latency Persistent", "Size  Avg Latency(us)") == "persistent-pingpong");
  CHECK(operation_of(" Bi-Directional Bandwidth Persistent", "Size  Bandwidth (MB/s)") ==
        "persistent-bidirectional-bandwidth");
  CHECK(operation_of(" Multi-threaded Latency", "Size  Avg Latency(us)") == "threaded-pingpong");
  const auto persistent = osu_runs(
      "# OSU MPI Allreduce Persistent Latency Test v7.4\n# Size  Avg Latency(us)\n8 4.00\n",
      {.ranks = 4});
  CHECK(persistent.at(0).figures.at(0).point.operation == "persistent-allreduce");
}

TEST_CASE("text without a table is no run") {
  CHECK(osu_runs("").empty());
  CHECK(osu_runs("0 1\n2 3\n# Size  Latency (us)\n8 1.0\n").empty());
}

TEST_CASE("a run that ended before its first time is one without figures") {
  const auto runs =
      osu_runs("# OSU MPI Latency Test v7.5\n# Size  Latency (us)\nsegmentation fault\n");
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].figures.empty());
}

TEST_CASE("numbers that cannot be true, and endless lines, are no figures of osu") {
  const std::string title = "# OSU MPI Latency Test v7.5\n# Size  Latency (us)\n";
  for (const char* row :
       {"-1 1.0", "8 -1.0", "8 nan", "8 inf", "1e300 1.0", "99999999999999 1.0"}) {
    INFO(row);
    CHECK(osu_runs(title + row + "\n").at(0).figures.empty());
  }
  const auto pairs = osu_runs(
      "# OSU MPI Multiple Bandwidth / Message Rate Test v7.5\n# [ pairs: 99999999999999999999 ]\n"
      "# Size  MB/s  Messages/s\n1 8.00 8000000.00\n");
  CHECK(pairs.at(0).figures.at(0).point.ranks == 2);
  CHECK(osu_runs("# OSU MPI " + std::string(10'000'000, 'a')).empty());
}

}  // namespace
TEST_CASE("a row that cannot be read is left out, counted and named") {
  const std::map<std::string, std::string> rows{
      {"8 -1.20", "'-1.20' is no time or rate"},
      {"8 nan", "'nan' is no time or rate"},
      {"8 inf", "'inf' is no time or rate"},
      {"8 1,20", "'1,20' is no time or rate"},
      {"8 0x12", "'0x12' is no time or rate"},
      {"8 1e30", "'1e30' is no time or rate"},
      {"8 1.", "'1.' is no time or rate"},
      {"8 0.00", "none of its figures is above 0"},
      {"0x8 1.20", "'0x8' is no size"},
      {"-8 1.20", "'-8' is no size"},
      {"8 1.20 3 4 5", "it has 5 words, the table 2 columns"},
      {"8 1.20 16 1.30", "it has 4 words, the table 2 columns"},
      {"8", "it has 1 word, the table 2 columns"},
      {"4 9.99", "its table has this size already"},
      {"[node7:01234] *** An error occurred in MPI_Send", "it has 7 words, the table 2 columns"}};
  for (const auto& [row, why] : rows) {
    CAPTURE(row);
    const auto runs = osu_runs(
        "# OSU MPI Latency Test v7.5\n# Size       Avg Latency(us)\n"
        "4                      1.10\n" +
        row + "\n32                     1.50\n\nPASSED\n");
    REQUIRE(runs.size() == 1);
    REQUIRE(runs[0].figures.size() == 2);
    CHECK(runs[0].figures[0].seconds == Approx(1.1e-6));
    CHECK(runs[0].left_out.count == 1);
    CHECK(runs[0].left_out.first == "osu.txt line 4 '" + row + "': " + why);
  }
}

TEST_CASE("a row in which the file ends is left out") {
  const std::string table = "# OSU MPI Latency Test v7.5\n# Size       Avg Latency(us)\n8 1.10\n";
  const auto cut = osu_runs(table + "16 1.2");
  CHECK(cut.at(0).figures.size() == 1);
  CHECK(cut[0].left_out.first ==
        "osu.txt line 4 '16 1.2': the file ends in this row, whose last number may be cut");
  const auto whole = osu_runs(table + "16 1.25\n");
  CHECK(whole.at(0).figures.size() == 2);
  CHECK(whole[0].left_out.count == 0);
}

TEST_CASE("a table that is printed twice in one run gives two figures of each size") {
  const std::string table = "# Size       Avg Latency(us)\n8 1.10\n16 1.20\n";
  const auto runs = osu_runs("# OSU MPI Latency Test v7.5\n" + table + "\n" + table);
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].figures.size() == 4);
  CHECK(runs[0].left_out.count == 0);
}

TEST_CASE("the ranks of a collective are those of the command before its table") {
  const std::string table =
      "# OSU MPI Allreduce Latency Test v5.9\n# Size       Avg Latency(us)\n8 1.00\n";
  const auto ranks = [&](const std::string& line) {
    const auto runs = osu_runs(line + "\n" + table, {.ranks = 5});
    CHECK(runs.at(0).left_out.count == 0);
    return runs.at(0).figures.at(0).point.ranks;
  };
  CHECK(ranks("+ mpirun -np 16 osu_allreduce -m 8:64") == 16);
  CHECK(ranks("$ srun -N 2 --ntasks-per-node=4 ./osu_allreduce") == 8);
  CHECK(ranks("[u@ln1 ~]$ srun --ntasks=12 ./osu_allreduce") == 12);
  CHECK(ranks("=== 16 ranks ===") == 16);
  CHECK(ranks("np = 16") == 16);
  CHECK(ranks("4 ranks per node") == 5);
  CHECK(ranks("mpirun -np 16 osu_bcast") == 5);             // of another table
  CHECK(ranks("mpirun -n 2 a : -n 4 osu_allreduce") == 5);  // of several programs
  const auto runs =
      osu_runs("+ mpirun -np 2 osu_allreduce\n" + table + "+ mpirun -np 4 osu_allreduce\n" + table,
               {.ranks = 4});
  CHECK(runs.at(0).figures.at(0).point.ranks == 2);
  CHECK(runs.at(1).figures.at(0).point.ranks == 4);
  CHECK(runs.at(0).left_out.count == 0);
  CHECK(runs.at(0).assumed.first == "osu.txt line 2: 2 ranks, as the line before it says, not 4");
  CHECK(runs.at(1).assumed.count == 0);
}

TEST_CASE("a table without its title is of the benchmark in the command before it") {
  const auto runs = osu_runs(
      "$ mpirun -np 4 ./osu_allreduce\n# Size       Avg Latency(us)\n8 1.00\n"
      "$ mpirun -np 2 ./osu_bw\n# Size      Bandwidth (MB/s)\n8 4.00\n");
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].figures.at(0).point.operation == "allreduce");
  CHECK(runs[0].figures.at(0).point.ranks == 4);
  CHECK(runs[1].figures.at(0).point.operation == "bandwidth");
  // Without a command it is none of the table before, which has times.
  const auto mixed = osu_runs(
      "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n8 1.00\n\n"
      "# Size      Bandwidth (MB/s)\n8 4.00\n");
  REQUIRE(mixed.size() == 1);
  CHECK(mixed[0].figures.size() == 1);
  CHECK(mixed[0].left_out.count == 1);
}

}  // namespace hockney::imports
