#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/application/library/program_profile.hpp"
#include "tests/apps/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// Programs with one planted cause each, run on 2 ranks: the cause is named first. Other processes
// of the machine may starve the ranks, so that a starved CPU may come before it.
namespace hockney::profile {
namespace {

using Json = nlohmann::json;

/// What a run printed, and its profile as JSON.
struct Run {
  std::string out;
  Json report;
  std::string summary;
};

Run run_logged(const TemporaryFolder& folder, const std::vector<std::string>& program,
               int ranks = 2) {
  const std::string file = folder.path() + "/run.json";
  const CommandResult recorded = run_profiled(file, ranks, program, {"--log"});
  INFO(recorded.err);
  REQUIRE(recorded.exit_code == 0);
  const auto show = [&](const std::string& option) {
    return run_command({apps::built("hockney"), "profile", "show", file, option},
                       std::chrono::seconds(60));
  };
  return {recorded.out, Json::parse(show("--json").out), recorded.err};
}

Run run_planted(const TemporaryFolder& folder, const std::string& cause, int steps) {
  return run_logged(folder, {HOCKNEY_PLANTED, cause, std::to_string(steps)});
}

/// The worst cause, but for CPUs that others took.
Json first_cause(const Json& report) {
  for (const Json& one : report.at("findings")) {
    if (one.at("kind") != "starved_cpu") return one;
  }
  return {{"kind", "none"}};
}

/// CPU time over wall time as the program's own clocks have it, by rank.
std::map<int, double> own_readings(const std::string& out) {
  static const std::regex line(R"(rank (\d+): ([0-9.]+) of a CPU)");
  std::map<int, double> found;
  for (std::sregex_iterator at(out.begin(), out.end(), line), end; at != end; ++at) {
    found[std::stoi((*at)[1])] = std::stod((*at)[2]);
  }
  return found;
}

void check_fractions(const Run& run, std::size_t ranks) {
  const auto own = own_readings(run.out);
  REQUIRE(own.size() == ranks);
  const auto recorded = run.report.at("cpu").at("per_rank").get<std::vector<double>>();
  REQUIRE(recorded.size() == ranks);
  // The beginning and end of MPI take up to a millisecond that the program's clocks do not have.
  const double margin = 0.03 + 1e-3 / run.report.at("seconds").get<double>();
  for (const auto& [rank, fraction] : own) {
    CAPTURE(rank);
    CHECK(recorded[static_cast<std::size_t>(rank)] ==
          Approx(std::min(fraction, 1.0)).margin(margin));
  }
}

}  // namespace

TEST_CASE("a planted cause is named first") {
  const std::vector<std::pair<std::string, std::string>> causes{
      {"imbalance", "imbalance"},
      {"in-turn", "imbalance"},
      {"late-sender", "late_sender"},
      {"serialisation", "serialisation"},
      {"transfer", "transfer"},
      {"small-messages", "transfer"},
      {"eager-limit", "eager_limit"},
      {"slow-collective", "slow_collective"},
      {"io", "io"}};
  for (const auto& [cause, kind] : causes) {
    CAPTURE(cause);
    const TemporaryFolder folder;
    // Each small message may wait for a time slice of another process.
    const Run run = run_planted(folder, cause, cause == "small-messages" ? 3 : 100);
    INFO(run.summary << run.report.at("findings").dump());
    CHECK(first_cause(run.report).at("kind") == kind);
    check_fractions(run, 2);
  }
}

TEST_CASE("the ring's slow rank is named with its call site and ratio") {
  const TemporaryFolder folder;
  const Run run = run_logged(folder, {HOCKNEY_RING, "60"});
  INFO(run.summary);
  const Json found = first_cause(run.report);
  CHECK(found.at("kind") == "imbalance");
  CHECK(found.at("rank") == 1);
  CHECK(found.at("site").get<std::string>().find("ring.c:") != std::string::npos);
  // A third of the time in which the ranks had a CPU.
  const double scheduled = run.report.at("cpu").at("fraction").get<double>();
  CHECK(found.at("fraction").get<double>() > 0.15 * scheduled);
  std::string words = run.summary;
  std::ranges::replace(words, '\n', ' ');
  if (run.report.at("findings").front().at("kind") == "imbalance") {
    CHECK(std::regex_search(words, std::regex(R"(Rank 1 computes [23](\.\d)? times as long)")));
  }
}

TEST_CASE("a process on the core of each rank is a starved CPU, and comes first") {
  const TemporaryFolder folder;
  const Run run = run_planted(folder, "starved", 100);
  INFO(run.summary << run.report.at("findings").dump());
  const Json& first = run.report.at("findings").front();
  CHECK(first.at("kind") == "starved_cpu");
  CHECK(first.at("fraction").get<double>() > 0.3);
  CHECK(run.report.at("split").at("not_scheduled").get<double>() > 0);
  CHECK(run.report.at("cpu").at("fraction").get<double>() < 0.7);
  check_fractions(run, 2);
}

TEST_CASE("ranks that sleep are not starved, though they use little CPU time") {
  const TemporaryFolder folder;
  const Run run = run_planted(folder, "sleep", 100);
  INFO(run.summary << run.report.at("findings").dump());
  check_fractions(run, 2);
  for (const Json& one : run.report.at("findings")) {
    if (one.at("kind") == "starved_cpu") CHECK(one.at("fraction").get<double>() < 0.3);
  }
}

TEST_CASE("more ranks than CPUs are said to share them") {
  const TemporaryFolder folder;
  const Run run = run_logged(folder, {"taskset", "-c", "0", HOCKNEY_PLANTED, "none", "40"}, 3);
  INFO(run.summary);
  CHECK(run.report.at("findings").front().at("kind") == "starved_cpu");
  std::string words = run.summary;
  std::ranges::replace(words, '\n', ' ');
  CHECK(words.find("more ranks than CPUs share them") != std::string::npos);
  check_fractions(run, 3);
}

}  // namespace hockney::profile
