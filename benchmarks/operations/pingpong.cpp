#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney {
namespace {

/// A message goes to the other rank and comes back; a sample is half the round trip.
class PingPong {
 public:
  static constexpr Descriptor descriptor{
      .name = "pingpong",
      .summary = "half the round trip of MPI_Send and MPI_Recv between two ranks",
      .counts = "the message once (IMB PingPong: x1, OMB latency: none)",
      .shape = TeamShape::pair,
      .timing = Timing::first_rank};

  static Account account(const Point& point) { return {.operations = 2, .bytes = point.bytes}; }

  PingPong(const Context& context, const Point& point)
      : first_(context.rank == 0), message_(context, point) {}

  void run() {
    if (first_) {
      message_.send();
      message_.receive();
    } else {
      message_.receive();
      message_.send();
    }
  }

  void refill(std::uint64_t seed) { message_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return message_.verify(seed); }

 private:
  bool first_;
  PairMessage message_;
};

const Registration<PingPong> pingpong;

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
