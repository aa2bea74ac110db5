#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "components/application/advice/advice.hpp"
#include "components/application/screens/advice/advice_screen.hpp"
#include "core/error.hpp"
#include "tests/support/made_machine.hpp"
#include "tests/support/scripted_trace.hpp"
#include "tests/support/synthetic_program.hpp"

// Programs with one fault each, on a machine whose messages take exactly 2 us + 1 ns/B in a node
// and 10 us + 4 ns/B between two; and programs without.
// Launches whose truth is planted: what they say of an advice.
namespace hockney::advice {
namespace {

using applications::ScriptedTrace;
using profile::Function;

constexpr double microsecond = 1e-6;
const std::vector<PingPong> pairs{{"l3", 2e-6, 1e-9}, {"cross-node", 10e-6, 4e-9}};

/// With an eager limit of 4040 B, which the library states with a header of 56 B.
std::vector<Record> measured_machine() {
  std::vector<Record> records = launches_of(pairs);
  for (const bool is_one_node : {true, false}) {
    records.push_back(limit_of(4040, is_one_node));
    records.back().protocols.front().stated = {
        {is_one_node ? "btl_sm_eager_limit" : "btl_tcp_eager_limit", 4096, 56}};
  }
  return records;
}

Findings found_for(const applications::TraceAnalysis& run, const profile::Profile& profile,
                   const std::vector<Record>& records) {
  const projection::Machine machine = machine_for(run, records);
  const projection::Projector projector(run, machine, algorithms_in_force(profile));
  return find_advice({profile, projector, machine});
}

/// Rank 0 sends at once what rank 1 receives after 1000 us; then rank 0 computes as long.
ScriptedTrace late_receiver(std::int64_t bytes, double waits_microseconds) {
  ScriptedTrace script(2);
  script.sends(0, 1, bytes).takes(waits_microseconds).computes(0, 1000);
  script.computes(1, 1000).receives(1, 0, bytes).takes(12);
  return script;
}

/// On the hosts of scripted traces.
profile::Profile on_scripted_hosts(const SyntheticProgram& program) {
  profile::Profile profile = program.profile();
  for (profile::Rank& rank : profile.ranks) rank.host.replace(0, std::string("node").size(), "n");
  return profile;
}

profile::Profile two_ranks() { return SyntheticProgram(2).profile(); }

}  // namespace

TEST_CASE("an eager limit that is too small for the messages is advised, with its variable") {
  const auto run = late_receiver(10000, 1012).analysis();
  const Findings found = found_for(run, two_ranks(), measured_machine());
  REQUIRE(found.worth.size() == 1);
  const Advice& advice = found.worth.front();
  CHECK(advice.change.words == "eager limit 16328 B in a node");
  CHECK(advice.change.variables ==
        std::map<std::string, std::string>{{"OMPI_MCA_btl_sm_eager_limit", "16384"}});
  CHECK(found.seconds == Approx(2012 * microsecond));
  CHECK(advice.projection.seconds == Approx(1012 * microsecond).epsilon(0.01));
  CHECK(advice.projection.range.low_seconds <= 1005.1 * microsecond);
  CHECK(advice.projection.range.high_seconds >= 1004.9 * microsecond);
}

TEST_CASE("the smallest limit is advised that gains nearly as much as the largest") {
  ScriptedTrace script = late_receiver(10000, 1012);
  script.sends(0, 1, 300000).takes(302);
  script.receives(1, 0, 300000).takes(1302);
  const Findings found = found_for(script.analysis(), two_ranks(), measured_machine());
  REQUIRE(found.worth.size() == 1);
  CHECK(found.worth.front().change.words == "eager limit 16328 B in a node");
  REQUIRE(found.tried.size() == 1);
  CHECK(found.tried.front().change.words == "eager limit 524232 B in a node");
}

TEST_CASE("no limit is advised where the receiver must look, whatever it is") {
  std::vector<Record> records = measured_machine();
  for (Record& record : records) {
    for (Protocol& protocol : record.protocols) {
      protocol.eager_probes = {
          {.call = "send", .receiver = "asleep", .datatype = "bytes", .limit_bytes = 256}};
    }
  }
  const auto run = late_receiver(10000, 1012).analysis();
  CHECK(found_for(run, two_ranks(), records).worth.empty());
}

TEST_CASE("ranks that exchange a lot go to one node, if that is faster") {
  ScriptedTrace script(4, 2);
  SyntheticProgram program(4, 2);
  for (const int rank : {0, 1}) {
    for (int i = 0; i < 10; ++i) {
      script.sends(rank, rank + 2, 4000).receives(rank + 2, rank, 4000).takes(26);
    }
    program.send(rank, rank + 2, 4000, 10);
  }
  const Findings found =
      found_for(script.analysis(), on_scripted_hosts(program), measured_machine());
  REQUIRE(found.worth.size() == 1);
  const projection::WhatIf& what_if = found.worth.front().change.what_if;
  CHECK(what_if.hosts == std::vector<std::string>{"n0", "n1", "n0", "n1"});
  CHECK(found.worth.front().projection.seconds < found.seconds / 2);
}

TEST_CASE("a slow algorithm that was forced is named, with a better one and its variables") {
  constexpr int ranks = 16;
  ScriptedTrace script(ranks);
  for (int i = 0; i < 20; ++i) {
    for (int rank = 0; rank < ranks; ++rank) {
      script.collective(Function::Bcast, rank, 0, 65536).takes(1000);
    }
  }
  const auto program = [&](const std::string& number) {
    return SyntheticProgram(ranks)
        .with([&](profile::Profile& profile) {
          profile.provenance.environment["OMPI_MCA_coll_tuned_bcast_algorithm"] = number;
        })
        .profile();
  };
  CHECK(algorithms_in_force(program("1")) ==
        projection::ForcedAlgorithms{{"bcast", "basic_linear"}});
  const Findings found = found_for(script.analysis(), program("1"), measured_machine());
  REQUIRE(found.worth.size() == 1);
  const Change& change = found.worth.front().change;
  CHECK(change.words.starts_with("bcast by "));
  CHECK(change.variables.at("OMPI_MCA_coll_tuned_use_dynamic_rules") == "1");
  CHECK(change.variables.contains("OMPI_MCA_coll_tuned_bcast_algorithm"));
  // What the library chooses by itself was not measured, so nothing is known to be better.
  CHECK(algorithms_in_force(program("0")).empty());
  CHECK(found_for(script.analysis(), program("0"), measured_machine()).worth.empty());
}

TEST_CASE("programs without a fault get no advice, in 20 of 20") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> computing(80, 120);
    ScriptedTrace script(4, 2);
    SyntheticProgram program(4, 2);
    for (int step = 0; step < 50; ++step) {
      for (int rank = 0; rank < 4; ++rank) script.computes(rank, computing(random));
      for (const int rank : {0, 2}) {
        script.sends(rank, rank + 1, 512).receives(rank + 1, rank, 512).takes(3);
        program.send(rank, rank + 1, 512);
      }
      for (int rank = 0; rank < 4; ++rank) script.collective(Function::Barrier, rank).takes(30);
    }
    CAPTURE(seed);
    CHECK(
        found_for(script.analysis(), on_scripted_hosts(program), measured_machine()).worth.empty());
  }
}

