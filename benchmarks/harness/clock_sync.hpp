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

/// Lessons about time in blocking messages of one number; participants are ranks of `comm`, which
/// must carry nothing else meanwhile.
class MpiExchange final : public Exchange {
 public:
  MpiExchange(MPI_Comm comm, TickClock& clock) : comm_(comm), clock_(clock) {}

  std::int64_t now() override { return clock_.now(); }
  std::int64_t ask(int parent) override;
  std::optional<std::int64_t> finish(int parent) override;
  void teach(int child, const std::optional<Offset>& known) override;

 private:
  std::int64_t answer_to(int parent, std::int64_t question);

  MPI_Comm comm_;
  TickClock& clock_;
};

/// How often and how far apart the offsets are measured, and how long the result is to hold.
struct Lessons {
  int passes = 3;
  double pause_seconds = 0;
  double horizon_seconds = 0;
};

/// What this rank learns of the clock of rank 0 of `comm` over HCA3's tree; nullopt when it could
/// not. `comm` carries nothing else meanwhile. Collective.
std::optional<ClockModel> learn_clock(MPI_Comm comm, TickClock& clock, const Lessons& lessons);

/// What a rank found of a clock that is the same as its own, whose truth is 0.
ClockSelfTest judge_finding(const std::optional<ClockModel>& model, const TickClock& clock);

/// Of what the ranks found the worst, as its estimate exceeds its bound; failed tests come first.
/// nullopt when nobody found anything. The same on every rank. Collective.
std::optional<ClockSelfTest> worst_of(MPI_Comm comm, const std::optional<ClockSelfTest>& own);

/// Synchronises `times` times, each time anew by one pass of the tree, among the ranks of `comm`,
/// who read the same clock. What this rank found of the first one's clock each time; nothing on the
/// first. `comm` carries nothing else meanwhile. Collective.
std::vector<ClockSelfTest> check_clocks(MPI_Comm comm, TickClock& clock, int times);

/// The findings of all ranks in order of ranks, on rank 0; nothing elsewhere. Collective.
std::vector<ClockSelfTest> gather_findings(MPI_Comm comm, const std::vector<ClockSelfTest>& own);

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
