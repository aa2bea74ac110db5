#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// Every rank sends to itself: what the library does with a message that goes nowhere.
class SelfMessage : public PassedMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "self-message",
      .summary = "MPI_Isend, MPI_Recv and MPI_Wait of every rank with itself",
      .counts = "the message once",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank};

  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  SelfMessage(const Context& context, const Point& point)
      : PassedMessage(context, point, context.rank, context.rank) {}

  void run() {
    MPI_Request request = MPI_REQUEST_NULL;
    isend(request);
    receive();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

const Registration<SelfMessage> self_message;

}  // namespace
}  // namespace hockney::benchmarks
