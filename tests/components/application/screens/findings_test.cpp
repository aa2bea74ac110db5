#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "components/application/screens/finding_words.hpp"
#include "components/application/screens/profile_report.hpp"
#include "tests/support/profile_view.hpp"
#include "tests/support/scripted_trace.hpp"
#include "tests/support/synthetic_program.hpp"

// Programs of 16 to 64 ranks with one planted cause each: it is named first, with its number.
namespace hockney::report {
namespace {

using applications::Finding;
using applications::FindingKind;
using applications::ScriptedTrace;
using profile::Function;
using Json = nlohmann::json;

/// The profile that recording these calls would have made.
profile::Profile profile_of(const applications::Trace& trace, int per_host) {
  SyntheticProgram program(trace.world_ranks, per_host);
  std::map<std::string, profile::Calls> calls;
  for (const applications::RankTrace& rank : trace.ranks) {
    double mpi = 0;
    for (const applications::EventView event : rank.events.views()) {
      const double seconds = 1e-9 * static_cast<double>(event.ticks);
      mpi += seconds;
      const std::string name = "MPI_" + std::string(profile::describe(event.function).name);
      profile::Calls& sum = calls[name];
      sum.call = name;
      sum.min_seconds = sum.count == 0 ? seconds : std::min(sum.min_seconds, seconds);
      sum.max_seconds = std::max(sum.max_seconds, seconds);
      sum.seconds += seconds;
      ++sum.count;
      const std::int64_t bytes = std::max<std::int64_t>(event.sent.bytes, 0);
      sum.bytes += bytes;
      sum.min_bytes = sum.max_bytes = bytes;
      if (event.function == Function::Send) program.send(rank.rank, event.sent.rank, bytes);
    }
    program.time(rank.rank, rank.seconds - mpi, mpi);
  }
  return program
      .with([&](profile::Profile& profile) {
        for (const auto& [name, sum] : calls) {
          if (name != "MPI_Send") profile.calls.push_back(sum);
        }
        for (profile::Rank& rank : profile.ranks) {
          rank.host.replace(0, std::string("node").size(), "n");
        }
      })
      .profile();
}

ProfileView logged_view(const ScriptedTrace& script, int per_host = 1 << 20) {
  const applications::TraceAnalysis run = script.analysis();
  return view_of(profile_of(script.trace(), per_host), "p.json", {}, &run);
}

/// Each rank computes for so long, then all meet in a collective of that cost [us].
void meet(ScriptedTrace& script, const std::vector<double>& computing, double cost,
          Function function = Function::Allreduce, std::int64_t bytes = 8) {
  const double last = std::ranges::max(computing);
  for (int rank = 0; rank < static_cast<int>(computing.size()); ++rank) {
    const double own = computing[static_cast<std::size_t>(rank)];
    script.computes(rank, own).collective(function, rank, -1, bytes).takes(last - own + cost);
  }
}

Finding first_of(const ProfileView& view) {
  REQUIRE_FALSE(view.report.findings.empty());
  return view.report.findings.front();
}

/// The summary begins with it.
std::string summary_of(const ProfileView& view) { return screen_of(view).answer.front(); }

}  // namespace

TEST_CASE("a rank with three times the work is named, with what it costs and what balance gains") {
  for (const int ranks : {2, 16, 64}) {
    CAPTURE(ranks);
    ScriptedTrace script(ranks);
    std::vector<double> computing(static_cast<std::size_t>(ranks), 1000);
    computing[1] = 3000;
    for (int step = 0; step < 5; ++step) meet(script, computing, 10);
    const ProfileView view = logged_view(script);
    const Finding found = first_of(view);
    CHECK(found.kind == FindingKind::imbalance);
    CHECK(found.rank == 1);
    CHECK(found.ratio == Approx(3));
    const double mean = 1000 + 2000.0 / ranks;
    CHECK(found.fraction == Approx((3000 - mean) / 3010));
    CHECK(found.without_seconds == Approx(5e-6 * (mean + 10)));
    CHECK(summary_of(view).starts_with("Rank 1 computes 3.0 times as long as the "));
    CHECK(summary_of(view).find(" of the run is waiting for it") != std::string::npos);
    // Without the log the same rank, from sums.
    const ProfileView sums = view_of(profile_of(script.trace(), 1 << 20), "p.json");
    CHECK(first_of(sums).kind == FindingKind::imbalance);
    CHECK(first_of(sums).rank == 1);
  }
}

TEST_CASE("another rank that is late in each step is an imbalance without a rank") {
  ScriptedTrace script(16);
  for (std::size_t step = 0; step < 32; ++step) {
    std::vector<double> computing(16, 1000);
    computing[step % 16] = 3000;
    meet(script, computing, 10);
  }
  const Finding found = first_of(logged_view(script));
  CHECK(found.kind == FindingKind::imbalance);
  CHECK_FALSE(found.rank);
  CHECK(found.call == "MPI_Allreduce");
  CHECK(found.fraction == Approx((3000.0 - 1125) / 3010).epsilon(0.02));
}

TEST_CASE("the ranks of one slow node are named by their node") {
  ScriptedTrace script(64, 16);
  std::vector<double> computing(64, 1000);
  for (std::size_t rank = 32; rank < 48; ++rank) computing[rank] = 1500;
  for (int step = 0; step < 5; ++step) meet(script, computing, 10);
  const ProfileView view = logged_view(script, 16);
  const Finding found = first_of(view);
  CHECK(found.kind == FindingKind::slow_node);
  CHECK(found.node == "n2");
  CHECK(found.ratio == Approx(1.5));
  CHECK(summary_of(view) ==
        "The ranks on n2 compute 1.5 times as long as those on other nodes; 25 % of the run is "
        "waiting for them");
}

TEST_CASE("receivers of late messages are named, with the sender") {
  ScriptedTrace script(32);
  for (int step = 0; step < 10; ++step) {
    for (int rank = 0; rank < 32; rank += 2) {
      script.computes(rank, 4000).sends(rank, rank + 1, 8).takes(1);
      script.computes(rank + 1, 2000).receives(rank + 1, rank, 8).takes(2001);
      script.computes(rank + 1, 2000);
      script.collective(Function::Barrier, rank).takes(2010);
      script.collective(Function::Barrier, rank + 1).takes(10);
    }
  }
  const ProfileView view = logged_view(script);
  const Finding found = first_of(view);
  CHECK(found.kind == FindingKind::late_sender);
  CHECK(found.call == "MPI_Recv");
  REQUIRE(found.rank);
  CHECK(*found.rank % 2 == 0);
  CHECK(found.fraction == Approx(2000.0 / 6011).epsilon(0.01));
  CHECK(summary_of(view).starts_with("Receivers wait for late senders in MPI_Recv"));
}

TEST_CASE("ranks that work one after the other are serial") {
  constexpr int ranks = 16;
  ScriptedTrace script(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank > 0) script.receives(rank, rank - 1, 8).takes(1001.0 * rank);
    script.computes(rank, 1000);
    if (rank + 1 < ranks) script.sends(rank, rank + 1, 8).takes(1);
  }
  for (int rank = 0; rank < ranks; ++rank) {
    const double left = 1001.0 * (ranks - 1 - rank) + 10;
    script.collective(Function::Barrier, rank).takes(left);
  }
  const ProfileView view = logged_view(script);
  const Finding found = first_of(view);
  CHECK(found.kind == FindingKind::serialisation);
  CHECK(found.concurrency == Approx(1).epsilon(0.02));
  CHECK(found.fraction == Approx(15.0 / 16).epsilon(0.02));
  CHECK(
      summary_of(view).starts_with("Ranks work one after the other: 1.0 of 16 compute at a time"));
}

