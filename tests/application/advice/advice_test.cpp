// Programs with one fault each, on a machine whose messages take exactly 2 us + 1 ns/B in a node
// and 10 us + 4 ns/B between two; and programs without.

#include "application/advice/advice.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/support/made_machine.hpp"
#include "tests/support/scripted_trace.hpp"
#include "tests/support/synthetic_program.hpp"

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
      protocol.hand_overs = {
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
  CHECK_THAT(faults[1], Catch::StartsWith("2 ranks on the 1 processors of node1"));
}

}  // namespace hockney::advice
