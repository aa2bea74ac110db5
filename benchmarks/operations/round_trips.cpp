#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/traffic.hpp"

/// One message between two ranks, with a reply or in both directions at once: by each of the calls
/// that send and receive, and for data with gaps.
namespace hockney::benchmarks {
namespace {

constexpr Descriptor describe_pair(std::string_view name, std::string_view summary,
                                   std::string_view counts, Timing timing = Timing::first_rank) {
  return {.name = name,
          .summary = summary,
          .counts = counts,
          .shape = GroupShape::pair,
          .timing = timing};
}

/// A message to the other rank and its reply; a sample is half the round trip.
class PingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor =
      describe_pair("pingpong", "half the round trip of MPI_Send and MPI_Recv between two ranks",
                    "the message once (IMB PingPong: x1, OMB latency: none)");

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] { send(); });
  }
};

const Registration<PingPong> pingpong;

/// Like pingpong, but a send returns only after its receive has started: no eager protocol.
class SsendPingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor = describe_pair(
      "ssend-pingpong", "half the round trip of MPI_Ssend and MPI_Recv between two ranks",
      "the message once");

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] { send<MPI_Ssend>(); });
  }
};

const Registration<SsendPingPong> ssend_pingpong;

/// Like pingpong, but a receive accepts any source.
class AnySourcePingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor = describe_pair(
      "anysource-pingpong", "half the round trip of MPI_Send and MPI_Recv from MPI_ANY_SOURCE",
      "the message once (IMB PingPongAnySource: x1)");

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] { send(); }, [this] { receive_from_any(); });
  }
};

const Registration<AnySourcePingPong> anysource_pingpong;

/// Like pingpong, but a message is probed for its size before it is received.
class ProbePingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor =
      describe_pair("probe-pingpong",
                    "half the round trip of MPI_Send, and MPI_Probe, MPI_Get_count and MPI_Recv",
                    "the message once");

  using PairMessage::PairMessage;

  void run() {
    pass_and_return([this] { send(); }, [this] { probe_and_receive(); });
  }
};

const Registration<ProbePingPong> probe_pingpong;

/// Like probe-pingpong, but the receive gets exactly the probed message, even with other threads.
class MprobePingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor =
      describe_pair("mprobe-pingpong",
                    "half the round trip of MPI_Send, and MPI_Mprobe, MPI_Get_count and MPI_Mrecv",
                    "the message once");

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

/// Both ranks send at once, so that each message competes with the one in the other direction.
class MeetingMessages : public PairMessage {
 public:
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  using PairMessage::PairMessage;

 protected:
  /// `take` receives the other rank's message.
  template <class Take>
  void exchange(Take take) {
    MPI_Request request = MPI_REQUEST_NULL;
    isend(request);
    take();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

class PingPing : public MeetingMessages {
 public:
  static constexpr Descriptor descriptor = describe_pair(
      "pingping", "MPI_Isend, MPI_Recv and MPI_Wait of two ranks that send to each other at once",
      "the message once, although two are under way (IMB PingPing: x1)", Timing::last_rank);

  using MeetingMessages::MeetingMessages;

  void run() {
    exchange([this] { receive(); });
  }
};

const Registration<PingPing> pingping;

/// Like pingping, but a receive accepts any source.
class AnySourcePingPing : public MeetingMessages {
 public:
  static constexpr Descriptor descriptor =
      describe_pair("anysource-pingping",
                    "MPI_Isend, MPI_Recv from MPI_ANY_SOURCE and MPI_Wait of two ranks at once",
                    "the message once, although two are under way (IMB PingPingAnySource: x1)",
                    Timing::last_rank);

  using MeetingMessages::MeetingMessages;

  void run() {
    exchange([this] { receive_from_any(); });
  }
};

const Registration<AnySourcePingPing> anysource_pingping;

/// Like pingpong, with persistent requests. They are started once before the checked data are
/// filled in, like those of collectives.
class PersistentPingPong : public PairMessage {
 public:
  static constexpr Descriptor descriptor = describe_pair(
      "persistent-pingpong",
      "half the round trip of MPI_Start and MPI_Wait of a persistent send and receive",
      "the message once (OMB latency_persistent: none)");

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

/// The cost of sending data with gaps: with a derived datatype, packed by MPI, or copied by the
/// program. The point's parameter "layout" is the layout; contiguous with a derived datatype is
/// pingpong.
constexpr Descriptor describe_layout(std::string_view name, std::string_view summary) {
  return {.name = name,
          .summary = summary,
          .counts = "the message once, without its gaps (no other suite has it)",
          .shape = GroupShape::pair,
          .timing = Timing::first_rank,
          .sizes = "the data of one message, without gaps",
          .own = {layout_parameter}};
}

/// The library reads and writes the data directly, by a derived datatype.
class DerivedPingPong : public LaidOutMessage {
 public:
  static constexpr Descriptor descriptor = describe_layout(
      "derived-pingpong", "half the round trip of MPI_Send and MPI_Recv of a derived datatype");

  DerivedPingPong(const Context& context, const Point& point)
      : LaidOutMessage(context, point, point.parameters[layout_parameter]) {}

  void run() { pass_derived(); }
};

const Registration<DerivedPingPong> derived_pingpong;

/// The library packs the data before sending and unpacks them after receiving.
class PackPingPong : public LaidOutMessage {
 public:
  static constexpr Descriptor descriptor = describe_layout(
      "pack-pingpong",
      "half the round trip of MPI_Pack, MPI_Send, MPI_Recv and MPI_Unpack of a derived datatype");

  PackPingPong(const Context& context, const Point& point)
      : LaidOutMessage(context, point, point.parameters[layout_parameter]) {
    draw_packed(context);
  }

  void run() { pass_packed(); }
};

const Registration<PackPingPong> pack_pingpong;

/// The program copies the data, block after block.
class CopyPingPong : public LaidOutMessage {
 public:
  static constexpr Descriptor descriptor = describe_layout(
      "copy-pingpong",
      "half the round trip of memcpy of every block, MPI_Send, MPI_Recv and memcpy of every block");

  CopyPingPong(const Context& context, const Point& point)
      : LaidOutMessage(context, point, point.parameters[layout_parameter]) {
    draw_packed(context);
  }

  void run() { pass_copied(); }
};

const Registration<CopyPingPong> copy_pingpong;

}  // namespace
}  // namespace hockney::benchmarks
