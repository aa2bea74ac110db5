#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/pair_message.hpp"

namespace hockney {
namespace {

/// As pingpong, but no send returns before its receive has begun: no eager protocol helps.
class SsendPingPong {
 public:
  static constexpr Descriptor descriptor{
      .name = "ssend-pingpong",
      .summary = "half the round trip of MPI_Ssend and MPI_Recv between two ranks",
      .counts = "the message once",
      .shape = TeamShape::pair,
      .timing = Timing::first_rank};

  static Account account(const Point& point) { return {.operations = 2, .bytes = point.bytes}; }

  SsendPingPong(const Context& context, const Point& point)
      : first_(context.rank == 0), message_(context, point) {}

  void run() {
    if (first_) {
      message_.ssend();
      message_.receive();
    } else {
      message_.receive();
      message_.ssend();
    }
  }

  void refill(std::uint64_t seed) { message_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return message_.verify(seed); }

 private:
  bool first_;
  PairMessage message_;
};

const Registration<SsendPingPong> ssend_pingpong;

}  // namespace
}  // namespace hockney
