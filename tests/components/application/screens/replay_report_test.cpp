#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "components/application/screens/profile_report.hpp"
#include "tests/support/profile_view.hpp"
#include "tests/support/scripted_trace.hpp"
#include "tests/support/synthetic_program.hpp"

// What is said of a profile that has a log of events.
namespace hockney::report {
namespace {

using applications::ScriptedTrace;
using Json = nlohmann::json;

/// Two ranks on two hosts: rank 0 sends too early for rank 1, which computes three times as long.
ScriptedTrace late_receiver() {
  ScriptedTrace script(2, 1);
  script.computes(0, 1000).sends(0, 1, 5000).takes(2000);
  script.computes(1, 3000).receives(1, 0, 5000).takes(500);
  script.collective(profile::Function::Barrier, 0).takes(600);
  script.collective(profile::Function::Barrier, 1).takes(100);
  return script;
}

ProfileView view_with_log(const std::vector<Record>& records = {}) {
  profile::Profile profile = SyntheticProgram(2, 1)
                                 .every_time(2, 1)
                                 .send(0, 1, 5000)
                                 .with([](profile::Profile& all) {
                                   all.log = {.file = "p.events", .events = 4, .not_logged = 0};
                                 })
                                 .profile();
  const applications::TraceAnalysis run = late_receiver().analysis();
  return view_of(std::move(profile), "p.json", records, &run);
}

std::vector<Record> limit_between_nodes(std::int64_t bytes) {
  Record record;
  record.ranks = {{.rank = 0, .host = "a"}, {.rank = 1, .host = "b"}};
  record.protocols = {{.hop = "network", .pair = {0, 1}, .eager_limit_bytes = bytes}};
  return {record};
}

bool has_replay_line(const Lines& lines, const std::string& part) {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

std::string text_of(const ProfileView& view) {
  std::ostringstream out;
  print_profile_tables(out, view);
  return out.str();
}

}  // namespace

TEST_CASE("a log of events splits the time, and the screen says why ranks are in MPI") {
  const ProfileView view = view_with_log(limit_between_nodes(4096));
  const Json split = to_json(view).at("split");
  CHECK(split.at("computing").get<double>() == Approx(2e-3));
  CHECK(split.at("load").get<double>() == Approx(1e-3));
  CHECK(split.at("dependency").get<double>() == Approx(0).margin(1e-12));
  CHECK(split.at("protocol").get<double>() == Approx(0).margin(1e-12));
  CHECK(split.at("transfer").get<double>() == Approx(0.6e-3));
  CHECK(split.at("ranks").at(0).at("protocol").get<double>() +
            split.at("ranks").at(0).at("dependency").get<double>() ==
        Approx(2e-3));
  const Lines answer = screen_of(view).answer;
  CHECK(has_replay_line(
      answer,
      "of the run: 28 % load imbalance, 0 % waiting for others, 0 % for late receives "
      "(rendezvous), 17 % transfer"));
  // Both ranks end together; rank 0 is in the barrier for longer.
  CHECK(has_replay_line(
      answer, "critical     path: 83 % computing (rank 1 83 %), 17 % transfer (MPI_Barrier 17 %)"));
  CHECK(has_replay_line(answer, "serialisation x"));
  CHECK(text_of(view).find("why ranks are in MPI") != std::string::npos);
}

TEST_CASE(
    "what is on the critical path is told by rank, call site and region, and what clocks say") {
  const ProfileView view = view_with_log(limit_between_nodes(4096));
  const Json split = to_json(view).at("split");
  // Rank 1 computes 3 ms, is 500 us in the receive and 100 us in the barrier.
  CHECK(split.at("on_path").at("computing").get<double>() == Approx(3e-3));
  CHECK(split.at("on_path").at("transfer").get<double>() == Approx(0.6e-3));
  CHECK(split.at("ranks").at(0).at("on_path").at("computing") == 0);
  CHECK(split.at("ranks").at(1).at("on_path").at("computing").get<double>() == Approx(3e-3));
  for (const Json& site : split.at("sites")) {
    const bool is_receive = site.at("call") == "MPI_Recv";
    CHECK(site.at("on_path").at("computing").get<double>() ==
          Approx(is_receive ? 3e-3 : 0).margin(1e-12));
  }
  REQUIRE(split.at("regions").size() == 1);
  CHECK(split.at("regions").at(0).at("region").is_null());
  CHECK(split.at("regions").at(0).at("computing").get<double>() == Approx(4e-3));
  const Json waits = split.at("clock_waits");
  CHECK(waits.at("by_replay_seconds").get<double>() == Approx(2e-3));
  // The clocks of the two hosts are held by one message and a barrier alone.
  const double by_clocks = waits.at("late_receiver").at("seconds").get<double>() +
                           waits.at("barrier").at("seconds").get<double>();
  const double bound = waits.at("late_receiver").at("bound_seconds").get<double>() +
                       waits.at("barrier").at("bound_seconds").get<double>();
  CHECK(std::abs(by_clocks - 2e-3) <= bound + 0.6e-3);
  const std::string tables = text_of(view);
  for (const char* title :
       {"the same by rank", "waits by the clocks of the hosts", "late sender"}) {
    CHECK(tables.find(title) != std::string::npos);
  }
}

TEST_CASE("without a limit protocol is part of transfer") {
  const ProfileView view = view_with_log();
  CHECK(to_json(view).at("split").at("protocol").is_null());
  CHECK(has_replay_line(screen_of(view).answer, "transfer and protocol"));
}

TEST_CASE("a log that cannot be replayed is a doubt, not an end") {
  applications::Trace trace = late_receiver().trace();
  trace.not_logged = 7;
  const applications::TraceAnalysis run(trace);
  const ProfileView view =
      view_of(SyntheticProgram(2, 1).send(0, 1, 5000).profile(), "p.json", {}, &run);
  CHECK(to_json(view).at("split").is_null());
  REQUIRE(view.report.doubts.size() == 1);
  CHECK(view.report.doubts.front().find("calls are missing at its end") != std::string::npos);
}

TEST_CASE("a timeline has a span for each call, an arrow for each message, and one clock") {
  applications::Trace trace = late_receiver().trace();
  trace.ranks[1].begin_seconds = 50;  // another host's clock
  std::ostringstream out;
  write_timeline(out, applications::TraceAnalysis(trace), view_with_log());
  const Json events = Json::parse(out.str()).at("traceEvents");
  const auto of_phase = [&](const std::string& phase) {
    std::vector<Json> found;
    std::ranges::copy_if(events, std::back_inserter(found),
                         [&](const Json& event) { return event.at("ph") == phase; });
    return found;
  };
  const std::vector<Json> spans = of_phase("X");
  REQUIRE(spans.size() == 4);
  CHECK(spans[0].at("name") == "MPI_Send");
  CHECK(spans[0].at("ts") == 1000);
  CHECK(spans[0].at("dur") == 2000);
  CHECK(spans[0].at("args").at("bytes") == 5000);
  REQUIRE(of_phase("s").size() == 1);
  const double sent = of_phase("s").front().at("ts");
  const double received = of_phase("f").front().at("ts");
  CHECK(received >= sent);
  // Both are in the barrier together for 100 us at most 600 us apart.
  CHECK(std::abs(received - 3500) <= 350);
  const std::vector<Json> names = of_phase("M");
  CHECK(std::ranges::any_of(names, [](const Json& event) {
    return event.at("name") == "process_labels" &&
           event.at("args").at("labels").get<std::string>().starts_with("clock within ");
  }));
}

}  // namespace hockney::report
