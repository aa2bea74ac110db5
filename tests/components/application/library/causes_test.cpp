#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/components/application/library/program_profile.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// Programs with one planted cause each, run on 2 ranks: the cause is named first, but for CPUs that
// other processes of the machine take.
namespace hockney::profile {
namespace {

using Json = nlohmann::json;

/// What a run printed, its profile, and that as JSON.
struct Run {
  std::string out;
  Profile profile;
  Json report;
  std::string summary;
};

Run run_logged(const std::vector<std::string>& program, int ranks = 2) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/run.json";
  const CommandResult recorded = run_profiled(file, ranks, program, {"--log"});
  INFO(recorded.err);
  REQUIRE(recorded.exit_code == 0);
  const CommandResult shown = run_command(
      {driver::built("hockney"), "profile", "show", file, "--json"}, std::chrono::seconds(60));
  return {recorded.out, load_profile(file), Json::parse(shown.out), recorded.err};
}

Run run_planted(const std::string& cause, int steps) {
  return run_logged({HOCKNEY_PLANTED, cause, std::to_string(steps)});
}

/// The worst cause, but for CPUs that others took.
Json first_cause(const Json& report) {
  for (const Json& one : report.at("findings")) {
    if (one.at("kind") != "starved_cpu") return one;
  }
  return {{"kind", "none"}};
}

/// Seconds of a rank as the program's own clocks have them.
struct OwnSeconds {
  double cpu = 0;
  double wall = 0;
  double waited = 0;  ///< for a CPU
};

std::map<int, OwnSeconds> own_readings(const std::string& out) {
  static const std::regex line(
      R"(rank (\d+): ([0-9.]+) of a CPU in ([0-9.]+) s(?:, waited ([0-9.]+) s)?)");
  std::map<int, OwnSeconds> found;
  for (std::sregex_iterator at(out.begin(), out.end(), line), end; at != end; ++at) {
    const double wall = std::stod((*at)[3]);
    const std::string waited = (*at)[4];
    found[std::stoi((*at)[1])] = {.cpu = wall * std::stod((*at)[2]),
                                  .wall = wall,
                                  .waited = waited.empty() ? 0 : std::stod(waited)};
  }
  return found;
}

/// The program's clocks leave out what its ranks do before and after its steps: their CPU time
/// there is no more than that wall time, once for the program and once for a thread of MPI.
void check_cpu_times(const Run& run, std::size_t ranks) {
  const auto own = own_readings(run.out);
  REQUIRE(own.size() == ranks);
  REQUIRE(run.profile.ranks.size() == ranks);
  const Json& fractions = run.report.at("cpu").at("per_rank");
  for (const Rank& rank : run.profile.ranks) {
    CAPTURE(rank.rank);
    const OwnSeconds& steps = own.at(rank.rank);
    const double cpu = rank.cpu.value().user_seconds + rank.cpu->system_seconds;
    constexpr double reading = 1e-4;
    CHECK(rank.seconds > steps.wall - reading);
    CHECK(cpu > steps.cpu - reading);
    CHECK(cpu < steps.cpu + 2 * (rank.seconds - steps.wall) + reading);
    CHECK(fractions.at(static_cast<std::size_t>(rank.rank)).get<double>() ==
          Approx(std::min(cpu / rank.seconds, 1.0)));
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
    // Each small message may wait for a time slice of another process.
    const int steps = cause == "small-messages" ? 3 : 100;
    const auto run = first_run_with(
        [&, &name = cause] { return run_planted(name, steps); },
        [&, &name = kind](const Run& one) { return first_cause(one.report).at("kind") == name; });
    if (!run) continue;
    INFO(run->summary << run->report.at("findings").dump());
    CHECK(first_cause(run->report).at("kind") == kind);
    check_cpu_times(*run, 2);
  }
}

TEST_CASE("the ring's slow rank is named with its call site and ratio") {
  const auto is_found = [](const Run& run) {
    const Json found = first_cause(run.report);
    // A third of the time in which the ranks had a CPU.
    const double scheduled = run.report.at("cpu").at("fraction").get<double>();
    return found.at("kind") == "imbalance" && found.at("rank") == 1 &&
           found.at("fraction").get<double>() > 0.15 * scheduled;
  };
  const auto run = first_run_with([] { return run_logged({HOCKNEY_RING, "60"}); }, is_found);
  if (!run) return;
  INFO(run->summary << run->report.at("findings").dump());
  CHECK(is_found(*run));
  CHECK(first_cause(run->report).at("site").dump().find("ring.c:") != std::string::npos);
  std::string words = run->summary;
  std::ranges::replace(words, '\n', ' ');
  if (run->report.at("findings").front().at("kind") == "imbalance") {
    CHECK(std::regex_search(words, std::regex(R"(Rank 1 computes [23](\.\d)? times as long)")));
  }
}

TEST_CASE("a process on the core of each rank is a starved CPU, and comes first") {
  const Run run = run_planted("starved", 100);
  INFO(run.summary << run.report.at("findings").dump());
  CHECK(run.report.at("findings").front().at("kind") == "starved_cpu");
  CHECK(starved(run.report) > 0.3);
  CHECK(run.report.at("split").at("not_scheduled").get<double>() > 0);
  CHECK(run.report.at("cpu").at("fraction").get<double>() < 0.7);
  check_cpu_times(run, 2);
}

TEST_CASE("ranks that sleep are not starved, though they use little CPU time") {
  const Run run = run_planted("sleep", 100);
  INFO(run.summary << run.report.at("findings").dump());
  check_cpu_times(run, 2);
  double waited = 0;
  double wall = 0;
  for (const auto& [rank, own] : own_readings(run.out)) {
    waited += own.waited;
    wall += own.wall;
  }
  CHECK(starved(run.report) < waited / wall + 0.05);
}

TEST_CASE("more ranks than CPUs are said to share them") {
  const Run run = run_logged({"taskset", "-c", "0", HOCKNEY_PLANTED, "none", "40"}, 3);
  INFO(run.summary);
  CHECK(run.report.at("findings").front().at("kind") == "starved_cpu");
  std::string words = run.summary;
  std::ranges::replace(words, '\n', ' ');
  CHECK(words.find("more ranks than CPUs share them") != std::string::npos);
  check_cpu_times(run, 3);
}

}  // namespace hockney::profile
