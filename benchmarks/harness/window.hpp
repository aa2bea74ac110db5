#pragma once

#include <mpi.h>

#include <vector>

#include "benchmarks/harness/traffic.hpp"

namespace hockney {

/// How many messages of this size a window holds: 64, fewer where their buffers would pass 32 MiB.
int default_window(Bytes bytes);

/// The point's parameter "window".
int window_of(const Point& point);

/// A stream of messages to or from one rank: all posted at once, then waited for.
class Window {
 public:
  Window(const Context& context, const Point& point, int other);

  void start_sends();
  void start_receives();
  void wait();

  /// The window one way; the receiver closes it with an empty message back.
  void pass_one_way(bool sends);

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 private:
  MPI_Comm comm_;
  int other_;
  int messages_;
  Traffic traffic_;
  std::vector<MPI_Request> requests_;
};

}  // namespace hockney
