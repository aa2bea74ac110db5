#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// Both ranks send at once, so that each message is held up by the one that comes the other way.
class MeetingMessages : public PairMessage {
 public:
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  using PairMessage::PairMessage;

 protected:
  /// `take` receives the other's.
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
  static constexpr Descriptor descriptor{
      .name = "pingping",
      .summary = "MPI_Isend, MPI_Recv and MPI_Wait of two ranks that send to each other at once",
      .counts = "the message once, although two are under way (IMB PingPing: x1)",
      .shape = GroupShape::pair,
      .timing = Timing::last_rank};

  using MeetingMessages::MeetingMessages;

  void run() {
    exchange([this] { receive(); });
  }
};

const Registration<PingPing> pingping;

/// As pingping, but a receive takes what comes from anybody.
class AnySourcePingPing : public MeetingMessages {
 public:
  static constexpr Descriptor descriptor{
      .name = "anysource-pingping",
      .summary = "MPI_Isend, MPI_Recv from MPI_ANY_SOURCE and MPI_Wait of two ranks at once",
      .counts = "the message once, although two are under way (IMB PingPingAnySource: x1)",
      .shape = GroupShape::pair,
      .timing = Timing::last_rank};

  using MeetingMessages::MeetingMessages;

  void run() {
    exchange([this] { receive_from_any(); });
  }
};

const Registration<AnySourcePingPing> anysource_pingping;

}  // namespace
}  // namespace hockney::benchmarks
