#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney {

/// A ping-pong of messages whose receiver is ready: it has posted its receive, and says so by an
/// empty message. Both sides of "rsend <= send" are of this kind; the empty message is in both.
class AnnouncedMessage {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the message once, as in a ping-pong",
            .shape = GroupShape::pair,
            .timing = Timing::first_rank};
  }
  static Volume volume(const Point& point) { return PairMessage::volume(point); }

  AnnouncedMessage(const Context& context, const Point& point)
      : comm_(context.comm),
        first_(context.rank == 0),
        other_(1 - context.rank),
        traffic_(context, point, {other_}) {}

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 protected:
  /// `send` is MPI_Send or has its parameters.
  template <auto send>
  void exchange() {
    if (first_) send_when_ready<send>();
    receive();
    if (!first_) send_when_ready<send>();
  }

 private:
  static constexpr int data = 0;
  static constexpr int ready = 1;

  template <auto send>
  void send_when_ready() {
    MPI_Recv(nullptr, 0, MPI_BYTE, other_, ready, comm_, MPI_STATUS_IGNORE);
    send(traffic_.send(), traffic_.count(), traffic_.type(), other_, data, comm_);
  }
  void receive() {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(traffic_.receive(), traffic_.count(), traffic_.type(), other_, data, comm_, &request);
    MPI_Send(nullptr, 0, MPI_BYTE, other_, ready, comm_);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

  MPI_Comm comm_;
  bool first_;
  int other_;
  Traffic traffic_;
};

namespace {

/// A ping-pong in which every message is begun and then waited for.
class PingPongByIsend : public PairMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "pingpong-by-isend",
      .summary = "half the round trip of MPI_Isend, MPI_Wait and MPI_Recv between two ranks",
      .counts = "the same bytes as the operation whose work it does",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank};
  static constexpr std::string_view guideline = "send <= isend + wait";

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] {
      MPI_Request request = MPI_REQUEST_NULL;
      isend(request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
  }
};

const MockUp<PingPongByIsend> pingpong_by_isend;

/// A ring in which everybody begins to send, receives, and waits for what was begun.
class SendrecvByIsendRecv : public RingMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "sendrecv-by-isend-recv",
      .summary = "MPI_Isend to the right, MPI_Recv from the left and MPI_Wait in a ring",
      .counts = "the same bytes as the operation whose work it does",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank};
  static constexpr std::string_view guideline = "sendrecv <= isend + recv + wait";

  using RingMessage::RingMessage;

  void run() {
    MPI_Request request = MPI_REQUEST_NULL;
    isend(request);
    receive();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

const MockUp<SendrecvByIsendRecv> sendrecv_by_isend_recv;

/// What a receiver that is ready is sent in ready mode.
class AnnouncedRsend : public AnnouncedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "announced-rsend", "half the round trip of MPI_Rsend to a rank that has said it is ready");

  using AnnouncedMessage::AnnouncedMessage;

  void run() { exchange<MPI_Rsend>(); }
};

const Original<AnnouncedRsend> announced_rsend;

/// The same in standard mode, which need not know that the receiver is ready.
class AnnouncedRsendBySend : public AnnouncedMessage {
 public:
  static constexpr Descriptor descriptor =
      describe("announced-rsend-by-send",
               "half the round trip of MPI_Send to a rank that has said it is ready");
  static constexpr std::string_view guideline = "rsend <= send";

  using AnnouncedMessage::AnnouncedMessage;

  void run() { exchange<MPI_Send>(); }
};

const MockUp<AnnouncedRsendBySend> announced_rsend_by_send;

}  // namespace
}  // namespace hockney
