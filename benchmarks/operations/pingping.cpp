#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// Both ranks send at once, so that each message is held up by the one that comes the other way.
class PingPing : public PairMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "pingping",
      .summary = "MPI_Isend, MPI_Recv and MPI_Wait of two ranks that send to each other at once",
      .counts = "the message once, although two are under way (IMB PingPing: x1)",
      .shape = GroupShape::pair,
      .timing = Timing::last_rank};

  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  using PairMessage::PairMessage;

  void run() {
    MPI_Request request = MPI_REQUEST_NULL;
    isend(request);
    receive();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

const Registration<PingPing> pingping;

}  // namespace
}  // namespace hockney::benchmarks
