#pragma once

#include <mpi.h>

#include "benchmarks/harness/traffic.hpp"

namespace hockney {

/// A message between the two ranks of a pair. The calls are unchecked: they run inside the timed
/// region, and verify() tells whether they did their work.
class PairMessage {
 public:
  PairMessage(const Context& context, const Point& point)
      : comm_(context.comm), other_(1 - context.rank), traffic_(context, point, {other_}) {}

  void send() { MPI_Send(traffic_.send(), traffic_.count(), traffic_.type(), other_, tag, comm_); }
  void ssend() {
    MPI_Ssend(traffic_.send(), traffic_.count(), traffic_.type(), other_, tag, comm_);
  }
  void isend(MPI_Request& request) {
    MPI_Isend(traffic_.send(), traffic_.count(), traffic_.type(), other_, tag, comm_, &request);
  }
  void receive() {
    MPI_Recv(traffic_.receive(), traffic_.count(), traffic_.type(), other_, tag, comm_,
             MPI_STATUS_IGNORE);
  }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 private:
  static constexpr int tag = 0;

  MPI_Comm comm_;
  int other_;
  Traffic traffic_;
};

}  // namespace hockney
