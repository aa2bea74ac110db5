#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "components/application/profile/profile.hpp"
#include "core/text.hpp"

namespace hockney::applications {

// CPU time beside wall time. A rank that sleeps, in MPI or outside, uses little CPU time, too: only
// a rank that is ready to run and has no CPU is starved. Evidence, best first: time on the run
// queue (schedstat of Linux); without it, the time without a CPU that follows involuntary switches.

/// Time in which a rank was ready to run but had no CPU [s].
struct NotScheduled {
  double computing_seconds = 0;  ///< outside of MPI
  double mpi_seconds = 0;        ///< in MPI
  bool is_estimated = false;     ///< from context switches, for lack of run queue times

  [[nodiscard]] double seconds() const { return computing_seconds + mpi_seconds; }
};

/// Time in which a thread of the rank computed for certain, or was ready to, whatever its other
/// threads did in MPI [s]. 0 if the profile does not have it.
double computing_at_least(const profile::Rank& rank);

/// nullopt if the profile has no CPU times of the rank.
std::optional<NotScheduled> not_scheduled(const profile::Rank& rank);

/// Who had the CPUs that ranks were ready to run on.
enum class ContentionSource { other_processes, other_ranks, cpu_limit, own_threads };

constexpr auto words_of(std::type_identity<ContentionSource>) {
  return std::to_array<std::string_view>(
      {"other processes", "other ranks", "a CPU limit", "own threads"});
}

/// CPU use of a run.
struct CpuSummary {
  /// CPU time / wall time of each rank, in order. Of a rank with several threads at most the part
  /// of the time in which all threads that were ready to run had a CPU.
  std::vector<double> per_rank;
  double fraction = 0;             ///< the same of all ranks together
  double not_scheduled_share = 0;  ///< of the time of all ranks
  bool is_estimated = false;       ///< as in NotScheduled
  ContentionSource source = ContentionSource::other_processes;
  int threads = 0;  ///< own_threads: CPUs that a rank needs, one for each of its threads

  /// Whether times are so far from those of a run on free CPUs that they do not compare.
  [[nodiscard]] bool is_starved() const { return not_scheduled_share >= starved_share; }

  static constexpr double starved_share = 0.05;
};

/// nullopt if any rank has no CPU times.
std::optional<CpuSummary> cpu_summary(const profile::Profile& profile);

}  // namespace hockney::applications
