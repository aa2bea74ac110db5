#pragma once

#include <mpi.h>
#include <array>
#include <cstdint>

#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {

/// A message to both neighbours in a ring, and one from both.
class RingExchange {
 public:
  /// The message four times: each rank sends two and receives two.
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes * 4}; }

  RingExchange(const Context& context, const Point& point)
      : comm_(context.comm),
        right_((context.rank + 1) % context.size),
        left_((context.rank + context.size - 1) % context.size),
        rightwards_(context.first_tag),
        leftwards_(context.first_tag + 1),
        traffic_(context, point, {left_, right_}) {}

  void run() {
    std::array<MPI_Request, 2> requests{};
    const int count = traffic_.count();
    MPI_Datatype type = traffic_.type();
    MPI_Isend(traffic_.send(), count, type, right_, rightwards_, comm_, requests.data());
    MPI_Isend(traffic_.send(), count, type, left_, leftwards_, comm_, &requests[1]);
    MPI_Recv(traffic_.receive(0), count, type, left_, rightwards_, comm_, MPI_STATUS_IGNORE);
    MPI_Recv(traffic_.receive(1), count, type, right_, leftwards_, comm_, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 private:
  MPI_Comm comm_;
  int right_;
  int left_;
  // With two ranks both neighbours are the same one, so the direction tells the messages apart.
  int rightwards_;
  int leftwards_;
  Traffic traffic_;
};

}  // namespace hockney::benchmarks
