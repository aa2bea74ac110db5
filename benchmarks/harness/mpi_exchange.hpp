#pragma once

#include <mpi.h>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/exchange.hpp"

namespace hockney {

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

}  // namespace hockney
