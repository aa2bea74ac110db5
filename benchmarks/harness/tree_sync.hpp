#pragma once

#include <mpi.h>
#include <optional>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/clock_model.hpp"
#include "benchmarks/engine/clock_tree.hpp"
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

}  // namespace hockney::benchmarks
