#include <mpi.h>

#include <catch2/catch.hpp>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "tests/benchmarks/operations/one_operation.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("every operation delivers what it sends, at eager and rendezvous sizes") {
  BufferPool buffers(1);
  for (const CatalogueEntry& entry : catalogue()) {
    const UniqueComm team = team_for(entry.descriptor);
    if (!team) continue;
    const int size = size_of(team.get());
    const Workbench bench{team.get(), rank_in(team.get()), size, buffers};
    for (const std::int64_t bytes : {0, 1, 7, 4096, 100'000}) {
      INFO(entry.descriptor.name << " at " << bytes);
      const Point point = point_for(entry.descriptor, Bytes{bytes}, size);
      if (obstacle(point) || !is_possible(entry, point)) continue;
      const auto operation = entry.prepare(bench, point);
      operation->refill(static_cast<std::uint64_t>(bytes), 3);
      operation->run_batch(entry.descriptor.needs_ready ? 1 : 3);
      CHECK(operation->verify());
    }
  }
}

TEST_CASE("data that were not sent are not taken for data that were") {
  BufferPool buffers(2);
  for (const CatalogueEntry& entry : catalogue()) {
    const UniqueComm team = team_for(entry.descriptor);
    if (!team) continue;
    INFO(entry.descriptor.name);
    const int size = size_of(team.get());
    for (const CachePlan& cache : small_rings()) {
      const Workbench bench{team.get(), rank_in(team.get()), size, buffers, cache};
      const Point point = point_for(entry.descriptor, Bytes{64}, size);
      if (!is_possible(entry, point, cache)) continue;
      const auto operation = entry.prepare(bench, point);
      operation->refill(1, 1);  // and not run
      CHECK_FALSE(all_of(team.get(), operation->verify()));
    }
  }
}

TEST_CASE("a window holds 64 messages, fewer where they would fill the memory") {
  CHECK(default_window({0}) == 64);
  CHECK(default_window({8}) == 64);
  CHECK(default_window({512 << 10}) == 64);
  CHECK(default_window({1 << 20}) == 32);
  CHECK(default_window({std::int64_t{1} << 30}) == 1);
}

}  // namespace
}  // namespace hockney::benchmarks
