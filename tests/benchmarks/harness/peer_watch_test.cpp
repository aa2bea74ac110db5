#include "benchmarks/harness/peer_watch.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"

namespace hockney::benchmarks {

TEST_CASE("ranks of a node that all end their watch in turn end nothing else") {
  for (int i = 0; i < 20; ++i) {
    const PeerWatch watch(MPI_COMM_WORLD);
    CHECK(watch.is_on() == (size_of(MPI_COMM_WORLD) > 1));
  }
  quiet_barrier(MPI_COMM_WORLD);
  {
    const PeerWatch watch(MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0) ::usleep(100'000);  // the others go first
  }
  {
    const PeerWatch watch(MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) != 0) ::usleep(100'000);
  }
  quiet_barrier(MPI_COMM_WORLD);
}

}  // namespace hockney::benchmarks
