#pragma once

#include "benchmarks/engine/team.hpp"
#include "benchmarks/harness/handle.hpp"

namespace hockney {

/// The ranks of a communicator, which the team duplicates so that its own traffic never meets the
/// traffic of the operations.
class MpiTeam final : public Team {
 public:
  explicit MpiTeam(MPI_Comm comm);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void barrier() override;
  void pass(int to, int from) override;
  std::int64_t from_first(std::int64_t value) override;
  void maximum(std::span<double> values) override;

  /// The communicator for the operations themselves.
  [[nodiscard]] MPI_Comm operations() const { return operations_; }

 private:
  MPI_Comm operations_;
  UniqueComm control_;
  int rank_;
  int size_;
};

/// A barrier whose waiting ranks sleep, so that they leave their core to ranks that measure. Under
/// a simulator a plain barrier: there waiting costs nothing, and polling would cost everything.
void quiet_barrier(MPI_Comm comm);

}  // namespace hockney