TEST_CASE("senders that wait for receives name the sizes above the eager limit") {
  ScriptedTrace script(16);
  for (int step = 0; step < 10; ++step) {
    for (int rank = 0; rank < 16; rank += 2) {
      script.sends(rank, rank + 1, 65536).takes(1010).computes(rank, 1000);
      script.computes(rank + 1, 1000).receives(rank + 1, rank, 65536).takes(10);
      script.collective(Function::Barrier, rank).takes(10);
      script.collective(Function::Barrier, rank + 1).takes(1010);
    }
  }
  const ProfileView view = logged_view(script);
  const Finding found = first_of(view);
  CHECK(found.kind == FindingKind::eager_limit);
  CHECK(found.call == "MPI_Send");
  CHECK(found.volume.min_bytes == 65536);
  CHECK(summary_of(view).find("until the receive is posted") != std::string::npos);
}

TEST_CASE("a collective that is slow after its last rank is named, and no rank is") {
  ScriptedTrace script(32);
  for (int step = 0; step < 10; ++step) {
    meet(script, std::vector<double>(32, 1000), 3000, Function::Allreduce, 1 << 20);
  }
  const Finding found = first_of(logged_view(script));
  CHECK(found.kind == FindingKind::slow_collective);
  CHECK(found.call == "MPI_Allreduce");
  CHECK_FALSE(found.rank);
  CHECK(found.fraction == Approx(0.75));
}

