#include "benchmarks/mockups/ring_exchange.hpp"

namespace hockney {
namespace {

/// To one side, and then to the other.
class RingExchangeBySendrecv : public RingExchange {
 public:
  static constexpr Descriptor descriptor = describe(
      "ring-exchange-by-sendrecv",
      "MPI_Sendrecv to the left and MPI_Sendrecv to the right, until the last rank is through");
  static constexpr Emulated emulated{.operation = "ring-exchange",
                                     .guideline = "neighbor-alltoall on a ring <= 2 sendrecv"};

  using RingExchange::RingExchange;

  void run() {
    shift(0, left(), right());
    shift(1, right(), left());
  }

 private:
  void shift(int place, int to, int from) {
    MPI_Sendrecv(send(place), count(), type(), to, place, receive(1 - place), count(), type(), from,
                 place, comm(), MPI_STATUS_IGNORE);
  }
};

const MockUp<RingExchangeBySendrecv> ring_exchange_by_sendrecv;

}  // namespace
}  // namespace hockney
