#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// As pingpong, but a receive takes what comes from anybody.
class AnySourcePingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "anysource-pingpong",
      .summary = "half the round trip of MPI_Send and MPI_Recv from MPI_ANY_SOURCE",
      .counts = "the message once (IMB PingPongAnySource: x1)",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank};

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] { send(); }, [this] { receive_from_any(); });
  }
};

const Registration<AnySourcePingPong> anysource_pingpong;

/// As pingpong, but a message is asked for its size before it is received.
class ProbePingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "probe-pingpong",
      .summary = "half the round trip of MPI_Send, and MPI_Probe, MPI_Get_count and MPI_Recv",
      .counts = "the message once",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank};

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] { send(); }, [this] { probe_and_receive(); });
  }
};

const Registration<ProbePingPong> probe_pingpong;

/// As probe-pingpong, but what was found is received and nothing else, whatever other threads do.
class MprobePingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "mprobe-pingpong",
      .summary = "half the round trip of MPI_Send, and MPI_Mprobe, MPI_Get_count and MPI_Mrecv",
      .counts = "the message once",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank};

  static std::optional<std::string> obstacle(const Point&) {
    if (!is_simulated()) return std::nullopt;
    return "SMPI has no MPI_Mprobe";
  }

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] { send(); }, [this] { probe_and_receive_matched(); });
  }
};

const Registration<MprobePingPong> mprobe_pingpong;

}  // namespace
}  // namespace hockney::benchmarks
