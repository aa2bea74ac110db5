#include "campaign/fingerprints/candidates.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/campaign/fingerprints/verification_fixture.hpp"

namespace hockney::campaign {
namespace {

/// What two calls send together.
void add_traffic(VerificationPoint& call, const VerificationPoint& more) {
  for (const SentTraffic& sent : more.traffic) {
    const auto same = std::ranges::find_if(call.traffic, [&](const SentTraffic& each) {
      return each.from == sent.from && each.to == sent.to;
    });
    if (same == call.traffic.end()) {
      call.traffic.push_back(sent);
    } else {
      same->messages += sent.messages;
      same->bytes += sent.bytes;
    }
  }
}

}  // namespace

TEST_CASE("every algorithm that fits is a candidate, and matches what it sends itself") {
  const schedules::Workload work{.ranks = 6, .bytes = {4800}, .element_bytes = 8};
  for (const std::string& operation : schedules::scheduled_operations()) {
    for (const std::string& algorithm : schedules::algorithms_of(operation)) {
      const bool elsewhere = algorithm == "linear_in_turn" || algorithm == "in-order_binomial" ||
                             (operation == "reduce_scatter" && algorithm == "pairwise");
      if (unfit(operation, algorithm, work) || elsewhere) continue;
      INFO(operation << " " << algorithm);
      const VerificationPoint call = call_of(operation, algorithm, work);
      std::set<std::string> names;
      for (const PossibleAlgorithm& match :
           matching(candidates(call, asking_for(algorithm)), call.traffic)) {
        names.insert(match.algorithm);
      }
      CHECK(names.contains(algorithm));
    }
  }
}

TEST_CASE("companions that were asked for make another candidate") {
  RequestedAlgorithm way = asking_for("chain");
  way.chains = 2;
  const schedules::Workload two_chains{.ranks = 8, .bytes = {64}, .fanout = 2};
  const VerificationPoint call = call_of("bcast", "chain", two_chains);
  CHECK(matching(candidates(call, way), call.traffic).size() == 1);
  const auto without = matching(candidates(call, asking_for("chain")), call.traffic);
  CHECK(without.empty());  // four chains, the usual number, send to others
}

TEST_CASE("schedules differ in order, not only in what is sent") {
  const schedules::Workload work{.ranks = 4, .bytes = {64}};
  const schedules::Schedule at_once = schedule_of("bcast", "basic_linear", work);
  const schedules::Schedule in_turn = schedule_of("bcast", "linear_in_turn", work);
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
  CHECK(candidates(counted_call("neighbor-alltoall", 8, 4), RequestedAlgorithm()).empty());
}

TEST_CASE("two operations one after the other are a third, whichever algorithms they are") {
  struct Composed {
    std::string operation;
    std::string name;
    std::string first;
    std::string first_algorithm;
    std::int64_t first_bytes;
    std::string second;
    std::string second_algorithm;
    std::int64_t second_bytes;
  };
  const auto each = GENERATE(
      Composed{"allreduce", "nonoverlapping", "reduce", "pipeline", 64, "bcast", "binomial", 64},
      Composed{"allgather", "linear", "gather", "binomial", 64, "bcast", "scatter_allgather", 512},
      Composed{"reduce-scatter", "non-overlapping", "reduce", "binomial", 64, "scatter", "binomial",
               8},
      Composed{"reduce-scatter-block", "basic_linear", "reduce", "linear", 512, "scatter",
               "basic_linear", 64});
  const schedules::Workload work{.ranks = 8, .bytes = {64}, .element_bytes = 8};
  VerificationPoint call = call_of(each.first, each.first_algorithm,
                                   {.ranks = 8, .bytes = {each.first_bytes}, .element_bytes = 8});
  call.point.operation = each.operation;
  call.point.bytes = work.bytes;
  add_traffic(call, call_of(each.second, each.second_algorithm,
                            {.ranks = 8, .bytes = {each.second_bytes}, .element_bytes = 8}));
  INFO(each.operation);
  const auto matches = matching(candidates(call, asking_for(each.name)), call.traffic);
  REQUIRE_FALSE(matches.empty());
  for (const PossibleAlgorithm& match : matches) CHECK(match.algorithm == each.name);
  CHECK(matching(candidates(call, asking_for("ring")), call.traffic).empty());
  CHECK(matching(candidates(call, RequestedAlgorithm()), call.traffic).size() == matches.size());
}

TEST_CASE("a composition of parts that are not equal cannot be told") {
  const VerificationPoint call = counted_call("reduce-scatter", 77, 8);
  const auto all = candidates(call, asking_for("non-overlapping"));
  CHECK_FALSE(all.empty());
  for (const PossibleAlgorithm& each : all) {
    CHECK(each.algorithm != "non-overlapping");
  }
}

}  // namespace hockney::campaign
