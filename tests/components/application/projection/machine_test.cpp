#include <catch2/catch.hpp>

#include "components/application/projection/machine.hpp"
#include "core/error.hpp"

namespace hockney::projection {
namespace {

using models::CollectiveCall;
using profile::Function;

constexpr double alpha = 1e-6;
constexpr double beta = 1e-9;

CollectiveCall call_of(Function function, int ranks, std::int64_t bytes, int root = -1) {
  CollectiveCall call{
      .function = static_cast<int>(function), .root = root, .ranks = {}, .bytes = bytes};
  for (int rank = 0; rank < ranks; ++rank) call.ranks.push_back(rank);
  return call;
}

/// An allreduce by the library's own choice that takes log2(p) 5 us, whatever its size.
collectives::Fits measured_allreduce() {
  collectives::Curve curve{.operation = "allreduce", .requested = "default"};
  for (const int ranks : {2, 4, 8, 16}) {
    for (const std::int64_t bytes : {8, 1024}) {
      const double rounds = ranks == 2 ? 1 : ranks == 4 ? 2 : ranks == 8 ? 3 : 4;
      curve.works.push_back({.ranks = ranks, .bytes = Bytes{bytes}});
      curve.medians_seconds.emplace_back(6, rounds * 5e-6);
    }
  }
  return collectives::fit_collectives({curve});
}

}  // namespace

TEST_CASE("calls of programs are collectives with a schedule, by one block or the whole vector") {
  const auto found = [](Function function, std::int64_t bytes) {
    return work_of(call_of(function, 4, bytes, 2));
  };
  CHECK(found(Function::Bcast, 1000)->work.bytes.value == 1000);
  CHECK(found(Function::Bcast, 1000)->work.root == 2);
  CHECK(found(Function::Ialltoall, 4000)->operation == "alltoall");
  CHECK(found(Function::Ialltoall, 4000)->work.bytes.value == 1000);
  CHECK(found(Function::Scatterv, 4000)->work.bytes.value == 1000);
  CHECK(found(Function::Allgatherv, 4000)->operation == "allgather");
  CHECK(found(Function::Allgatherv, 4000)->work.bytes.value == 4000);
  CHECK(found(Function::Reduce_scatter_block, 4000)->work.bytes.value == 1000);
  CHECK(found(Function::Ireduce_scatter, 4000)->operation == "reduce-scatter");
  CHECK(found(Function::Barrier, 0)->operation == "barrier");
  CHECK(found(Function::Iscan, 8)->operation == "scan");
  CHECK_FALSE(found(Function::Comm_split, 0));
}

TEST_CASE("a collective that nobody measured takes as long as its schedule") {
  const auto network = collectives::RankNetwork::uniform(alpha, beta);
  const collectives::Fits none;
  CollectiveTimes times(none, network, network, {});
  CHECK(times.seconds(call_of(Function::Allreduce, 8, 1000)) == Approx(3 * 2e-6));
  CHECK(times.seconds(call_of(Function::Bcast, 8, 1000, 0)) == Approx(3 * 2e-6));
  CHECK(times.seconds(call_of(Function::Bcast, 1, 1000, 0)) == 0);
  CHECK(times.seconds(call_of(Function::Comm_split, 8, 0)) == 0);
  CHECK(times.replayed() == std::set<std::string>{"allreduce", "bcast"});
  CHECK(times.unknown() == std::set<std::string>{"MPI_Comm_split"});
}

TEST_CASE("one that was measured takes what it took, and less on a faster network") {
  const auto measured = collectives::RankNetwork::uniform(alpha, 0);
  const auto faster = collectives::RankNetwork::uniform(alpha / 2, 0);
  const collectives::Fits fits = measured_allreduce();
  CollectiveTimes as_it_was(fits, measured, measured, {});
  CollectiveTimes elsewhere(fits, measured, faster, {});
  const CollectiveCall call = call_of(Function::Allreduce, 8, 8);
  CHECK(as_it_was.seconds(call) == Approx(15e-6).epsilon(1e-3));
  CHECK(elsewhere.seconds(call) == Approx(7.5e-6).epsilon(1e-3));
  CHECK(as_it_was.replayed().empty());
}

TEST_CASE("a forced algorithm is replayed, and refused where it is unfit") {
  const auto network = collectives::RankNetwork::uniform(alpha, beta);
  const collectives::Fits none;
  CollectiveTimes ring(none, network, network, {{"allgather", "ring"}});
  CHECK(ring.seconds(call_of(Function::Allgather, 8, 1000)) == Approx(7 * 2e-6));
  CollectiveTimes unfit(none, network, network, {{"allgather", "neighbor"}});
  CHECK_THROWS_AS(unfit.seconds(call_of(Function::Allgather, 7, 1000)), InputError);
}

TEST_CASE("ranks of one node and of two are as far apart in a part of the job as in the whole") {
  const collectives::RankNetwork network(
      {{0, 0, 1, 1}}, {{.name = "same-node", .segments = {{1 << 30, 1e-6, 0}}},
                       {.name = "cross-node", .segments = {{1 << 30, 10e-6, 0}}}});
  const collectives::Fits none;
  CollectiveTimes times(none, network, network, {});
  CollectiveCall call{
      .function = static_cast<int>(Function::Bcast), .root = 0, .ranks = {2, 3}, .bytes = 8};
  CHECK(times.seconds(call) == Approx(1e-6));
  call.ranks = {1, 3};
  CHECK(times.seconds(call) == Approx(10e-6));
}

}  // namespace hockney::projection
