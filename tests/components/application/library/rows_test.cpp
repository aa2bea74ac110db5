#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "components/application/analysis/trace.hpp"
#include "tests/components/application/library/program_profile.hpp"
#include "tests/support/temporary_folder.hpp"

// The log of events, against what programs know that they do.
namespace hockney::profile {
namespace {

/// Calls by name, and messages by their ranks, as the log has them.
std::pair<std::map<std::string, std::int64_t>, std::map<std::string, std::int64_t>> logged(
    const applications::Trace& trace) {
  std::map<std::string, std::int64_t> calls;
  std::map<std::string, std::int64_t> messages;
  for (const applications::RankTrace& rank : trace.ranks) {
    for (const applications::EventView event : rank.events.views()) {
      const Call& call = describe(event.function);
      const bool is_start = (call.kind == Kind::plan_send || call.kind == Kind::plan_receive ||
                             call.kind == Kind::plan_collective) &&
                            event.request != 0;
      if (!is_start) calls["MPI_" + std::string(call.name)] += 1 + event.repeats;
      if (event.sent.rank < 0 || call.kind == Kind::one_sided) continue;
      ++messages[std::to_string(rank.rank) + " > " + std::to_string(event.sent.rank)];
    }
  }
  return {calls, messages};
}

std::map<std::string, std::int64_t> counts(const Sums& sums) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& [name, sum] : sums) counts[name] = sum.first;
  return counts;
}

}  // namespace

TEST_CASE("every trap of counting is logged call by call, and its messages find their receives") {
  for (const int ranks : {2, 3}) {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/profile.json";
    const CommandResult run = run_profiled(
        file, ranks, {tried("HOCKNEY_TRIED_TRAPS", HOCKNEY_TRAPS), folder.path()}, {"--log"});
    INFO(run.out << run.err);
    REQUIRE(run.exit_code == 0);
    const auto [calls, messages] = ledgers(folder.path(), ranks);
    const applications::Trace trace = applications::load_trace(events_file(file));
    REQUIRE(trace.is_whole());
    auto [logged_calls, logged_messages] = logged(trace);
    // MPI_Start is logged as what it starts.
    for (const char* name : {"MPI_Start"}) logged_calls[name] = counts(calls)[name];
    CHECK(logged_calls == counts(calls));
    CHECK(logged_messages == counts(messages));
    const applications::Matching matching = applications::match(trace);
    CHECK(matching.sends_alone == 0);
    CHECK(matching.receives_alone == 0);
    const std::vector<profile::Profile> whole{load_profile(file)};
    CHECK(whole.front().log.value().events > 0);
  }
}

TEST_CASE("a log that has no memory left says how many calls are not in it, and all are counted") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run =
      run_profiled(file, 2, {HOCKNEY_ENDINGS, "many"}, {"--log", "--memory", "1"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 3);
  const Profile profile = load_profile(file);
  CHECK(calls_of(profile).at("MPI_Sendrecv_replace").first == 2 * 100010);
  const applications::Trace trace = applications::load_trace(events_file(file));
  const EventLog log = profile.log.value();
  CHECK(log.not_logged > 0);
  CHECK(trace.not_logged == log.not_logged);
  CHECK(log.events + log.not_logged == 2 * 100010);
  CHECK_FALSE(trace.is_whole());
  CHECK(run.err.find(" calls not in the log of events") != std::string::npos);
}

TEST_CASE(
    "what a killed program logged is in the file of events, and it is said that ranks are "
    "missing") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, "kill"}, {"--log"});
  INFO(run.out << run.err);
  const applications::Trace trace = applications::load_trace(events_file(file));
  REQUIRE(trace.ranks.size() == 1);
  CHECK(trace.ranks.front().rank == 0);
  CHECK(trace.ranks.front().events.size() >= 10);
  CHECK(run.err.find("ranks are missing in it") != std::string::npos);
}

TEST_CASE("events that cannot be written do not cost the profile, and are said to be lost first") {
  // The first program ends with 0, as the profile is to end with 3; the others have codes of their
  // own, which are kept.
  struct Ending {
    std::string script;
    std::string how;
    int code;
  };
  const std::vector<Ending> endings{{R"("$@"; test $? = 3)", "finalize", 3},
                                    {R"("$@"; test $? = 3 && exit 5)", "finalize", 5},
                                    {R"(exec "$@")", "kill", 137}};
  for (const auto& [script, how, code] : endings) {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/profile.json";
    const CommandResult run = run_profiled(
        file, 2,
        {"/bin/sh", "-c", script, "sh", HOCKNEY_ENDINGS, "blocked", events_file(file), how},
        {"--log"});
    INFO(how << run.out << run.err);
    CHECK(run.exit_code == code);
    const std::size_t lost = run.err.find("the log of events is lost: ");
    const std::size_t screen = run.err.find("2 ranks on ");
    REQUIRE(screen != std::string::npos);
    CHECK(lost < screen);
    CHECK(run.err.find("profile.events'") != std::string::npos);
    CHECK(calls_of(load_profile(file)).contains("MPI_Sendrecv_replace"));
  }
}

}  // namespace hockney::profile