TEST_CASE("ranks on one processor, and more ranks than processors, are faults of placing") {
  const auto profile =
      SyntheticProgram(4, 2)
          .with([](profile::Profile& all) {
            all.ranks[1].cpus = {0};
            all.ranks[2].cpus = all.ranks[3].cpus = {0, 1};
            all.provenance.hosts = {{.name = "node0", .cpus = 2}, {.name = "node1", .cpus = 1}};
          })
          .profile();
  const std::vector<std::string> faults = placing_faults(profile);
  REQUIRE(faults.size() == 2);
  CHECK_THAT(faults[0], Catch::StartsWith("ranks 0, 1 share processor 0 of node0"));
  CHECK_THAT(faults[1], Catch::StartsWith("more ranks than processors on node1, 2 on 1"));
}

namespace {

constexpr double usual_seconds = 10;

/// An advice that is predicted to take so much of the time.
Advice predicted(double low, double high) {
  Advice advice;
  advice.change.words = "another setting";
  advice.projection.seconds = usual_seconds * (low + high) / 2;
  advice.projection.range = {usual_seconds * low, usual_seconds * high};
  advice.projection.effect = projection::Effect::faster;
  return advice;
}

/// Blocks of launches with noise of 1 %, which an advice multiplies by its ratio.
std::vector<TrialLaunch> launches_with(const std::vector<double>& ratios, int blocks = 8) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(1, 0.01);
  std::vector<TrialLaunch> launches;
  for (int block = 1; block <= blocks; ++block) {
    launches.push_back({block, std::nullopt, usual_seconds * noise(random)});
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      launches.push_back({block, i, usual_seconds * ratios[i] * noise(random)});
    }
  }
  return launches;
}

