#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks {

/// Readings of clocks, exchanged in blocking messages of one number. Participants are ranks of
/// `comm`, which must carry nothing else meanwhile.
class MpiExchange final : public Exchange {
 public:
  MpiExchange(MPI_Comm comm, TickClock& clock) : comm_(comm), clock_(clock) {}

  std::int64_t now() override { return clock_.now(); }
  std::int64_t query(int parent) override;
  std::optional<std::int64_t> finish(int parent) override;
  void teach(int child, const std::optional<Offset>& known) override;

 private:
  std::int64_t answer_to(int parent, std::int64_t question);

  MPI_Comm comm_;
  TickClock& clock_;
};

/// How often offsets are measured, how far apart, and how long the result is used.
struct SyncRounds {
  int passes = 3;
  double pause_seconds = 0;
  double horizon_seconds = 0;
};

/// Measures the clock of rank 0 of `comm` over HCA3's tree; nullopt if the readings contradict each
/// other. `comm` must carry nothing else meanwhile. Collective.
std::optional<ClockModel> estimate_clock(MPI_Comm comm, TickClock& clock, const SyncRounds& rounds);

/// The worst result of all ranks, by how far the estimate exceeds its bound; failed tests come
/// first. nullopt if no rank has a result. The same on every rank. Collective.
std::optional<ClockSelfTest> worst_of(MPI_Comm comm, const std::optional<ClockSelfTest>& own);

/// Synchronises `times` times among the ranks of `comm`, which read the same clock, each time with
/// a new pass of the tree. Returns this rank's results for the first rank's clock; none on the
/// first rank. `comm` must carry nothing else meanwhile. Collective.
std::vector<ClockSelfTest> check_clocks(MPI_Comm comm, TickClock& clock, int times);

/// The results of all ranks in order of ranks, on rank 0; empty on the others. Collective.
std::vector<ClockSelfTest> gather_findings(MPI_Comm comm, const std::vector<ClockSelfTest>& own);

/// Identity of this process's monotonic clock: its kernel's boot and its time namespace
/// (time_namespaces(7): a container can have a clock with an offset). Processes with equal texts
/// read the same clock. Empty if the system does not report it.
std::string clock_identity();

/// The group of processes that read the same clock, for each process, as the position of the
/// group's first process. A process without identity is a group alone.
std::vector<int> clock_groups(const std::vector<std::string>& identities);

/// Which ranks count as readers of the same clock.
enum class ClockGrouping {
  detect,     ///< ranks of one node with equal clock_identity() that pass the self-test
  each_alone  ///< none, so that the tree is tested against a known offset
};

struct SyncOptions {
  double horizon_seconds = 3;  ///< how long the global clock will be used
  ClockGrouping grouping = ClockGrouping::detect;
};

/// Synchronises the clocks of a job. Ranks that read the same clock need no synchronisation; they
/// test the algorithm, as their true offset is 0. Their leaders synchronise over HCA3's tree. Under
/// a simulator all ranks have the same clock. Construction is collective over `comm`; RunError if
/// the readings of a clock always contradict each other.
class ClockSync {
 public:
  /// `clock` must outlive this object and its global clocks.
  ClockSync(MPI_Comm comm, TickClock& clock, const SyncOptions& options = {});

  [[nodiscard]] GlobalClock global() const { return {clock_, model_, facts_.bound_seconds}; }
  /// For the record; the same on every rank, except the checks, which only rank 0 has.
  [[nodiscard]] const Synchronisation& facts() const { return facts_; }

  /// Synchronises `times` times among ranks that read the same clock, whose true offset is 0, and
  /// adds every result to the facts. No effect if no two ranks read the same clock, or under a
  /// simulator. Collective.
  void check(int times);
  /// Measures the offsets again and compares them with the global clocks. Collective.
  void measure_again();
  /// Whether measure_again proved that the clocks differ by more than 100 ns plus the bound of the
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
  UniqueComm refuted_;  ///< the group before its test failed; otherwise null
  UniqueComm leaders_;  ///< the first rank of each group; null on the others
  int groups_ = 1;
  ClockModel model_;
  Synchronisation facts_;
};

}  // namespace hockney::benchmarks
