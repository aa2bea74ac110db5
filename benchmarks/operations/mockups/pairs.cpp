#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney {
namespace {

/// A ping-pong in which every message is begun and then waited for.
class PingPongByIsend {
 public:
  static constexpr Descriptor descriptor{
      .name = "pingpong-by-isend",
      .summary = "half the round trip of MPI_Isend, MPI_Wait and MPI_Recv between two ranks",
      .counts = "the same bytes as the operation whose work it does",
      .shape = TeamShape::pair,
      .timing = Timing::first_rank};
  static constexpr Emulated emulated{.operation = "pingpong", .guideline = "send <= isend + wait"};

  static Account account(const Point& point) { return {.operations = 2, .bytes = point.bytes}; }

  PingPongByIsend(const Context& context, const Point& point)
      : first_(context.rank == 0), message_(context, point) {}

  void run() {
    if (first_) send();
    message_.receive();
    if (!first_) send();
  }

  void refill(std::uint64_t seed) { message_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return message_.verify(seed); }

 private:
  void send() {
    MPI_Request request = MPI_REQUEST_NULL;
    message_.isend(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

  bool first_;
  PairMessage message_;
};

const MockUp<PingPongByIsend> pingpong_by_isend;

/// A ring in which everybody begins to send, receives, and waits for what was begun.
class SendrecvByIsendRecv {
 public:
  static constexpr Descriptor descriptor{
      .name = "sendrecv-by-isend-recv",
      .summary = "MPI_Isend to the right, MPI_Recv from the left and MPI_Wait in a ring",
      .counts = "the same bytes as the operation whose work it does",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank};
  static constexpr Emulated emulated{.operation = "sendrecv",
                                     .guideline = "sendrecv <= isend + recv + wait"};

  static Account account(const Point& point) { return {.operations = 1, .bytes = point.bytes * 2}; }

  SendrecvByIsendRecv(const Context& context, const Point& point)
      : comm_(context.comm),
        right_((context.rank + 1) % context.size),
        left_((context.rank + context.size - 1) % context.size),
        traffic_(context, point, {left_}) {}

  void run() {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(traffic_.send(), traffic_.count(), traffic_.type(), right_, 0, comm_, &request);
    MPI_Recv(traffic_.receive(), traffic_.count(), traffic_.type(), left_, 0, comm_,
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 private:
  MPI_Comm comm_;
  int right_;
  int left_;
  Traffic traffic_;
};

const MockUp<SendrecvByIsendRecv> sendrecv_by_isend_recv;

}  // namespace

}  // namespace hockney
