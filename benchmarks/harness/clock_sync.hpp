#pragma once

#include <mpi.h>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/handle.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks {

/// What tells the monotonic clock of this process from others: the boot of its kernel, and its time
/// namespace (time_namespaces(7): a container can be given a clock with an offset). Processes with
/// the same text read the same clock. Empty when the system does not say.
std::string clock_identity();

/// The processes that read one clock, by the position of the first of them. Those whose identity is
/// not known are alone.
std::vector<int> clock_groups(const std::vector<std::string>& identities);

/// Which ranks count as readers of the same clock.
enum class ClockGrouping {
  detect,     ///< those of one node that prove it
  each_alone  ///< none, although they do: so that the tree meets a truth that is known
};

struct SyncOptions {
  double horizon_seconds = 3;  ///< how long the global clock will be used
  ClockGrouping grouping = ClockGrouping::detect;
};

/// Brings the clocks of a job together. Ranks that read the same clock need nothing, and show by a
/// test whose truth is 0 that the algorithm works; their leaders learn from each other over HCA3's
/// tree. Under a simulator everybody has the same clock. Construction is collective over `comm`;
/// RunError when a clock contradicts itself all the time.
class ClockSync {
 public:
  /// `clock` must outlive it and the global clocks it gives.
  ClockSync(MPI_Comm comm, TickClock& clock, const SyncOptions& options = {});

  [[nodiscard]] GlobalClock global() const { return {clock_, model_, facts_.bound_seconds}; }
  /// For the record; the same on every rank, but for the checks, which are known on rank 0.
  [[nodiscard]] const Synchronisation& facts() const { return facts_; }

  /// Synchronises `times` times among ranks that read the same clock, where the truth is 0, and
  /// adds every finding to the facts; none are made where no two ranks read the same clock, or all
  /// of them are simulated. Collective.
  void check(int times);
  /// Measures the offsets again and compares them with what the global clocks say now. Collective.
  void measure_again();
  /// Whether measure_again proved the clocks to be farther apart than 100 ns and the bound of the
  /// synchronisation.
  [[nodiscard]] bool drifted() const;

 private:
  void group_by_node();
  void test_group();
  void choose_leaders();
  void learn(double horizon_seconds);
  void share_model();
  [[nodiscard]] double seconds(std::int64_t ticks) const;

  TickClock& clock_;
  UniqueComm comm_;
  UniqueComm group_;    ///< the ranks that read this rank's clock
  UniqueComm refuted_;  ///< those who said so, when the test refuted them; otherwise null
  UniqueComm leaders_;  ///< the first rank of each group; null on the others
  int groups_ = 1;
  ClockModel model_;
  Synchronisation facts_;
};

}  // namespace hockney::benchmarks
