#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "driver/imports/suite_run.hpp"

// Texts as the Intel MPI Benchmarks print them, with numbers made up so that the truth is easily
// seen.
namespace hockney::imports {
namespace {

constexpr std::string_view head =
    "#------------------------------------------------------------\n"
    "#    Intel(R) MPI Benchmarks 2021.7, MPI-1 part\n"
    "#------------------------------------------------------------\n"
    "# Date                  : Fri Jan 27 17:14:26 2023\n"
    "# Machine               : x86_64\n"
    "# MPI Version           : 3.1\n"
    "# Calling sequence was: \n\n"
    "# ./IMB-MPI1 -msglog 3:28 PingPong Allreduce\n\n";

std::vector<SuiteRun> imb_runs(const std::string& text, const RunFacts& facts = {}) {
  return read_imb({"imb.txt", text}, facts);
}

TEST_CASE("one IMB run holds its benchmarks at all numbers of processes") {
  const auto runs = imb_runs(std::string(head) +
                             "#---------------------------------------------------\n"
                             "# Benchmarking PingPong \n"
                             "# #processes = 2 \n"
                             "# ( 2 additional processes waiting in MPI_Barrier)\n"
                             "#---------------------------------------------------\n"
                             "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
                             "            0         1000         1.66         0.00\n"
                             "         1024         1000         2.00       512.00\n"
                             "# Benchmarking Allreduce \n"
                             "# #processes = 4 \n"
                             "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                             "            0         1000         0.02         0.00         0.02\n"
                             "            8         1000         2.00         4.00         3.00\n"
                             "# All processes entering MPI_Finalize\n");
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].version == "2021.7");
  CHECK(runs[0].standard == "3.1");
  CHECK(runs[0].command.at(0) == "./IMB-MPI1");
  REQUIRE(runs[0].figures.size() == 3);  // a time of 0.00 is none
  CHECK(runs[0].figures[1].point.operation == "pingpong");
  CHECK(runs[0].figures[1].seconds == Approx(2e-6));
  CHECK(runs[0].figures[1].bytes_per_sample == 1024);
  CHECK(runs[0].figures[2].point.operation == "allreduce");
  CHECK(runs[0].figures[2].point.ranks == 4);
  CHECK(runs[0].figures[2].seconds == Approx(4e-6));
}

TEST_CASE("rates count both ways of a sendrecv and four messages of an exchange") {
  const auto runs = imb_runs(
      "# Benchmarking Sendrecv\n# #processes = 2\n"
      "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
      "1000 1000 1.00 2.00 1.50 1000.00\n"
      "# Benchmarking Exchange\n# #processes = 2\n"
      "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
      "1000 1000 1.00 2.00 1.50 2000.00\n"
      "# Benchmarking Uniband\n# #processes = 4\n"
      "#bytes #repetitions   Mbytes/sec       Msg/sec\n"
      "1000 1000 1000.00 1000000\n");
  const auto& figures = runs.at(0).figures;
  REQUIRE(figures.size() == 3);
  // The suite's own rate is bytes_per_sample / seconds.
  CHECK(static_cast<double>(figures[0].bytes_per_sample) / figures[0].seconds == Approx(1000e6));
  CHECK(static_cast<double>(figures[1].bytes_per_sample) / figures[1].seconds == Approx(2000e6));
  CHECK(figures[2].point.operation == "message-rate");
  CHECK(figures[2].seconds == Approx(2e-6));
  CHECK(static_cast<double>(figures[2].bytes_per_sample) / figures[2].seconds == Approx(1000e6));
}

TEST_CASE("one-sided calls of IMB are one at a time, or in aggregate mode many") {
  const auto runs = imb_runs(
      "# Benchmarking Unidir_put\n# #processes = 2\n#    MODE: NON-AGGREGATE\n"
      "#bytes #repetitions t[usec] Mbytes/sec\n8 1000 2.00 4.00\n"
      "# Benchmarking Unidir_put\n# #processes = 2\n#    MODE: AGGREGATE \n"
      "#bytes #repetitions t[usec] Mbytes/sec\n8 1000 0.50 16.00\n"
      "# Benchmarking Bidir_get\n# #processes = 2\n#    MODE: AGGREGATE\n"
      "#bytes #repetitions t[usec] Mbytes/sec\n8 1000 0.50 32.00\n"
      "# Benchmarking PingPongMT\n# #processes = 2 (threads: 3)\n"
      "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec\n8 10 1.0 2.0 1.5 4.00\n"
      "# Benchmarking UniBandMT\n# #processes = 2 (threads: 3)\n# window_size = 64\n"
      "#bytes #repetitions t_avg[usec] Mbytes/sec Msg/sec\n8 10 9.00 24.00 3000000\n");
  const auto& figures = runs.at(0).figures;
  REQUIRE(figures.size() == 5);
  CHECK(figures[0].point.operation == "put");
  CHECK(figures[1].point.operation == "put-bandwidth");
  CHECK(figures[2].point.operation == "get-bidirectional-bandwidth");
  CHECK(figures[3].point.operation == "threaded-pingpong");
  CHECK(figures[3].point.parameters.at("threads") == "3");
  CHECK(figures[3].seconds == Approx(2e-6));
  CHECK(figures[4].point.operation == "threaded-message-rate");
  CHECK(figures[4].point.parameters.at("window") == "64");
  CHECK(figures[4].seconds == Approx(1e-6));  // one message of each of three threads
}

