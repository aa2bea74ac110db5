#include "benchmarks/harness/flows.hpp"
#include "benchmarks/harness/ring_exchange.hpp"
#include "benchmarks/harness/threaded.hpp"
#include "benchmarks/harness/traffic.hpp"

/// Messages between threads: thread k of rank i with thread k of rank i + n/2, or of the neighbours
/// in a ring.
namespace hockney::benchmarks {
namespace {

constexpr Descriptor describe_messages(std::string_view name, std::string_view summary,
                                       std::string_view counts, GroupShape shape) {
  return {.name = name,
          .summary = summary,
          .counts = counts,
          .shape = shape,
          .timing = Timing::last_rank,
          .threaded = true,
          .own = {communicators_parameter}};
}

constexpr Descriptor in_windows(Descriptor made) {
  made.windowed = true;
  return made;
}

/// A message goes to the thread's partner and comes back.
class RoundTrip : public CutMessage {
 public:
  static Volume volume(const Point& point) {
    return {.operations = 2, .bytes = point.bytes * (point.ranks / 2)};
  }

  using CutMessage::CutMessage;

  void run() {
    if (is_in_first_half()) {
      send();
      receive();
    } else {
      receive();
      send();
    }
  }
};

class ThreadedPingPong : public Threaded<RoundTrip> {
 public:
  static constexpr Descriptor descriptor = describe_messages(
      "threaded-pingpong",
      "half the round trip of MPI_Send and MPI_Recv, rank i with rank i + n/2, on each thread",
      "one message of every pair of threads (OMB latency_mt, IMB PingPongMT: none, x1)",
      GroupShape::pairs);
  using Threaded::Threaded;
};

/// The messages of both partners meet.
class MeetingMessages : public CutMessage {
 public:
  static Volume volume(const Point& point) {
    return {.operations = 1, .bytes = point.bytes * (point.ranks / 2)};
  }

  using CutMessage::CutMessage;

  void run() {
    MPI_Request request = MPI_REQUEST_NULL;
    isend(request);
    receive();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

class ThreadedPingPing : public Threaded<MeetingMessages> {
 public:
  static constexpr Descriptor descriptor = describe_messages(
      "threaded-pingping",
      "MPI_Isend, MPI_Recv and MPI_Wait of rank i and rank i + n/2 at once, on each thread",
      "one message of every pair of threads (IMB PingPingMT: x1)", GroupShape::pairs);
  using Threaded::Threaded;
};

/// A window of messages to the partner, closed by an empty message back.
class WindowToPartner : public OneWayWindow {
 public:
  static Volume volume(const Point& point) { return window_volume(point, point.ranks / 2); }

  WindowToPartner(const Context& context, const Point& point)
      : OneWayWindow(context, point, context.rank < context.size / 2,
                     (context.rank + context.size / 2) % context.size) {}
};

class ThreadedMessageRate : public Threaded<WindowToPartner> {
 public:
  static constexpr Descriptor descriptor = in_windows(describe_messages(
      "threaded-message-rate",
      "one message of every pair of threads, rank i to rank i + n/2, by windows of MPI_Isend",
      "one message of every pair of threads (IMB UniBandMT: the same)", GroupShape::pairs));
  using Threaded::Threaded;
};

/// Windows both ways at once.
class WindowsBothWays : public Window {
 public:
  static Volume volume(const Point& point) { return window_volume(point, point.ranks); }

  WindowsBothWays(const Context& context, const Point& point)
      : Window(context, point, (context.rank + context.size / 2) % context.size) {}

  void run() { pass_both_ways(); }
};

class ThreadedBidirectionalBandwidth : public Threaded<WindowsBothWays> {
 public:
  static constexpr Descriptor descriptor = in_windows(describe_messages(
      "threaded-bidirectional-bandwidth",
      "one message each way of every pair of threads, by windows of MPI_Isend and MPI_Irecv",
      "two messages of every pair of threads (IMB BiBandMT: the same)", GroupShape::pairs));
  using Threaded::Threaded;
};

/// To the right and from the left.
class RingShift : public RingMessage {
 public:
  using RingMessage::RingMessage;
  void run() { sendrecv(); }
};

class ThreadedSendrecv : public Threaded<RingShift> {
 public:
  static constexpr Descriptor descriptor = describe_messages(
      "threaded-sendrecv",
      "MPI_Sendrecv to the right and from the left in a ring of all ranks, on each thread",
      "each thread's message twice, as it sends and receives one (IMB SendRecvMT: x2)",
      GroupShape::everybody);
  using Threaded::Threaded;
};

class ThreadedExchange : public Threaded<RingExchange> {
 public:
  static constexpr Descriptor descriptor = describe_messages(
      "threaded-exchange",
      "MPI_Isend to both neighbours in a ring, MPI_Recv from both, MPI_Waitall, on each thread",
      "each thread's message four times: two sent, two received (IMB ExchangeMT: x4)",
      GroupShape::everybody);
  using Threaded::Threaded;
};

const Registration<ThreadedPingPong> threaded_pingpong;
const Registration<ThreadedPingPing> threaded_pingping;
const Registration<ThreadedMessageRate> threaded_message_rate;
const Registration<ThreadedBidirectionalBandwidth> threaded_bidirectional_bandwidth;
const Registration<ThreadedSendrecv> threaded_sendrecv;
const Registration<ThreadedExchange> threaded_exchange;

}  // namespace
}  // namespace hockney::benchmarks
