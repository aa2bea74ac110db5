

// hockney-threads as users run it.

#ifdef HOCKNEY_MPIEXEC

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/atomic_file.hpp"
#include "core/record_file.hpp"
#include "tests/driver/launched.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

CommandResult run_threads(int ranks, const Arguments& options) {
  return run_command(launched(ranks, "hockney-threads", options));
}

TEST_CASE("threads in the place of ranks are judged, and the record says where they ran") {
  const TemporaryFolder folder;
  const std::string record = folder.path() + "/threads.json";
  const CommandResult measured = run_threads(
      4, {"--same-cores", "--threads", "2,4", "--operations", "threaded-pingpong,threaded-barrier",
          "--sizes", "8", "--epochs", "1", "--samples", "2", "-o", record});
  INFO(measured.err);
  REQUIRE(measured.exit_code == 0);
  CHECK_THAT(measured.err, Catch::Contains("2 threads of a rank: rank 0 on CPU"));
  const auto document = nlohmann::json::parse(read_file(record));
  CHECK(document["points"].size() == 6);  // of one thread too, to hold the others to it
  for (const auto& planned : document["points"]) {
    INFO(planned.dump());
    const int threads = std::stoi(planned["point"]["parameters"]["threads"].get<std::string>());
    CHECK((planned["status"] == "skipped") == (threads == 4));
    if (threads == 4) continue;
    CHECK(planned["point"]["ranks"] == 4 / threads);
    REQUIRE(planned["thread_cpus"].size() == static_cast<std::size_t>(4 / threads));
    CHECK(planned["thread_cpus"][0].size() == static_cast<std::size_t>(threads));
  }
  const CommandResult judged = run_command({built("hockney"), "guidelines", record, "--json"});
  INFO(judged.err);
  const auto verdicts = nlohmann::json::parse(judged.out)["verdicts"];
  REQUIRE(verdicts.size() == 1);
  CHECK(verdicts[0]["guideline"] == "threaded-pingpong: threads <= ranks");
  CHECK(verdicts[0]["verdict"] == "undecided");  // of one launch
  CHECK(verdicts[0]["rhs_point"]["ranks"] == 4);
}

TEST_CASE("names of OMB and IMB for threads are known, and points that cannot be say why") {
  const CommandResult result =
      run_threads(2, {"--operations", "osu_latency_mt,AllReduceMT,partitioned-pingpong,PingPong",
                      "--threads", "3", "--sizes", "8", "--epochs", "1", "--samples", "2", "--json",
                      "--bind", "none", "--start", "barrier"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.err, Catch::Contains("as many threads on both ranks"));
  CHECK_THAT(result.err, Catch::Contains("they are not bound"));
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document["points"].size() == 4);
  for (const auto& planned : document["points"]) {
    const bool is_divided = planned["operation"] == "partitioned-pingpong";  // 8 bytes by three
    CHECK((planned["status"] == "skipped") == is_divided);
    CHECK((planned["reason"] == "") != is_divided);
    CHECK_FALSE(planned.contains("thread_cpus"));
  }
}

TEST_CASE("what threads do is timed like the suites too, with its data checked") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/threads.json";
  const CommandResult measured = run_threads(
      2, {"--operations", "threaded-pingpong,threaded-message-rate,threaded-bcast,threaded-barrier",
          "--threads", "1,2", "--sizes", "8", "--compat", "osu,imb", "--epochs", "3", "--bind",
          "none", "--start", "barrier", "-o", file});
  INFO(measured.err);
  REQUIRE(measured.exit_code == 0);
  const Record record = load_record(file);
  std::map<std::string, std::set<std::string>> ways;  // of timing, by operation and threads
  for (const Series& series : record.series) {
    const auto& parameters = series.point.parameters;
    INFO(curve_name(series.point));
    CHECK(std::ranges::find(series.flags, "corrupt") == series.flags.end());
    CHECK_FALSE(series.samples_seconds.empty());
    CHECK(std::ranges::all_of(series.samples_seconds, [](double t) { return t > 0; }));
    const auto way = parameters.find("timing");
    const std::string threads = parameters.at("threads");
    ways[series.point.operation + " " + threads].insert(way == parameters.end() ? "" : way->second);
  }
  CHECK(ways.size() == 8);  // four operations by one thread and by two
  for (const auto& [name, seen] : ways) {
    INFO(name);
    CHECK(seen == std::set<std::string>{"", "osu", "imb"});
  }
}

}  // namespace
}  // namespace hockney::driver

#endif
