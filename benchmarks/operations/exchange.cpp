#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/ring_exchange.hpp"

namespace hockney::benchmarks {
namespace {

/// Both neighbours in a ring at once, the pattern of a one-dimensional ghost-cell update.
class Exchange : public RingExchange {
 public:
  static constexpr Descriptor descriptor{
      .name = "exchange",
      .summary = "MPI_Isend to both neighbours in a ring, MPI_Recv from both, MPI_Waitall",
      .counts = "the message four times: two sent and two received by each rank (IMB Exchange: x4)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank};

  using RingExchange::RingExchange;
};

const Registration<Exchange> exchange;

}  // namespace
}  // namespace hockney::benchmarks
