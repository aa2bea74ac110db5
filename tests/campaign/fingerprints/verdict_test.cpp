#include "campaign/fingerprints/verdict.hpp"

#include <catch2/catch.hpp>

#include "tests/campaign/fingerprints/verification_fixture.hpp"

namespace hockney::campaign {
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
  const auto use = judged(call_of("allreduce", "ring", doubles(1000)), asking_for("ring"));
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
  const auto use = judged(call, asking_for("ring"));
  CHECK(use.proof == Proof::ignored);
  CHECK(use.ran == "recursive_doubling");
}

TEST_CASE("two doubles on four ranks: Rabenseifner is asked for, linear ran") {
  VerificationPoint call = counted_call("allreduce", 16, 4, 8);
  call.traffic = {{0, 1, 1, 16}, {0, 2, 1, 16}, {0, 3, 1, 16},
                  {1, 0, 1, 16}, {2, 0, 1, 16}, {3, 0, 1, 16}};
  const auto use = judged(call, asking_for("rabenseifner"));
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
  const auto use = judged(call, asking_for("binomial"));
  CHECK(use.proof == Proof::unproven);
  CHECK_FALSE(use.ran);
  CHECK_THAT(use.evidence, Catch::Contains("as no algorithm sends that hockney knows"));
}

TEST_CASE("algorithms that do the same on so few ranks are one") {
  // Between two ranks every tree is one message.
  const schedules::Workload work{.ranks = 2, .bytes = {100}};
  const auto use = judged(call_of("bcast", "binomial", work), asking_for("chain"));
  CHECK(use.proof == Proof::proven);
  CHECK(use.ran == "chain");
  CHECK_THAT(use.evidence, Catch::Contains("the same here as basic_linear"));
}

TEST_CASE("an algorithm whose messages are not known stays unproven") {
  const auto use = judged(call_of("allgather", "ring", {.ranks = 4, .bytes = {8}}),
                          asking_for("direct-messaging"));
  CHECK(use.proof == Proof::unproven);
  CHECK_THAT(use.evidence, Catch::Contains("what direct-messaging sends is not known"));
}

TEST_CASE("no refusal under a check is the library's word") {
  const VerificationRun intel{.library = "Intel(R) MPI Library 2021.18",
                              .no_counts = "the library does not show its messages",
                              .check = "I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK=1"};
  const VerificationPoint call = counted_call("bcast", 8192, 4);
  const auto use = judge_algorithm(intel, call, asking_for("preset 5"), "");
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
  const auto use = judge_algorithm(intel, call, asking_for("preset 9"), log);
  CHECK(use.proof == Proof::ignored);
  CHECK_FALSE(use.ran);
  CHECK(use.evidence == "refused: BCAST: algo #6 has fallback");
  call.stage = VerificationStage::not_begun;
  const auto early = judge_algorithm(intel, call, asking_for("preset 9"), log);
  CHECK(early.proof == Proof::unproven);
  CHECK(early.evidence == "the launch ended before the call: BCAST: algo #6 has fallback");
  VerificationPoint reduce = counted_call("reduce", 8192, 4);
  reduce.stage = VerificationStage::begun;
  CHECK(judge_algorithm(intel, reduce, asking_for("preset 9"), log).proof == Proof::unproven);
}

TEST_CASE("MPICH refuses by an error, and its silence counts without the device only") {
  VerificationRun mpich{.library = "MPICH Version: 5.0.2",
                        .check = "MPIR_CVAR_COLLECTIVE_FALLBACK=error"};
  VerificationPoint call = counted_call("allreduce", 16, 4, 8);
  const auto proven = judge_algorithm(mpich, call, asking_for("reduce_scatter_allgather"), "");
  CHECK(proven.proof == Proof::proven);
  CHECK(proven.ran == "rabenseifner");  // as hockney calls it
  mpich.no_check = "the device";
  CHECK(judge_algorithm(mpich, call, asking_for("ring"), "").evidence == "the device");
  call.error =
      "Other MPI error, error stack:\nMPIR_Allreduce_impl(4850): User set collective algorithm is "
      "not usable for the provided arguments";
  const auto refused = judge_algorithm(mpich, call, asking_for("ring"), "");
  CHECK(refused.proof == Proof::ignored);
  CHECK_FALSE(refused.ran);
  call.error = "Failure during collective";
  const auto failed = judge_algorithm(mpich, call, asking_for("smp"), "");
  CHECK(failed.proof == Proof::unproven);
  CHECK(failed.evidence == "the call returned an error: Failure during collective");
}

}  // namespace hockney::campaign
