#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "driver/campaign/fingerprints/verdict.hpp"
#include "tests/driver/campaign/fingerprints/verification_fixture.hpp"

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
                             (operation == "reduce-scatter" && algorithm == "pairwise");
      if (unfit(operation, algorithm, work) || elsewhere) continue;
      INFO(operation << " " << algorithm);
      const VerificationPoint call = call_of(operation, algorithm, work);
      std::set<std::string> names;
      for (const PossibleAlgorithm& match :
           matching(candidates(call, requesting(algorithm)), call.traffic)) {
        names.insert(match.algorithm);
      }
      CHECK(names.contains(algorithm));
    }
  }
}

TEST_CASE("companions that were asked for make another candidate") {
  RequestedAlgorithm way = requesting("chain");
  way.chains = 2;
  const schedules::Workload two_chains{.ranks = 8, .bytes = {64}, .fanout = 2};
  const VerificationPoint call = call_of("bcast", "chain", two_chains);
  CHECK(matching(candidates(call, way), call.traffic).size() == 1);
  const auto without = matching(candidates(call, requesting("chain")), call.traffic);
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
  CHECK(scheduled_name({.operation = "reduce-scatter"}) == "reduce-scatter");
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
  const auto matches = matching(candidates(call, requesting(each.name)), call.traffic);
  REQUIRE_FALSE(matches.empty());
  for (const PossibleAlgorithm& match : matches) CHECK(match.algorithm == each.name);
  CHECK(matching(candidates(call, requesting("ring")), call.traffic).empty());
  CHECK(matching(candidates(call, RequestedAlgorithm()), call.traffic).size() == matches.size());
}

TEST_CASE("a composition of parts that are not equal cannot be told") {
  const VerificationPoint call = counted_call("reduce-scatter", 77, 8);
  const auto all = candidates(call, requesting("non-overlapping"));
  CHECK_FALSE(all.empty());
  for (const PossibleAlgorithm& each : all) {
    CHECK(each.algorithm != "non-overlapping");
  }
}

namespace {

/// Four ranks and so many doubles.
schedules::Workload doubles(std::int64_t count) {
  return {.ranks = 4, .bytes = {8 * count}, .element_bytes = 8};
}

AlgorithmUse judged(const VerificationPoint& call, const RequestedAlgorithm& way) {
  return judge_algorithm(counting_library, call, way, "");
}

}  // namespace

TEST_CASE("messages of the algorithm that was asked for prove it") {
  const auto use = judged(call_of("allreduce", "ring", doubles(1000)), requesting("ring"));
  CHECK(use.proof == Proof::proven);
  CHECK(use.ran == "ring");
  CHECK(use.requested == "ring");
  // Without segments, the segmented ring is a ring.
  CHECK(use.evidence == "24 messages, 48000 bytes by a counter, the same here as segmented_ring");
}

TEST_CASE("two doubles on four ranks: ring is asked for, recursive doubling ran") {
  // Seen of Open MPI 4.1.4: each rank exchanges 16 bytes with its neighbour and the next but one.
  VerificationPoint call = counted_call("allreduce", 16, 4, 8);
  call.traffic = {{0, 1, 1, 16}, {0, 2, 1, 16}, {1, 0, 1, 16}, {1, 3, 1, 16},
                  {2, 0, 1, 16}, {2, 3, 1, 16}, {3, 1, 1, 16}, {3, 2, 1, 16}};
  const auto use = judged(call, requesting("ring"));
  CHECK(use.proof == Proof::ignored);
  CHECK(use.ran == "recursive_doubling");
}

TEST_CASE("two doubles on four ranks: Rabenseifner is asked for, linear ran") {
  VerificationPoint call = counted_call("allreduce", 16, 4, 8);
  call.traffic = {{0, 1, 1, 16}, {0, 2, 1, 16}, {0, 3, 1, 16},
                  {1, 0, 1, 16}, {2, 0, 1, 16}, {3, 0, 1, 16}};
  const auto use = judged(call, requesting("rabenseifner"));
  CHECK(use.proof == Proof::ignored);
  CHECK(use.ran == "basic_linear");
}

TEST_CASE("what the library chose by itself is told from the messages alone") {
  const auto use =
      judged(call_of("bcast", "binomial", {.ranks = 8, .bytes = {100}}), RequestedAlgorithm());
  CHECK(use.proof == Proof::proven);
  CHECK(use.ran == "binomial");
  CHECK(use.requested == "default");
}

TEST_CASE("a choice of segments is found too") {
  const schedules::Workload work{.ranks = 8, .bytes = {1 << 20}, .segment = {64 << 10}};
  const auto use = judged(call_of("bcast", "pipeline", work), RequestedAlgorithm());
  CHECK(use.ran == "pipeline");
  CHECK(use.proof == Proof::proven);
}

