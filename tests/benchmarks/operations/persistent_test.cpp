#include <catch2/catch.hpp>

#include "benchmarks/harness/collectives.hpp"
#include "tests/benchmarks/corruption/corruptor.hpp"
#include "tests/benchmarks/operations/one_operation.hpp"

namespace hockney::benchmarks {
namespace {

/// Whether the data are found good after so many starts in a visit of which all must move
/// something, or none but the first of the request.
bool is_good(const CatalogueEntry& entry, const UniqueComm& team, Corruption corruption,
             int starts) {
  BufferPool buffers(1);
  const int size = size_of(team.get());
  const auto operation =
      entry.prepare({team.get(), rank_in(team.get()), size, buffers, CachePlan{}},
                    point_for(entry.descriptor, Bytes{264}, size));
  const Corruptor corruptor(corruption, {});
  operation->refill(1, starts);
  for (int i = 0; i < starts; ++i) {
    operation->ready();
    operation->run_batch(1);
  }
  return all_of(team.get(), operation->verify());
}

TEST_CASE("a persistent request that moves nothing when it is started again is noticed") {
  int tried = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    const Descriptor& descriptor = entry.descriptor;
    if (!descriptor.name.starts_with("persistent-") || !descriptor.sized) continue;
    const UniqueComm team = team_for(descriptor);
    if (!team || size_of(team.get()) < 2) continue;
    if (!is_possible(entry, point_for(descriptor, Bytes{264}, size_of(team.get())))) continue;
    ++tried;
    for (const int starts : {1, 3}) {
      INFO(descriptor.name << ", started " << starts << " times");
      CHECK(is_good(entry, team, Corruption::none, starts));
      CHECK_FALSE(is_good(entry, team, Corruption::no_restart, starts));
    }
  }
  if (!persistent_obstacle({})) CHECK(tried >= 4);
}

}  // namespace
}  // namespace hockney::benchmarks
