#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// A ring: everybody sends to the right and receives from the left in one MPI_Sendrecv.
class Sendrecv : public RingMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "sendrecv",
      .summary = "MPI_Sendrecv to the right and from the left in a ring of all ranks",
      .counts = "the message twice, as each rank sends and receives one (IMB Sendrecv: x2)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank};

  using RingMessage::RingMessage;

  void run() { sendrecv(); }
};

const Registration<Sendrecv> sendrecv;

}  // namespace
}  // namespace hockney::benchmarks