TEST_CASE("messages that take long are transfer; many small ones are to be put together") {
  const auto ring = [](std::int64_t bytes, double cost, int steps) {
    ScriptedTrace script(16);
    for (int step = 0; step < steps; ++step) {
      for (int rank = 0; rank < 16; ++rank) {
        script.computes(rank, 20).sends(rank, (rank + 1) % 16, bytes).takes(cost / 2);
      }
      for (int rank = 0; rank < 16; ++rank) {
        script.receives(rank, (rank + 15) % 16, bytes).takes(cost / 2);
      }
    }
    return logged_view(script);
  };
  const ProfileView large = ring(4 << 20, 80, 10);
  CHECK(first_of(large).kind == FindingKind::transfer);
  CHECK(first_of(large).fraction == Approx(0.8));
  CHECK(help_of(large, first_of(large)).starts_with("compute while messages travel"));
  const ProfileView small = ring(8, 80, 100);
  CHECK(first_of(small).kind == FindingKind::transfer);
  CHECK(help_of(small, first_of(small)).starts_with("put small messages together"));
}

TEST_CASE("files of one rank are named with the waiting that they cause") {
  SyntheticProgram program(16);
  for (int rank = 0; rank < 16; ++rank) program.time(rank, 1, rank == 0 ? 0.1 : 3.1);
  program.time(0, 1, 0.1, 0, 3);
  program.calls("MPI_Barrier", 160, 0, 15 * 3.1 + 0.1);
  const ProfileView view = view_of(program.profile(), "p.json");
  const Finding found = first_of(view);
  CHECK(found.kind == FindingKind::io);
  CHECK(found.rank == 0);
  CHECK(found.fraction == Approx(3 / 4.1));
  CHECK(summary_of(view) == "Files take 73 % of the run, nearly all on rank 0");
}

TEST_CASE("a starved CPU comes before everything else, with who took it") {
  ScriptedTrace script(16);
  std::vector<double> computing(16, 1000);
  computing[1] = 3000;
  for (int step = 0; step < 5; ++step) meet(script, computing, 10);
  profile::Profile profile = profile_of(script.trace(), 1 << 20);
  for (profile::Rank& rank : profile.ranks) {
    const double outside = 0.2 * (rank.seconds - rank.mpi_seconds);
    rank.cpu = profile::CpuUse{.user_seconds = rank.seconds - outside - 0.05 * rank.seconds,
                               .mpi_cpu_seconds = rank.mpi_seconds - 0.05 * rank.seconds,
                               .waiting_seconds = outside + 0.05 * rank.seconds,
                               .mpi_waiting_seconds = 0.05 * rank.seconds};
  }
  const applications::TraceAnalysis run = script.analysis();
  ProfileView view = view_of(profile, "p.json", {}, &run);
  CHECK(first_of(view).kind == FindingKind::starved_cpu);
  REQUIRE(view.report.findings.size() > 1);
  CHECK(view.report.findings[1].kind == FindingKind::imbalance);
  CHECK(view.report.findings[1].ratio == Approx(3));
  CHECK(summary_of(view).find(" of a CPU: other processes ran on their cores. Times below are not "
                              "the program's") != std::string::npos);
  view.busy = "cc1plus (1.6 of 2 CPUs), load 7.5";
  CHECK(
      summary_of(view).find("their cores, busy: cc1plus (1.6 of 2 CPUs), load 7.5. Times below") !=
      std::string::npos);
  const Json json = to_json(view);
  CHECK(json.at("cpu").at("per_rank").size() == 16);
  CHECK(json.at("cpu").at("fraction").get<double>() == Approx(view.report.cpu->fraction));
  const Json split = json.at("split");
  const double whole = split.at("computing").get<double>() + split.at("load").get<double>() +
                       split.at("dependency").get<double>() + split.at("transfer").get<double>() +
                       split.at("not_scheduled").get<double>();
  CHECK(whole == Approx(view.report.split.seconds));
  CHECK(split.at("not_scheduled").get<double>() > 0);
}

