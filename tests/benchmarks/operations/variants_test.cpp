#include <catch2/catch.hpp>
#include <vector>

#include "tests/benchmarks/operations/corruption_trial.hpp"
#include "tests/benchmarks/operations/variants.hpp"

namespace hockney::benchmarks {
namespace {

/// Messages that meet need two ranks, as those of a pair do, and no option of collectives concerns
/// them.
bool is_collective(const CatalogueEntry& entry) {
  const Descriptor& descriptor = entry.descriptor;
  return descriptor.single && !descriptor.contends && descriptor.shape == GroupShape::everybody;
}

TEST_CASE("every collective delivers its data, however it is called", "[matrix]") {
  BufferPool buffers(5);
  const int ranks = size_of(MPI_COMM_WORLD);
  const Workbench bench{MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD), ranks, buffers};
  for (const CatalogueEntry& entry : catalogue()) {
    if (!is_collective(entry)) continue;
    for (const std::int64_t bytes : {0, 1, 3, 8, 1001}) {
      check_variants(entry, bench, bytes);
    }
  }
}

TEST_CASE("every corruption is noticed, however a collective is called") {
  BufferPool buffers(6);
  Tally tally;
  int points = 0;
  const int ranks = size_of(MPI_COMM_WORLD);
  UniqueComm team;
  mpi_check(MPI_Comm_dup(MPI_COMM_WORLD, team.out()));
  for (const CatalogueEntry& entry : catalogue()) {
    const Descriptor& descriptor = entry.descriptor;
    if (!is_collective(entry) || !descriptor.sized || descriptor.files) continue;
    const Point plain = point_for(entry.descriptor, Bytes{trial_elements * 8}, ranks);
    for (const Point& point : call_variants(entry, plain)) {
      Trial trial(entry, point, team, buffers, tally);
      const bool are_alike = point.parameters[counts_parameter] == Distribution::equal;
      (are_alike ? trial : trial.unlike()).expect_check(entry.descriptor.reduces);
      ++points;
    }
  }
  for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
  CHECK(tally.mistakes.empty());
  CHECK(tally.clean == points);
  CHECK(points > 60);
  CHECK(tally.noticed == tally.corrupted);
  CHECK(tally.corrupted > 500);
}

}  // namespace
}  // namespace hockney::benchmarks
