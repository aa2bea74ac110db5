#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
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

/// A ping-pong of messages whose receiver is ready: it has posted its receive, and says so by an
/// empty message. Both sides of "rsend <= send" are of this kind; the empty message is in both.
template <auto function>
class AnnouncedMessage : public PairMessage {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the message once, as in a ping-pong",
            .shape = GroupShape::pair,
            .timing = Timing::first_rank};
  }

  using PairMessage::PairMessage;

  void run() {
    if (is_first()) send_when_ready();
    receive_ready();
    if (!is_first()) send_when_ready();
  }

 private:
  void send_when_ready() {
    await_announcement();
    send<function>();
  }
  void receive_ready() {
    MPI_Request request = MPI_REQUEST_NULL;
    ireceive(request);
    announce();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

/// What a receiver that is ready is sent in ready mode.
class AnnouncedRsend : public AnnouncedMessage<MPI_Rsend> {
 public:
  static constexpr Descriptor descriptor = describe(
      "announced-rsend", "half the round trip of MPI_Rsend to a rank that has said it is ready");

  using AnnouncedMessage::AnnouncedMessage;
};

const Original<AnnouncedRsend> announced_rsend;

/// The same in standard mode, which need not know that the receiver is ready.
class AnnouncedRsendBySend : public AnnouncedMessage<MPI_Send> {
 public:
  static constexpr Descriptor descriptor =
      describe("announced-rsend-by-send",
               "half the round trip of MPI_Send to a rank that has said it is ready");
  static constexpr std::string_view guideline = "rsend <= send";

  using AnnouncedMessage::AnnouncedMessage;
};

const MockUp<AnnouncedRsendBySend> announced_rsend_by_send;

}  // namespace
}  // namespace hockney::benchmarks
