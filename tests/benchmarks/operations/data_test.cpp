#include <mpi.h>

#include <catch2/catch.hpp>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/window.hpp"

namespace hockney {
namespace {

/// The first two ranks for pair operations, everybody for the others; null where this rank is out.
UniqueComm team_for(const Descriptor& descriptor) {
  const int rank = rank_in(MPI_COMM_WORLD);
  const bool in = descriptor.shape != TeamShape::pair || rank < 2;
  UniqueComm team;
  mpi_check(MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, rank, team.out()));
  return team;
}

Point point_for(const Descriptor& descriptor, Bytes bytes, int ranks) {
  Point point{.operation = std::string(descriptor.name), .bytes = bytes, .ranks = ranks};
  if (descriptor.windowed) point.parameters["window"] = "5";
  return point;
}

bool all_of(MPI_Comm comm, bool value) {
  int all = value ? 1 : 0;
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm));
  return all == 1;
}

TEST_CASE("every operation delivers what it sends, at eager and rendezvous sizes") {
  BufferPool buffers(1);
  for (const CatalogueEntry& entry : catalogue()) {
    const UniqueComm team = team_for(entry.descriptor);
    if (!team) continue;
    const int size = size_of(team.get());
    const Context context{team.get(), rank_in(team.get()), size, buffers};
    for (const std::int64_t bytes : {0, 1, 7, 4096, 100'000}) {
      INFO(entry.descriptor.name << " at " << bytes);
      const auto operation =
          entry.prepare(context, point_for(entry.descriptor, Bytes{bytes}, size));
      operation->refill(static_cast<std::uint64_t>(bytes));
      operation->run_batch(3);
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
    const Context context{team.get(), rank_in(team.get()), size, buffers};
    const auto operation = entry.prepare(context, point_for(entry.descriptor, Bytes{64}, size));
    operation->refill(1);  // and not run
    CHECK_FALSE(all_of(team.get(), operation->verify()));
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
}  // namespace hockney