TEST_CASE("messages that no algorithm sends prove nothing") {
  VerificationPoint call = counted_call("bcast", 100, 4);
  call.traffic = {{3, 2, 1, 7}};
  const auto use = judged(call, requesting("binomial"));
  CHECK(use.proof == Proof::unproven);
  CHECK_FALSE(use.ran);
  CHECK_THAT(use.evidence, Catch::Contains("as no algorithm sends that hockney knows"));
}

TEST_CASE("algorithms that do the same on so few ranks are one") {
  // Between two ranks every tree is one message.
  const schedules::Workload work{.ranks = 2, .bytes = {100}};
  const auto use = judged(call_of("bcast", "binomial", work), requesting("chain"));
  CHECK(use.proof == Proof::proven);
  CHECK(use.ran == "chain");
  CHECK_THAT(use.evidence, Catch::Contains("the same here as basic_linear"));
}

TEST_CASE("an algorithm whose messages are not known stays unproven") {
  const auto use = judged(call_of("allgather", "ring", {.ranks = 4, .bytes = {8}}),
                          requesting("direct-messaging"));
  CHECK(use.proof == Proof::unproven);
  CHECK_THAT(use.evidence, Catch::Contains("what direct-messaging sends is not known"));
}

TEST_CASE("no refusal under a check is the library's word") {
  const VerificationRun intel{.library = "Intel(R) MPI Library 2021.18",
                              .no_counts = "the library does not show its messages",
                              .check = "I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK=1"};
  const VerificationPoint call = counted_call("bcast", 8192, 4);
  const auto use = judge_algorithm(intel, call, requesting("preset 5"), "");
  CHECK(use.proof == Proof::proven);
  CHECK(use.ran == "preset 5");
  CHECK(use.evidence == "not refused under I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK=1");
  CHECK(judge_algorithm(intel, call, RequestedAlgorithm(), "").proof == Proof::unproven);
}

TEST_CASE("a refusal in the log is of the operation it names, once that was begun") {
  const VerificationRun intel{.library = "Intel(R) MPI Library 2021.18",
                              .check = "I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK=1"};
  const std::string log =
      "Assertion failed in file ../../src/ofi_coll_globals_default.c at line 62\n"
      "BCAST: algo #6 has fallback\nAbort(1) on node 0: Internal error\n";
  VerificationPoint call = counted_call("bcast", 8192, 4);
  call.stage = VerificationStage::begun;
  const auto use = judge_algorithm(intel, call, requesting("preset 9"), log);
  CHECK(use.proof == Proof::ignored);
  CHECK_FALSE(use.ran);
  CHECK(use.evidence == "refused: BCAST: algo #6 has fallback");
  call.stage = VerificationStage::not_begun;
  const auto early = judge_algorithm(intel, call, requesting("preset 9"), log);
  CHECK(early.proof == Proof::unproven);
  CHECK(early.evidence == "the launch ended before the call: BCAST: algo #6 has fallback");
  VerificationPoint reduce = counted_call("reduce", 8192, 4);
  reduce.stage = VerificationStage::begun;
  CHECK(judge_algorithm(intel, reduce, requesting("preset 9"), log).proof == Proof::unproven);
}

TEST_CASE("MPICH refuses by an error, and its silence counts without the device only") {
  VerificationRun mpich{.library = "MPICH Version: 5.0.2",
                        .check = "MPIR_CVAR_COLLECTIVE_FALLBACK=error"};
  VerificationPoint call = counted_call("allreduce", 16, 4, 8);
  const auto proven = judge_algorithm(mpich, call, requesting("reduce_scatter_allgather"), "");
  CHECK(proven.proof == Proof::proven);
  CHECK(proven.ran == "rabenseifner");  // as hockney calls it
  mpich.no_check = "the device";
  CHECK(judge_algorithm(mpich, call, requesting("ring"), "").evidence == "the device");
  call.error =
      "Other MPI error, error stack:\nMPIR_Allreduce_impl(4850): User set collective algorithm is "
      "not usable for the provided arguments";
  const auto refused = judge_algorithm(mpich, call, requesting("ring"), "");
  CHECK(refused.proof == Proof::ignored);
  CHECK_FALSE(refused.ran);
  call.error = "Failure during collective";
  const auto failed = judge_algorithm(mpich, call, requesting("smp"), "");
  CHECK(failed.proof == Proof::unproven);
  CHECK(failed.evidence == "the call returned an error: Failure during collective");
}

}  // namespace hockney::campaign