AdviceView view_of(const std::vector<Advice>& advice, const std::vector<TrialLaunch>& launches) {
  AdviceView view;
  view.profile = SyntheticProgram(2).profile();
  view.findings.seconds = view.model_seconds = usual_seconds;
  view.findings.worth = advice;
  if (launches.empty()) return view;
  view.verified = verify(advice, usual_seconds, launches);
  view.in_force.assign(advice.size(), {Proof::proven, "seen"});
  return view;
}

std::string text_of(const AdviceView& view) {
  std::ostringstream out;
  report::print_screen(out, screen_of(view));
  return out.str();
}

}  // namespace

TEST_CASE("launches tell an advice that gains from one that does nothing and one that harms") {
  const std::vector<Advice> advice{predicted(0.4, 0.6), predicted(0.6, 0.8), predicted(0.8, 0.9),
                                   predicted(0.8, 0.9)};
  const auto verified = verify(advice, usual_seconds, launches_with({0.5, 1.0, 1.2, 0.5}));
  REQUIRE(verified.size() == 4);
  using verdicts::Verdict;
  CHECK(verified[0]->comparison.verdict == Verdict::faster);
  CHECK(verified[0]->comparison.ratio == Approx(0.5).epsilon(0.02));
  CHECK(verified[0]->agreement == Agreement::as_predicted);
  CHECK(verified[1]->comparison.verdict == Verdict::no_evidence);
  CHECK(verified[1]->agreement == Agreement::gains_less);
  CHECK(verified[2]->comparison.verdict == Verdict::slower);
  CHECK(verified[2]->agreement == Agreement::gains_less);
  CHECK(verified[3]->agreement == Agreement::gains_more);
}

TEST_CASE("two blocks show nothing, and what was not launched has no verdict") {
  const std::vector<Advice> advice{predicted(0.4, 0.6), predicted(0.4, 0.6)};
  const auto verified = verify(advice, usual_seconds, launches_with({0.5}, 2));
  REQUIRE(verified[0]);
  CHECK(verified[0]->comparison.verdict == verdicts::Verdict::no_evidence);
  CHECK(verified[0]->agreement == Agreement::no_prediction);
  CHECK_FALSE(verified[1]);
}

TEST_CASE("the exit code and the screen say what launches found, wrong advice as such") {
  const std::vector<Advice> advice{predicted(0.4, 0.6)};
  AdviceView gains = view_of(advice, launches_with({0.5}));
  CHECK(verdict_of(gains) == ExitCode::good);
  CHECK_THAT(text_of(gains), Catch::Contains("faster") && Catch::Contains("as predicted"));
  gains.in_force.front().proof = Proof::ignored;
  CHECK(verdict_of(gains) == ExitCode::verdict_failed);
  CHECK_THAT(text_of(gains), Catch::Contains("not effective"));
  CHECK(verdict_of(view_of(advice, launches_with({1.0}))) == ExitCode::no_verdict);
  const AdviceView harms = view_of(advice, launches_with({1.2}));
  CHECK(verdict_of(harms) == ExitCode::verdict_failed);
  CHECK_THAT(text_of(harms), Catch::Contains("slower: wrong advice"));
  const nlohmann::json document = to_json(harms);
  CHECK(document.at("schema") == "hockney.advice/1");
  const nlohmann::json& verified = document.at("advice").at(0).at("verified");
  CHECK(verified.at("verdict") == "slower");
  CHECK(verified.at("ratio_interval").at("low") > 1);
  CHECK(verified.at("agreement") == "less than predicted");

  const AdviceView only_reported = view_of(advice, {});
  CHECK(verdict_of(only_reported) == ExitCode::good);
  CHECK_THAT(text_of(only_reported), Catch::Contains("-50 %") && Catch::Contains("--verify"));
  CHECK(to_json(only_reported).at("advice").at(0).at("verified").is_null());
  CHECK_THAT(text_of(view_of({}, {})), Catch::Contains("nothing to change"));
}