TEST_CASE("IMB's files have hockney's parameters, and the bytes of one rank") {
  const std::string wide = "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec\n";
  const auto runs =
      imb_runs("# Benchmarking P_Write_Expl\n# #processes = 2\n#    MODE: AGGREGATE \n" + wide +
               "8192 1000 30 32 31 256\n# Benchmarking P_Write_Expl\n# #processes = 2\n"
               "#    MODE: NON-AGGREGATE \n" +
               wide +
               "8193 100 300 400 350 20.48\n# Benchmarking P_Read_Priv\n# #processes = 2\n"
               "#    MODE: AGGREGATE \n" +
               wide +
               "8192 1000 2 4 3 2048\n# Benchmarking S_IRead_Shared\n# #processes = 1\n"
               "#    MODE: AGGREGATE \n#bytes #repetitions t_ovrl[usec] t_pure[usec] t_CPU[usec] "
               "overlap[%]\n"
               "8192 1000 9 4 8 37\n# Benchmarking Open_Close\n# #processes = 2\n"
               "#repetitions t_min[usec] t_max[usec] t_avg[usec]\n100 300 400 350\n");
  std::vector<std::string> points;
  for (const SuiteFigure& figure : runs.at(0).figures) {
    std::string text = figure.point.operation + " " + std::to_string(figure.point.bytes.value);
    for (const auto& [name, value] : figure.point.parameters) text += " " + name + "=" + value;
    points.push_back(text);
  }
  const std::string read = "file-iread 8192 file-cache=kept files=one pointer=shared timing=imb";
  CHECK(points ==
        std::vector<std::string>{
            "file-write 4096 file-cache=synced-after-all files=one pointer=explicit timing=imb",
            "file-write 4096 file-cache=synced files=one pointer=explicit timing=imb",
            "file-read 4096 file-cache=kept files=per-rank pointer=individual timing=imb",
            read + " work=none", read + " work=alone", read + " work=during",
            "file-open-close 0 timing=imb"});
  CHECK(runs.at(0).figures.at(1).seconds == Approx(400e-6));
  CHECK(runs.at(0).figures.at(1).bytes_per_sample == 8193);  // of both ranks: 20.48 MB/s
}

TEST_CASE("one-sided calls of IMB that complete locally are not the others") {
  const auto runs = imb_runs(
      "# Benchmarking Put_local\n# #processes = 2\n#    MODE: NON-AGGREGATE\n"
      "#bytes #repetitions t[usec] Mbytes/sec\n8 1000 2.00 4.00\n");
  const Point& point = runs.at(0).figures.at(0).point;
  CHECK(point.operation == "put");
  CHECK(point.parameters.at("synchronisation") == "flush-local");
}

TEST_CASE("an IMB table without its number of processes is refused by line") {
  const std::string text =
      "# Benchmarking Bcast\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n8 1 1 2 1\n";
  CHECK_THROWS_WITH(imb_runs(text), Catch::Contains("line 3") && Catch::Contains("--ranks"));
  CHECK(imb_runs(text, {.ranks = 8}).at(0).figures.at(0).point.ranks == 8);
}

TEST_CASE("the size of IMB's reduce-scatter is a part, hockney's the whole vector") {
  const auto runs = imb_runs(
      "# Benchmarking Reduce_scatter\n# #processes = 4\n"
      "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n8 1 1 2 1\n");
  CHECK(runs.at(0).figures.at(0).point.bytes.value == 32);
}

TEST_CASE("an IMB table before any benchmark, or of no processes, holds nothing") {
  CHECK(imb_runs("#bytes #repetitions t[usec] Mbytes/sec\n8 1 1.0 8\n", {.ranks = 2}).empty());
  const std::string none =
      "# Benchmarking Uniband\n# #processes = 0\n#bytes #repetitions Mbytes/sec Msg/sec\n8 1 1 1\n";
  CHECK_THROWS_WITH(imb_runs(none), Catch::Contains("--ranks"));
  CHECK(imb_runs(none, {.ranks = 1}).at(0).figures.empty());
}

}  // namespace
TEST_CASE("a row of IMB that cannot be read is left out, counted and named") {
  const auto runs = imb_runs(
      "# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n"
      "0 1000 0.50 0.00\n8 1000 nan 8.00\n8 1000 1.00 8.00\n8 1000 2.00 4.00\n"
      "16 1000 1.00\n\n\n# All processes entering MPI_Finalize\n");
  REQUIRE(runs.size() == 1);
  REQUIRE(runs[0].figures.size() == 2);
  CHECK(runs[0].figures[1].seconds == Approx(1e-6));
  CHECK(runs[0].left_out.count == 3);
  CHECK_THAT(runs[0].left_out.first,
             Catch::Contains("line 5 '8 1000 nan 8.00': 'nan' is no time or rate"));
}

}  // namespace hockney::imports