TEST_CASE("an imbalance in CPU time is said of starved ranks, whatever their other times are") {
  // Of 20 s rank 0 computes for 0.21 s, rank 1 for 2.33 s of CPU time; their wall times are alike.
  SyntheticProgram program(2);
  program.every_time(18, 2).calls("MPI_Allreduce", 200, 8, 4);
  program.with([](profile::Profile& profile) {
    const std::vector<double> computing{0.21, 2.33};
    for (std::size_t i = 0; i < 2; ++i) {
      profile.ranks[i].cpu = profile::CpuUse{.user_seconds = computing[i] + 1,
                                             .mpi_cpu_seconds = 1,
                                             .waiting_seconds = 19 - computing[i],
                                             .mpi_waiting_seconds = 1.0};
    }
  });
  const ProfileView view = view_of(program.profile(), "p.json");
  CHECK(first_of(view).kind == FindingKind::starved_cpu);
  REQUIRE(view.report.findings.size() > 1);
  CHECK(view.report.findings[1].kind == FindingKind::imbalance);
  CHECK_THAT(
      sentence_of(view, view.report.findings[1]),
      Catch::StartsWith("Rank 1 computes 11 times as long as the other rank (CPU time 2.33 s "
                        "against 210 ms)"));
  CHECK_THAT(join(causes_of(view), "\n"), Catch::Contains("then: Rank 1 computes 11 times"));
}

TEST_CASE("a program that only computes has no cause worth naming") {
  ScriptedTrace script(16);
  for (int step = 0; step < 5; ++step) meet(script, std::vector<double>(16, 1000), 10);
  const ProfileView view = logged_view(script);
  CHECK(view.report.findings.empty());
  CHECK(summary_of(view) == "No cause takes 5 % of the run: it computes for 99 %");
}

TEST_CASE("a world of one rank waits for no other rank: starting processes is a cause of its own") {
  ScriptedTrace script(1);
  script.computes(0, 170).collective(Function::Comm_spawn, 0).takes(500);
  script.collective(Function::Barrier, 0).takes(330);
  for (const ProfileView& view :
       {logged_view(script), view_of(profile_of(script.trace(), 1 << 20), "p.json")}) {
    const Finding found = first_of(view);
    CHECK(found.kind == FindingKind::starting);
    CHECK(found.fraction == Approx(0.5));
    CHECK(
        summary_of(view).starts_with("MPI_Comm_spawn takes 50 % of the run: it starts processes"));
    for (const Finding& one : view.report.findings) {
      CHECK(one.kind != FindingKind::imbalance);
      CHECK(one.kind != FindingKind::late_sender);
    }
  }
}

TEST_CASE("collectives and messages with another job are not followed, and not slow") {
  for (const auto function : {Function::Barrier, Function::Recv}) {
    ScriptedTrace script(2);
    for (const int rank : {0, 1}) {
      script.computes(rank, 400).collective(Function::Allreduce, rank).takes(10);
    }
    script.collective(function, 0).takes(590);
    applications::Trace trace = script.trace();
    trace.communicators.push_back({.name = "MPI_Comm_spawn", .identity = "1", .size = 2});
    change_events(trace.ranks[0], [&](profile::Event& event) {
      if (event.function == function) event.communicator = 1;
    });
    profile::Profile profile = profile_of(script.trace(), 1 << 20);
    profile.communicators = trace.communicators;
    const std::string name = "MPI_" + std::string(profile::describe(function).name);
    for (profile::Calls& calls : profile.calls) {
      if (calls.call == name) calls.communicator = 1;
    }
    for (const bool has_log : {true, false}) {
      CAPTURE(name, has_log);
      const applications::TraceAnalysis run(trace);
      const ProfileView view = view_of(profile, "p.json", {}, has_log ? &run : nullptr);
      const auto kind_is = [](FindingKind kind) {
        return [kind](const Finding& one) { return one.kind == kind; };
      };
      CHECK(std::ranges::any_of(view.report.findings, kind_is(FindingKind::other_job)));
      CHECK(std::ranges::none_of(view.report.findings, kind_is(FindingKind::slow_collective)));
      CHECK(std::ranges::none_of(view.report.findings, kind_is(FindingKind::late_sender)));
    }
  }
}

TEST_CASE("threads that share the cores of their rank are named, with the cores to bind it to") {
  const ProfileView view =
      view_of(SyntheticProgram(1)
                  .every_time(9, 1)
                  .with([](profile::Profile& profile) {
                    Host& host = profile.provenance.hosts.emplace_back();
                    host.name = profile.ranks.front().host;
                    host.cpus = 8;
                    profile.ranks.front().cpu = profile::CpuUse{
                        .user_seconds = 9.9, .waiting_seconds = 5.0, .mpi_waiting_seconds = 0.0};
                  })
                  .profile(),
              "p.json");
  const Lines answer = screen_of(view).answer;
  CHECK(answer.at(0).find("own threads share their cores") != std::string::npos);
  CHECK(answer.at(1).find("--map-by slot:PE=2") != std::string::npos);
}

}  // namespace hockney::report
