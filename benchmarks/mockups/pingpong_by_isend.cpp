#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/pair_message.hpp"

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

}  // namespace
}  // namespace hockney
