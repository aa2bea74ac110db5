#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/machine.hpp"

namespace hockney::benchmarks {

/// Two ranks, by their number in the job.
using ProbedPair = std::vector<int>;

/// Pairs of one host whose cache line is probed: those of `wanted` that are on one host and on
/// different CPUs, each once, at most 16 on each host. Ranks that may share a CPU are left out: a
/// round trip would take as long as the scheduler decides.
std::vector<ProbedPair> probed_pairs(std::span<const ProbedPair> wanted,
                                     std::span<const Site> sites);

/// Measures the machine without MPI: half the round trip of a cache line for each pair, then the
/// noise probe and the bandwidth of a copy, of all ranks at the same time. A pair takes about 0.1
/// ms, and the rest about 1 ms.
class MachineProber {
 public:
  /// `pairs` are from probed_pairs, the same on every rank. Without shared memory between the ranks
  /// of a host it probes no pair there. Collective.
  MachineProber(MPI_Comm comm, std::span<const Site> sites, std::vector<ProbedPair> pairs,
                TickClock& clock);

  /// Probes the machine. Returns the result on rank 0, and nullopt on the others. Collective.
  std::optional<MachineProbe> probe(ProbeMoment moment, double at_seconds);

 private:
  /// Adds the times of this rank's pairs to `seconds`, in the order of `pairs_`.
  void probe_lines(std::vector<double>& seconds);
  /// Half a round trip: of one batch, and the shortest of several; 0 if unknown, and on the second
  /// rank.
  double batch_seconds(LineTrip& trip);
  double shortest_batch(std::size_t place, bool is_first);
  [[nodiscard]] double noise_seconds() const;
  double copy_rate();

  MPI_Comm comm_;
  int rank_;
  std::vector<ProbedPair> pairs_;
  std::vector<std::size_t> host_pairs_;  ///< indices of the pairs of this rank's host
  TickClock& clock_;
  UniqueComm host_;
  std::unique_ptr<SharedMemory> shared_;  ///< null without pairs on this host
  std::size_t probes_ = 0;                ///< so far
  std::vector<LineTrip> trips_;           ///< of each pair of the host
  std::vector<std::byte> from_;
  std::vector<std::byte> to_;
};

}  // namespace hockney::benchmarks
