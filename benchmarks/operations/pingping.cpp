#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney {
namespace {

/// Both ranks send at once, so that each message is held up by the one that comes the other way.
class PingPing {
 public:
  static constexpr Descriptor descriptor{
      .name = "pingping",
      .summary = "MPI_Isend, MPI_Recv and MPI_Wait of two ranks that send to each other at once",
      .counts = "the message once, although two are under way (IMB PingPing: x1)",
      .shape = TeamShape::pair,
      .timing = Timing::last_rank};

  static Account account(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  PingPing(const Context& context, const Point& point) : message_(context, point) {}

  void run() {
    MPI_Request request = MPI_REQUEST_NULL;
    message_.isend(request);
    message_.receive();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

  void refill(std::uint64_t seed) { message_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return message_.verify(seed); }

 private:
  PairMessage message_;
};

const Registration<PingPing> pingping;

}  // namespace
}  // namespace hockney
