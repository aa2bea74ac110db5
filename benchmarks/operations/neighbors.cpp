#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney::benchmarks {
namespace {

/// Calls with a block for each neighbour in a plane, or one for all of them. Blocks are equal also
/// where a call takes them one by one.
template <NeighbourData::Sends sends>
struct NeighborCalls {
  struct Data : NeighbourData {
    Data(const Context& context, const Point& point) : NeighbourData(context, point, sends) {}
  };

  static auto arguments(Data& data, MPI_Comm) {
    return std::tuple(data.send(), data.count(), data.type(), data.receive(), data.count(),
                      data.type(), data.comm());
  }

  static constexpr CollectiveWords words(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "a block for each neighbour of the rank with most of them (OMB: none)",
            .sizes = "the block for each neighbour (OMB: the same; IMB: none)"};
  }
};

using SameToAll = NeighborCalls<NeighbourData::Sends::same>;
using AnotherToEach = NeighborCalls<NeighbourData::Sends::different>;

/// Every rank's block, on its neighbours.
struct NeighborAllgather : SameToAll {
  static constexpr Descriptor descriptor = describe<Data>(
      words("neighbor-allgather",
            "MPI_Neighbor_allgather in a plane with open edges, until the last rank is through"));
};

const Registration<Blocking<NeighborAllgather, MPI_Neighbor_allgather>> neighbor_allgather;
const Registration<Nonblocking<NeighborAllgather, MPI_Ineighbor_allgather>> ineighbor_allgather;

/// The same, with a count and a place for each neighbour.
struct NeighborAllgatherv : SameToAll {
  static constexpr Descriptor descriptor = describe<Data>(
      words("neighbor-allgatherv",
            "MPI_Neighbor_allgatherv in a plane with open edges, until the last rank is through"));

  static auto arguments(Data& data, MPI_Comm) {
    return std::tuple(data.send(), data.count(), data.type(), data.receive(), data.counts(),
                      data.displacements(), data.type(), data.comm());
  }
};

const Registration<Blocking<NeighborAllgatherv, MPI_Neighbor_allgatherv>> neighbor_allgatherv;
const Registration<Nonblocking<NeighborAllgatherv, MPI_Ineighbor_allgatherv>> ineighbor_allgatherv;

/// Another block for each neighbour.
struct NeighborAlltoall : AnotherToEach {
  static constexpr Descriptor descriptor = describe<Data>(
      words("neighbor-alltoall",
            "MPI_Neighbor_alltoall in a plane with open edges, until the last rank is through"));
};

const Registration<Blocking<NeighborAlltoall, MPI_Neighbor_alltoall>> neighbor_alltoall;
const Registration<Nonblocking<NeighborAlltoall, MPI_Ineighbor_alltoall>> ineighbor_alltoall;

/// The same, with a count and a place for each neighbour.
struct NeighborAlltoallv : AnotherToEach {
  static constexpr Descriptor descriptor = describe<Data>(
      words("neighbor-alltoallv",
            "MPI_Neighbor_alltoallv in a plane with open edges, until the last rank is through"));

  static auto arguments(Data& data, MPI_Comm) {
    return std::tuple(data.send(), data.counts(), data.displacements(), data.type(), data.receive(),
                      data.counts(), data.displacements(), data.type(), data.comm());
  }
};

const Registration<Blocking<NeighborAlltoallv, MPI_Neighbor_alltoallv>> neighbor_alltoallv;
const Registration<Nonblocking<NeighborAlltoallv, MPI_Ineighbor_alltoallv>> ineighbor_alltoallv;

/// The same, with a datatype for each neighbour, too.
struct NeighborAlltoallw : AnotherToEach {
  static constexpr Descriptor descriptor = describe<Data>(
      words("neighbor-alltoallw",
            "MPI_Neighbor_alltoallw in a plane with open edges, until the last rank is through"));

  static auto arguments(Data& data, MPI_Comm) {
    return std::tuple(data.send(), data.counts(), data.offsets(), data.types(), data.receive(),
                      data.counts(), data.offsets(), data.types(), data.comm());
  }
};

const Registration<Blocking<NeighborAlltoallw, MPI_Neighbor_alltoallw>> neighbor_alltoallw;
const Registration<Nonblocking<NeighborAlltoallw, MPI_Ineighbor_alltoallw>> ineighbor_alltoallw;

}  // namespace
}  // namespace hockney::benchmarks
