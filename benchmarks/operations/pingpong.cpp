#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// A message goes to the other rank and comes back; a sample is half the round trip.
class PingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "pingpong",
      .summary = "half the round trip of MPI_Send and MPI_Recv between two ranks",
      .counts = "the message once (IMB PingPong: x1, OMB latency: none)",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank};

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] { send(); });
  }
};

const Registration<PingPong> pingpong;

/// As pingpong, but no send returns before its receive has begun: no eager protocol helps.
class SsendPingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "ssend-pingpong",
      .summary = "half the round trip of MPI_Ssend and MPI_Recv between two ranks",
      .counts = "the message once",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank};

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] { send<MPI_Ssend>(); });
  }
};

const Registration<SsendPingPong> ssend_pingpong;

}  // namespace
}  // namespace hockney::benchmarks
