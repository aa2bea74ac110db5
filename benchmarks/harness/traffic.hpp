#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/message.hpp"

namespace hockney {

/// The message buffers of one rank: one to send from and one to receive into for every message that
/// can be under way at once, each with the rank whose data it must hold afterwards.
class Traffic {
 public:
  /// Messages of the point's size and datatype. `sources` are ranks of the context, one for every
  /// receive buffer; repeats are welcome.
  Traffic(const Context& context, const Point& point, const std::vector<int>& sources);

  [[nodiscard]] void* send() const { return send_.data(); }
  [[nodiscard]] void* receive(std::size_t index = 0) const { return inboxes_[index].data.data(); }
  [[nodiscard]] int count() const { return message_.count; }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return message_.type->handle; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const;

 private:
  struct Inbox {
    Buffer data;
    int source = 0;
  };

  int rank_;
  MessageShape message_;
  Buffer send_;
  std::vector<Inbox> inboxes_;
};

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
