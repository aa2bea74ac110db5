// What the harness costs: ping-pong by hockney's own operation and sampling against a bare loop
// written by hand, both in this process, interleaved in random order, each round with buffers at a
// new place. Two ranks:
//   mpirun -n 2 --bind-to none build/ci/bin/harness_cost [ROUNDS]

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/statistics.hpp"

namespace {

using namespace hockney;

constexpr std::int64_t batch = 200;
constexpr int samples = 20;

/// The loop anyone would write: half the round trip, seconds, median of `samples` batches.
double bare_loop(MPI_Comm comm, int rank, benchmarks::BufferPool& pool, Bytes bytes,
                 benchmarks::TickClock& clock) {
  const auto size = static_cast<std::size_t>(bytes.value);
  benchmarks::BufferRing ring(pool, {});
  const auto buffers = ring.draw({size, size});
  ring.take(1);
  std::byte* const send = buffers[0].data();
  std::byte* const receive = buffers[1].data();
  const int count = static_cast<int>(size);
  std::vector<double> seconds;
  MPI_Barrier(comm);
  for (int sample = -1; sample < samples; ++sample) {
    const std::int64_t start = clock.now();
    for (std::int64_t i = 0; i < batch; ++i) {
      if (rank == 0) {
        MPI_Send(send, count, MPI_BYTE, 1, 0, comm);
        MPI_Recv(receive, count, MPI_BYTE, 1, 0, comm, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(receive, count, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE);
        MPI_Send(send, count, MPI_BYTE, 0, 0, comm);
      }
    }
    const auto ticks = static_cast<double>(clock.now() - start);
    if (sample >= 0) seconds.push_back(ticks * clock.seconds_per_tick() / (2.0 * batch));
  }
  return median(seconds).value();
}

double harness(benchmarks::MpiRankGroup& group, benchmarks::BufferPool& pool, Bytes bytes,
               benchmarks::TickClock& clock) {
  const benchmarks::Point point{.operation = "pingpong", .bytes = bytes, .ranks = 2};
  const benchmarks::CatalogueEntry& entry = benchmarks::find_operation("pingpong");
  const auto operation =
      entry.prepare({group.operations(), group.rank(), group.size(), pool}, point);
  operation->refill(1, 1);
  const benchmarks::Sampling sampling{.divisor = 2, .batch = batch, .samples = samples};
  const auto synchroniser = make_start_synchroniser(benchmarks::StartScheme::barrier, group, clock);
  return median(take_samples(*operation, group, clock, sampling, *synchroniser).samples_seconds)
      .value();
}

void compare(benchmarks::MpiRankGroup& group, benchmarks::BufferPool& pool, Bytes bytes,
             benchmarks::TickClock& clock, int rounds) {
  std::mt19937_64 order(7);  // the same on both ranks
  std::vector<double> ratios;
  std::vector<double> bare_times;
  std::vector<double> harness_times;
  for (int round = 0; round < rounds; ++round) {
    double bare = 0;
    double ours = 0;
    const bool bare_first = order() % 2 == 0;
    if (bare_first) bare = bare_loop(group.operations(), group.rank(), pool, bytes, clock);
    ours = harness(group, pool, bytes, clock);
    if (!bare_first) bare = bare_loop(group.operations(), group.rank(), pool, bytes, clock);
    ratios.push_back(ours / bare);
    bare_times.push_back(bare);
    harness_times.push_back(ours);
  }
  if (group.rank() != 0) return;
  const auto interval = quantile_interval(ratios).value();
  std::cout << bytes.value << " B: bare " << median(bare_times).value() * 1e6 << " us, hockney "
            << median(harness_times).value() * 1e6 << " us, ratio " << median(ratios).value()
            << " (" << 100 * interval.level << " % interval over rounds " << interval.low << " .. "
            << interval.high << ")\n";
}

}  // namespace

int main(int argc, char** argv) {
  const benchmarks::MpiEnvironment mpi(argc, argv);
  const int rounds = argc > 1 ? std::max(6, std::atoi(argv[1])) : 400;
  const benchmarks::JobPlacement job = benchmarks::place_ranks(MPI_COMM_WORLD, {});
  benchmarks::MpiRankGroup group(MPI_COMM_WORLD);
  benchmarks::BufferPool pool(static_cast<std::uint64_t>(group.rank()));
  const auto clock = benchmarks::make_clock();
  for (const std::int64_t bytes : {0, 8, 1024}) compare(group, pool, {bytes}, *clock, rounds);
}
