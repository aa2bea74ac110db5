#include <array>
#include <catch2/catch.hpp>

#include "benchmarks/harness/communicators.hpp"
#include "tests/benchmarks/corruption/corruptor.hpp"
#include "tests/benchmarks/operations/one_operation.hpp"

namespace hockney::benchmarks {
namespace {

/// What came of one call.
struct Made {
  bool is_good = false;      ///< on all ranks
  bool has_changed = false;  ///< on any rank
};

Made make_one(const CatalogueEntry& entry, const UniqueComm& team, Corruption corruption) {
  BufferPool buffers(1);
  const int size = size_of(team.get());
  const auto operation =
      entry.prepare({team.get(), rank_in(team.get()), size, buffers, CachePlan{}},
                    point_for(entry.descriptor, Bytes{}, size));
  operation->refill(1, 1);
  Corruptor corruptor(corruption, {});
  operation->ready();
  operation->run_batch(1);
  return {all_of(team.get(), operation->verify()), any_of(team.get(), corruptor.has_changed())};
}

bool makes_communicators(const Descriptor& descriptor) {
  constexpr std::array beginnings{"comm-", "cart-", "dist-graph-"};
  return std::ranges::any_of(beginnings,
                             [&](const char* one) { return descriptor.name.starts_with(one); });
}

TEST_CASE("a communicator with other ranks, another order or without its topology is noticed") {
  int noticed = 0;
  int without_topology = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    if (!makes_communicators(entry.descriptor)) continue;
    INFO(entry.descriptor.name);
    const UniqueComm team = team_for(entry.descriptor);
    CHECK(make_one(entry, team, Corruption::none).is_good);
    for (const Corruption corruption :
         {Corruption::missing_rank, Corruption::other_order, Corruption::no_topology}) {
      const Made made = make_one(entry, team, corruption);
      if (!made.has_changed) continue;
      INFO(static_cast<int>(corruption));
      CHECK_FALSE(made.is_good);
      ++noticed;
      if (corruption == Corruption::no_topology) ++without_topology;
    }
  }
  CHECK(without_topology == 4);
  // Of two ranks, even and odd ones are alone.
  const int ways = size_of(MPI_COMM_WORLD) > 2 ? 13 : 11;
  CHECK(noticed == 2 * ways + 4);
}

TEST_CASE("ranks are compared with those of the parent, in order") {
  const int size = size_of(MPI_COMM_WORLD);
  CHECK_FALSE(has_ranks(MPI_COMM_WORLD, MPI_COMM_WORLD, ranks_in_order(size)));
  CHECK_FALSE(has_ranks(MPI_COMM_NULL, MPI_COMM_WORLD, {}));
  UniqueComm copy;
  mpi_check(PMPI_Comm_dup(MPI_COMM_WORLD, copy.out()));
  CHECK(has_ranks(copy.get(), MPI_COMM_WORLD, ranks_in_order(size)));
  CHECK_FALSE(has_ranks(copy.get(), MPI_COMM_WORLD, ranks_in_order(size + 1)));
  CHECK(adds_up(copy.get()));
  CHECK(adds_up(MPI_COMM_SELF));
}

TEST_CASE("communicators are made one by one") {
  Point point{
      .operation = "comm-dup", .ranks = 2, .parameters = {{cadence_parameter, Cadence::streaming}}};
  CHECK(find_operation("comm-dup").obstacle(point));
  point.parameters.set(cadence_parameter, Cadence::isolated);
  CHECK_FALSE(find_operation("comm-dup").obstacle(point));
}

}  // namespace
}  // namespace hockney::benchmarks
