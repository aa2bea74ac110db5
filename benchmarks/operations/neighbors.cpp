#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney::benchmarks {
namespace {

/// Calls with a block for each neighbour in a plane, or one for all of them.
template <NeighbourData::Sends sends>
struct NeighborCalls {
  struct Data : NeighbourData {
    Data(const Context& context, const Point& point) : NeighbourData(context, point, sends) {}
  };

  static auto arguments(Data& data, MPI_Comm) {
    return std::tuple(data.send(), data.count(), data.type(), data.receive(), data.count(),
                      data.type(), data.comm());
  }
};

/// Every rank's block, on its neighbours.
struct NeighborAllgather : NeighborCalls<NeighbourData::Sends::same> {
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "neighbor-allgather",
       .summary =
           "MPI_Neighbor_allgather in a plane with open edges, until the last rank is through",
       .counts = "a block for each neighbour of the rank with most of them (OMB: none)",
       .sizes = "the block for each neighbour (OMB: the same; IMB: none)"});
};

const Registration<Blocking<NeighborAllgather, MPI_Neighbor_allgather>> neighbor_allgather;

/// Another block for each neighbour.
struct NeighborAlltoall : NeighborCalls<NeighbourData::Sends::different> {
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "neighbor-alltoall",
       .summary =
           "MPI_Neighbor_alltoall in a plane with open edges, until the last rank is through",
       .counts = "a block for each neighbour of the rank with most of them (OMB: none)",
       .sizes = "the block for each neighbour (OMB: the same; IMB: none)"});
};

const Registration<Blocking<NeighborAlltoall, MPI_Neighbor_alltoall>> neighbor_alltoall;

}  // namespace
}  // namespace hockney::benchmarks