TEST_CASE("ranks that are moved have the processors of those that were there") {
  const auto run = SyntheticProgram(4, 2)
                       .with([](profile::Profile& all) {
                         all.ranks[2].cpus = {0, 1};
                         all.ranks[3].cpus = {4, 5};
                       })
                       .profile();
  const std::vector<std::string> hosts{"node1", "node0", "node1", "node0"};
  CHECK(rank_file(hosts, run) ==
        "rank 0=node1 slot=0,1\nrank 1=node0 slot=0\nrank 2=node1 slot=4,5\nrank 3=node0 slot=1\n");
  CHECK(host_list(hosts) == "node1\nnode0\nnode1\nnode0\n");
  CHECK_THROWS_AS(rank_file({"node0", "node0", "node0"}, run), InputError);
  CHECK(placed_as_requested({"node0", "node0", "node1", "node1"}, std::vector{run, run}).proof ==
        Proof::proven);
  CHECK(placed_as_requested(hosts, std::vector{run}).proof == Proof::ignored);
}

TEST_CASE("a variable that is not in force says so") {
  const RequestedSetting good{"OMPI_MCA_x", "8", "8", Proof::proven, ""};
  const RequestedSetting other{"OMPI_MCA_y", "8", "4", Proof::ignored, ""};
  CHECK(set_as_requested(std::vector{good}).proof == Proof::proven);
  const InForce found = set_as_requested(std::vector{good, other});
  CHECK(found.proof == Proof::ignored);
  CHECK_THAT(found.evidence, Catch::Contains("OMPI_MCA_y=8"));
}

TEST_CASE("causes in the program stand beside settings, and first where no setting gains") {
  const ProgramAdvice imbalance{.kind = "imbalance",
                                .rank = 1,
                                .site = "main (ring.c:3)",
                                .fraction = 0.38,
                                .sentence = "Rank 1 computes 2.7 times as long",
                                .help = "balanced, the run would take 1.08 s",
                                .seconds = 1.08};
  AdviceView view = view_of({}, {});
  view.program = {imbalance};
  const std::string text = text_of(view);
  CHECK_THAT(text, !Catch::Contains("nothing to change"));
  CHECK(text.find("Rank 1 computes 2.7 times as long") < text.find("settings: "));
  CHECK_THAT(text, Catch::Contains("balanced, the run would take 1.08 s"));
  const nlohmann::json json = to_json(view).at("program").at(0);
  CHECK(json.at("kind") == "imbalance");
  CHECK(json.at("rank") == 1);
  CHECK(json.at("site") == "main (ring.c:3)");
  CHECK(json.at("fraction") == 0.38);
  CHECK(json.at("seconds") == 1.08);

  AdviceView both = view_of({predicted(0.4, 0.6)}, {});
  both.program = {imbalance};
  const std::string settings_first = text_of(both);
  CHECK(settings_first.find("-50 %") < settings_first.find("in the program:"));
  both.program.front().kind = "starved_cpu";
  const std::string starved_first = text_of(both);
  CHECK(starved_first.find("in the program:") < starved_first.find("-50 %"));
  view.program.front().fraction = 0.04;
  CHECK_THAT(text_of(view), Catch::Contains("nothing to change"));
}

}  // namespace hockney::advice
