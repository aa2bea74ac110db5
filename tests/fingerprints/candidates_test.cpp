#include "fingerprints/candidates.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/fingerprints/witness_fixture.hpp"

using namespace hockney;

TEST_CASE("every algorithm that fits is a candidate, and matches what it sends itself") {
  const Workload work{.ranks = 6, .bytes = {4800}, .element_bytes = 8};
  for (const std::string& operation : scheduled_operations()) {
    for (const std::string& algorithm : algorithms_of(operation)) {
      const bool elsewhere = algorithm == "linear_in_turn" || algorithm == "in-order_binomial" ||
                             (operation == "reduce_scatter" && algorithm == "pairwise");
      if (unfit(operation, algorithm, work) || elsewhere) continue;
      INFO(operation << " " << algorithm);
      const WitnessedPoint call = call_of(operation, algorithm, work);
      std::set<std::string> names;
      for (const Candidate& match :
           matching(candidates(call, asking_for(algorithm)), call.traffic)) {
        names.insert(match.algorithm);
      }
      CHECK(names.contains(algorithm));
    }
  }
}

TEST_CASE("companions that were asked for make another candidate") {
  AskedWay way = asking_for("chain");
  way.chains = 2;
  const Workload two_chains{.ranks = 8, .bytes = {64}, .fanout = 2};
  const WitnessedPoint call = call_of("bcast", "chain", two_chains);
  CHECK(matching(candidates(call, way), call.traffic).size() == 1);
  const auto without = matching(candidates(call, asking_for("chain")), call.traffic);
  CHECK(without.empty());  // four chains, the usual number, send to others
}

TEST_CASE("schedules differ in order, not only in what is sent") {
  const Workload work{.ranks = 4, .bytes = {64}};
  const Schedule at_once = schedule_of("bcast", "basic_linear", work);
  const Schedule in_turn = schedule_of("bcast", "linear_in_turn", work);
  CHECK(traffic_of(at_once) == traffic_of(in_turn));
  CHECK_FALSE(same_schedule(at_once, in_turn));
  CHECK(same_schedule(at_once, at_once));
}

TEST_CASE("with equal counts a vector form sends what the plain one does") {
  CHECK(scheduled_name({.operation = "allgatherv", .parameters = {{"counts", "equal"}}}) ==
        "allgather");
  CHECK(scheduled_name({.operation = "allgatherv", .parameters = {{"counts", "zipf"}}}).empty());
  CHECK(scheduled_name({.operation = "alltoallv"}) == "alltoall");
  CHECK(scheduled_name({.operation = "reduce-scatter"}) == "reduce_scatter");
}

TEST_CASE("an operation of which nothing is known has no candidates") {
  CHECK(scheduled_name({.operation = "neighbor-alltoall"}).empty());
  CHECK(candidates(counted_call("neighbor-alltoall", 8, 4), AskedWay()).empty());
}

TEST_CASE("a reduce and a bcast one after the other are an allreduce, whichever they are") {
  const Workload work{.ranks = 8, .bytes = {64}, .element_bytes = 8};
  WitnessedPoint call = call_of("reduce", "pipeline", work);
  call.point.operation = "allreduce";
  for (const SentTraffic& sent : call_of("bcast", "binomial", work).traffic) {
    const auto same = std::ranges::find_if(call.traffic, [&](const SentTraffic& each) {
      return each.from == sent.from && each.to == sent.to;
    });
    if (same == call.traffic.end()) {
      call.traffic.push_back(sent);
    } else {
      ++same->messages;
      same->bytes += sent.bytes;
    }
  }
  const auto matches = matching(candidates(call, asking_for("nonoverlapping")), call.traffic);
  REQUIRE(matches.size() == 1);
  CHECK(matches.front().algorithm == "nonoverlapping");
  CHECK(matching(candidates(call, asking_for("ring")), call.traffic).empty());
}
