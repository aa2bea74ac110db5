#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "driver/imports/suite_run.hpp"

// Texts as nccl-tests print them, with numbers made up so that the truth is easily seen.
namespace hockney::imports {
namespace {

constexpr std::string_view table =
    "# nThread 1 nGpus 2 minBytes 8 maxBytes 134217728 step: 2(factor) warmup iters: 5 iters: 20 "
    "agg iters: 1 "
    "validation: 1 graph: 0\n"
    "#\n"
    "# Using devices\n"
    "#  Rank  0 Group  0 Pid  12345 on     node01 device  0 [0x07] NVIDIA A100-SXM4-80GB\n"
    "#  Rank  1 Group  0 Pid  12345 on     node01 device  1 [0x0f] NVIDIA A100-SXM4-80GB\n"
    "#\n"
    "#                                                              out-of-place                   "
    "    in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time "
    "  algbw   busbw #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us) "
    " (GB/s)  (GB/s)\n"
    "        2048           512     float     sum      -1    32.00    0.06    0.06      0    16.00 "
    "   0.13    0.13      0\n"
    "# Out of bounds values : 0 OK\n"
    "# Avg bus bandwidth    : 0.09\n";

std::vector<SuiteRun> nccl_runs(const std::string& text, const RunFacts& facts = {}) {
  return read_nccl({"nccl.txt", text}, facts);
}

TEST_CASE("a row of nccl-tests has a time out of place and one in place") {
  const auto runs = nccl_runs("# Collective test starting: all_reduce_perf\n" + std::string(table));
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].host == "node01");
  CHECK(runs[0].cpu == "NVIDIA A100-SXM4-80GB");
  REQUIRE(runs[0].figures.size() == 2);
  CHECK(runs[0].figures[0].point.operation == "allreduce");
  CHECK(runs[0].figures[0].point.ranks == 2);
  CHECK(runs[0].figures[0].point.parameters.at("operator") == "sum");
  CHECK(runs[0].figures[0].seconds == Approx(32e-6));
  CHECK(runs[0].figures[1].point.parameters.at("in-place") == "yes");
  CHECK(runs[0].figures[1].seconds == Approx(16e-6));
  CHECK(runs[0].figures[1].bytes_per_sample == 2048);  // of algbw
}

TEST_CASE("older nccl-tests need the operation, and sizes become blocks") {
  CHECK_THROWS_WITH(nccl_runs(std::string(table)), Catch::Contains("--operation"));
  const auto runs = nccl_runs(std::string(table), {.operation = "allgather"});
  CHECK(runs.at(0).figures.at(0).point.bytes.value == 1024);
  CHECK(runs[0].figures[0].bytes_per_sample == 2048);
}

TEST_CASE("two runs of nccl-tests in one text stay apart") {
  const auto runs = nccl_runs(std::string(table) + std::string(table), {.operation = "allreduce"});
  CHECK(runs.size() == 2);
}

TEST_CASE("wrong data that nccl-tests found are flagged, and times without a number are none") {
  std::string text(table);
  text.replace(text.find("0    16.00"), 1, "3");
  const auto wrong = nccl_runs(text, {.operation = "allreduce"});
  CHECK(wrong.at(0).figures.at(0).is_corrupt);
  CHECK_FALSE(wrong.at(0).figures.at(1).is_corrupt);
  text.replace(text.find("32.00"), 5, "  inf");
  const auto one = nccl_runs(text, {.operation = "allreduce"});
  REQUIRE(one.at(0).figures.size() == 1);
  CHECK(one[0].left_out.count == 1);
  CHECK(one[0].figures[0].point.parameters.at("in-place") == "yes");
}

TEST_CASE("a run of nccl-tests that was cut off leaves its devices to no other") {
  const std::string until_table(table.substr(0, table.find("#       size")));
  const auto runs = nccl_runs(until_table + std::string(table), {.operation = "allreduce"});
  CHECK(runs.back().figures.at(0).point.ranks == 2);
}

}  // namespace
TEST_CASE("a row of nccl-tests that cannot be read is left out, counted and named") {
  std::string text = "# Collective test starting: all_reduce_perf\n" + std::string(table);
  const std::string row = "4096 1024 float sum -1 33.00 0.06 0.06 0 ";
  const auto read = [&](const std::string& rest) {
    std::string longer = text;
    longer.insert(longer.find("# Out of bounds"), row + rest + " 0.13 0.13 0\n");
    return nccl_runs(longer).at(0);
  };
  CHECK(read("17.00").figures.size() == 4);
  CHECK(read("N/A").figures.size() == 3);
  CHECK(read("17.00").left_out.count == 0);
  const SuiteRun run = read("-17.00");
  CHECK(run.figures.size() == 3);
  CHECK(run.left_out.count == 1);
  CHECK_THAT(run.left_out.first, Catch::EndsWith("': '-17.00' is no time or rate"));
}

TEST_CASE("tables of nccl-tests without the lines above are runs of the commands before") {
  const std::string stamp = "Thu Jul 16 10:00:05 2026<stdout>:";
  const std::string pasted =
      stamp +
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     "
      "time   algbw   busbw #wrong\n" +
      stamp +
      "     1048576        262144     float     sum      -1     28.3   37.08   55.62      0 "
      "    28.4   37.08   55.62      0\n" +
      stamp + "# Out of bounds values : 0 OK\n";
  const auto runs = nccl_runs("mpirun -np 4 -x NCCL_ALGO=Ring all_reduce_perf -g 1\n" + pasted +
                              "mpirun -np 4 -x NCCL_ALGO=Tree all_reduce_perf -g 2\n" + pasted);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].figures.at(0).point.operation == "allreduce");
  CHECK(runs[0].figures.at(0).point.ranks == 4);
  CHECK(runs[0].figures.at(0).seconds == Approx(28.3e-6));
  CHECK(runs[1].figures.at(0).point.ranks == 8);
  CHECK(nccl_runs(pasted, {.ranks = 3, .operation = "bcast"}).at(0).figures.at(1).point.ranks == 3);
  CHECK_THROWS_WITH(nccl_runs(pasted, {.operation = "bcast"}), Catch::Contains("--ranks"));
}

TEST_CASE("rccl-tests of ROCm 4 have colons in the line of their options") {
  const auto runs = nccl_runs(
      "# nThread: 1 nGpus: 2 minBytes: 8 maxBytes: 16 step: 2(factor) warmup iters: 5 iters: 20 \n"
      "#\n# Using devices\n#   Rank  0 Pid   1320 on gnode1 device  0 [0x00] Tesla V100\n"
      "#   Rank  1 Pid   2066 on gnode2 device  0 [0x00] Tesla V100\n#\n"
      "#       size         count    type   redop     time   algbw   busbw  error     time   algbw "
      "  "
      "busbw  error\n"
      "           8             2   float     sum    31.20    0.00    0.00    N/A    30.10    0.00 "
      "   "
      "0.00    N/A\n",
      {.operation = "allreduce"});
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].figures.at(0).seconds == Approx(31.2e-6));
  CHECK(runs[0].figures.at(0).point.ranks == 2);
  CHECK(runs[0].figures.at(0).point.parameters.at("gpus") == "2");
}

}  // namespace hockney::imports
