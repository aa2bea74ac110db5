#include <mpi.h>

#include <catch2/catch.hpp>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/placement.hpp"
#include "tests/benchmarks/corruption/corruptor.hpp"
#include "tests/benchmarks/operations/one_operation.hpp"

namespace hockney::benchmarks {
namespace {

/// Every operation with data in every cache state, at one size; but for those on windows, whose
/// memory stays in one place (one_sided_test.cpp), and on files (files_test.cpp). Without all,
/// those by MPI whose every call replaces what the one before it left.
template <class Check>
void for_every_state(Bytes bytes, Check check, bool with_all = true) {
  BufferPool buffers(1);
  for (const CatalogueEntry& entry : catalogue()) {
    const UniqueComm team = team_for(entry.descriptor);
    const bool is_moved = !entry.descriptor.one_sided && !entry.descriptor.files;
    if (!team || !entry.descriptor.sized || !is_moved) continue;
    const bool is_replaced = goes_by_mpi(entry.descriptor) && !entry.descriptor.accumulates;
    if (!with_all && !is_replaced) continue;
    const int size = size_of(team.get());
    const Point point = point_for(entry.descriptor, bytes, size);
    if (obstacle(point)) continue;
    for (const CachePlan& cache : small_rings()) {
      if (!is_possible(entry, point, cache)) continue;
      INFO(entry.descriptor.name << " " << word(cache.state) << " at " << bytes.value);
      const auto operation =
          entry.prepare({team.get(), rank_in(team.get()), size, buffers, cache}, point);
      check(*operation, team.get(), cache.state);
    }
  }
}

TEST_CASE(
    "every operation delivers its data in every cache state, however often a ring goes round") {
  for (const std::int64_t bytes : {0, 8, 100'000}) {
    for_every_state({bytes}, [](PreparedOperation& operation, MPI_Comm, CacheState) {
      for (const std::int64_t iterations : {1, 10}) {
        operation.refill(static_cast<std::uint64_t>(iterations), iterations);
        operation.run_batch(iterations);
        CHECK(operation.verify());
        operation.run_batch(iterations / 2);  // in the middle of the ring
        operation.run_batch(iterations);
        CHECK(operation.verify());
      }
    });
  }
}

TEST_CASE("rotating buffers of every iteration are looked at, not those of the last one only") {
  for_every_state(
      {64},
      [](PreparedOperation& operation, MPI_Comm team, CacheState state) {
        operation.refill(1, 5);
        operation.run_batch(2);
        {
          const Corruptor corruptor(Corruption::first_bit, {});
          operation.run_batch(1);
        }
        operation.run_batch(2);
        // Hot, the data of the last iteration have replaced those that were corrupted.
        CHECK(all_of(team, operation.verify()) == (state == CacheState::hot));
      },
      false);
}

TEST_CASE("places that were not used yet are no error") {
  for_every_state({64}, [](PreparedOperation& operation, MPI_Comm, CacheState) {
    operation.refill(1, 20);
    operation.run_batch(3);
    CHECK(operation.verify());
  });
}

// A sanitizer's allocator keeps what is freed, so that MPI itself touches new pages in every call.
#ifndef __SANITIZE_ADDRESS__
TEST_CASE("receiving into fresh buffers touches a new page in every iteration, hot and cold none") {
  constexpr std::int64_t iterations = 200;
  for_every_state({64}, [](PreparedOperation& operation, MPI_Comm team, CacheState state) {
    operation.refill(1, iterations);
    operation.run_batch(iterations);  // here MPI itself may grow
    operation.refill(2, iterations);
    const std::int64_t before = page_faults();
    operation.run_batch(iterations);
    const bool every_time = page_faults() - before >= iterations;
    CHECK(any_of(team, every_time) == (state == CacheState::fresh));
  });
}
#endif

TEST_CASE("only fresh memory ends; hot buffers take no account of iterations") {
  for_every_state({64}, [](PreparedOperation& operation, MPI_Comm, CacheState state) {
    const auto most = operation.most_iterations();
    CHECK(most.has_value() == (state != CacheState::hot));
    if (state == CacheState::fresh) CHECK(*most <= (64 << 20) / (2 * 4096) * 2);
    if (state == CacheState::cold) CHECK(*most > std::int64_t{1} << 40);
  });
}

}  // namespace
}  // namespace hockney::benchmarks
