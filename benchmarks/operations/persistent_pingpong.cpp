#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// As pingpong, by requests that are made once and started again and again. As those of collectives
/// they are started once before the data are laid out that are checked.
class PersistentPingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-pingpong",
      .summary = "half the round trip of MPI_Start and MPI_Wait of a persistent send and receive",
      .counts = "the message once (OMB latency_persistent: none)",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank};

  static std::optional<std::string> obstacle(const Point& point) {
    if (!has_rotating_buffers(point)) return std::nullopt;
    return "a persistent request has one place for its buffers";
  }

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] { complete(send_); }, [this] { complete(receive_); });
  }

  void refill(std::uint64_t seed) {
    PairMessage::refill(seed);
    make_send(send_);
    make_receive(receive_);
    run();
    PairMessage::refill(seed);
  }

 private:
  static void complete(const UniqueRequest& request) {
    MPI_Request started = request.get();
    MPI_Start(&started);
    MPI_Wait(&started, MPI_STATUS_IGNORE);
  }

  UniqueRequest send_;
  UniqueRequest receive_;
};

const Registration<PersistentPingPong> persistent_pingpong;

}  // namespace
}  // namespace hockney::benchmarks
