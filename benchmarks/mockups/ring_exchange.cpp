#include "benchmarks/mockups/ring_exchange.hpp"

#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney {
namespace {

/// By the neighbourhood collective of a closed ring.
class RingNeighborAlltoall : public RingExchange {
 public:
  static constexpr Descriptor descriptor = describe(
      "ring-exchange", "MPI_Neighbor_alltoall on a closed ring, until the last rank is through");

  RingNeighborAlltoall(const Context& context, const Point& point) : RingExchange(context, point) {
    constexpr int closed = 1;
    mpi_check(MPI_Cart_create(context.comm, 1, &context.size, &closed, 0, ring_.out()));
  }

  void run() {
    MPI_Neighbor_alltoall(send(0), count(), type(), receive(0), count(), type(), ring_.get());
  }

 private:
  UniqueComm ring_;
};

const Original<RingNeighborAlltoall> ring_exchange;

}  // namespace
}  // namespace hockney
