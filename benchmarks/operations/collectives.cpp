#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/payload.hpp"

/// Collectives that move data unchanged: from one rank, to one, among all, or among neighbours.
namespace hockney::benchmarks {
namespace {

/// No rank leaves before all have entered. Without data there is one size, 0.
struct Barrier {
  using Data = NoData;
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "barrier",
                      .summary = "MPI_Barrier over all ranks, until the last one leaves",
                      .counts = "nothing, it carries no data",
                      .sizes = "nothing: there is one size, 0"});

  static auto arguments(Data&, MPI_Comm comm) { return std::tuple(comm); }
};

const Registration<Blocking<Barrier, MPI_Barrier>> barrier;
const Registration<Nonblocking<Barrier, MPI_Ibarrier>> ibarrier;
const Registration<Persistent<Barrier, HOCKNEY_PERSISTENT(Barrier)>> persistent_barrier;

/// The root's message is sent to all ranks.
struct Bcast {
  using Data = BcastData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "bcast",
       .summary = "MPI_Bcast from the root to all, until the last one has it",
       .counts = "the message once (nccl-tests: the same; OMB osu_bcast, IMB Bcast: none)",
       .sizes = "the message (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.message(), data.count(), data.type(), data.next_root(), comm);
  }
};

const Registration<Blocking<Bcast, MPI_Bcast>> bcast;
const Registration<Nonblocking<Bcast, MPI_Ibcast>> ibcast;
const Registration<Persistent<Bcast, HOCKNEY_PERSISTENT(Bcast)>> persistent_bcast;

/// Every rank's block is sent to the root.
struct Gather {
  using Data = GatherData;
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "gather",
                      .summary = "MPI_Gather to the root, until the last rank is through",
                      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
                      .sizes = "the block of each rank (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(root), data.send_count(), data.type(), data.receive(),
                      data.send_count(), data.type(), root, comm);
  }
};

const Registration<Blocking<Gather, MPI_Gather>> gather;
const Registration<Nonblocking<Gather, MPI_Igather>> igather;
const Registration<Persistent<Gather, HOCKNEY_PERSISTENT(Gather)>> persistent_gather;

/// Every rank's block is sent to the root; blocks may differ.
struct Gatherv {
  using Data = GatherData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "gatherv",
       .summary = "MPI_Gatherv to the root, until the last rank is through",
       .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the mean block of a rank (OMB, IMB: the block, as theirs are equal)",
       .divides = true});

  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(root), data.send_count(), data.type(), data.receive(),
                      data.counts(), data.displacements(), data.type(), root, comm);
  }
};

const Registration<Blocking<Gatherv, MPI_Gatherv>> gatherv;
const Registration<Nonblocking<Gatherv, MPI_Igatherv>> igatherv;
const Registration<Persistent<Gatherv, HOCKNEY_PERSISTENT(Gatherv)>> persistent_gatherv;

/// The root sends every rank its block.
struct Scatter {
  using Data = ScatterData;
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "scatter",
                      .summary = "MPI_Scatter from the root, until the last rank has its block",
                      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
                      .sizes = "the block of each rank (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(), data.receive_count(), data.type(), data.receive(root),
                      data.receive_count(), data.type(), root, comm);
  }
};

const Registration<Blocking<Scatter, MPI_Scatter>> scatter;
const Registration<Nonblocking<Scatter, MPI_Iscatter>> iscatter;
const Registration<Persistent<Scatter, HOCKNEY_PERSISTENT(Scatter)>> persistent_scatter;

/// The root sends every rank its block; blocks may differ.
struct Scatterv {
  using Data = ScatterData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "scatterv",
       .summary = "MPI_Scatterv from the root, until the last rank has its block",
       .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the mean block of a rank (OMB, IMB: the block, as theirs are equal)",
       .divides = true});

  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(), data.counts(), data.displacements(), data.type(),
                      data.receive(root), data.receive_count(), data.type(), root, comm);
  }
};

const Registration<Blocking<Scatterv, MPI_Scatterv>> scatterv;
const Registration<Nonblocking<Scatterv, MPI_Iscatterv>> iscatterv;
const Registration<Persistent<Scatterv, HOCKNEY_PERSISTENT(Scatterv)>> persistent_scatterv;

/// Every rank's block is sent to all ranks.
struct Allgather {
  using Data = AllgatherData;
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "allgather",
                      .summary = "MPI_Allgather among all ranks, until the last one has all blocks",
                      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
                      .sizes = "the block of each rank (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.send_count(), data.type(), data.receive(),
                      data.send_count(), data.type(), comm);
  }
};

const Registration<Blocking<Allgather, MPI_Allgather>> allgather;
const Registration<Nonblocking<Allgather, MPI_Iallgather>> iallgather;
const Registration<Persistent<Allgather, HOCKNEY_PERSISTENT(Allgather)>> persistent_allgather;

/// Every rank's block is sent to all ranks; blocks may differ.
struct Allgatherv {
  using Data = AllgatherData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "allgatherv",
       .summary = "MPI_Allgatherv among all ranks, until the last one has all blocks",
       .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the mean block of a rank (OMB, IMB: the block, as theirs are equal)",
       .divides = true});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.send_count(), data.type(), data.receive(), data.counts(),
                      data.displacements(), data.type(), comm);
  }
};

const Registration<Blocking<Allgatherv, MPI_Allgatherv>> allgatherv;
const Registration<Nonblocking<Allgatherv, MPI_Iallgatherv>> iallgatherv;
const Registration<Persistent<Allgatherv, HOCKNEY_PERSISTENT(Allgatherv)>> persistent_allgatherv;

/// Every rank sends a different block to every rank.
struct Alltoall {
  using Data = AlltoallData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "alltoall",
       .summary = "MPI_Alltoall among all ranks, until the last one has all its blocks",
       .counts = "what one rank sends, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the block of each pair of ranks (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.counts()[0], data.type(), data.receive(), data.counts()[0],
                      data.type(), comm);
  }
};

const Registration<Blocking<Alltoall, MPI_Alltoall>> alltoall;
const Registration<Nonblocking<Alltoall, MPI_Ialltoall>> ialltoall;
const Registration<Persistent<Alltoall, HOCKNEY_PERSISTENT(Alltoall)>> persistent_alltoall;

/// Every rank sends a different block to every rank; receivers may get different amounts.
struct Alltoallv {
  using Data = AlltoallData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "alltoallv",
       .summary = "MPI_Alltoallv among all ranks, until the last one has all its blocks",
       .counts = "what one rank sends, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the mean block of a pair of ranks (OMB, IMB: the block, as theirs are equal)",
       .divides = true});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.send_counts(), data.send_displacements(), data.type(),
                      data.receive(), data.counts(), data.displacements(), data.type(), comm);
  }
};

const Registration<Blocking<Alltoallv, MPI_Alltoallv>> alltoallv;
const Registration<Nonblocking<Alltoallv, MPI_Ialltoallv>> ialltoallv;
const Registration<Persistent<Alltoallv, HOCKNEY_PERSISTENT(Alltoallv)>> persistent_alltoallv;

/// An alltoall with a datatype for each block: here all equal.
class AlltoallwData : public AlltoallData {
 public:
  AlltoallwData(const Context& context, const Point& point)
      : AlltoallData(context, point),
        types_(static_cast<std::size_t>(context.size), type()),
        send_offsets_(offsets(send_displacements(), context.size, point)),
        receive_offsets_(offsets(displacements(), context.size, point)) {}

  [[nodiscard]] const MPI_Datatype* types() const { return types_.data(); }
  [[nodiscard]] const int* send_offsets() const { return send_offsets_.data(); }        ///< [B]
  [[nodiscard]] const int* receive_offsets() const { return receive_offsets_.data(); }  ///< [B]

 private:
  /// MPI_Alltoallw counts displacements in bytes.
  static std::vector<int> offsets(const int* displacements, int ranks, const Point& point) {
    std::vector<int> all(displacements, displacements + ranks);
    for (int& offset : all) offset *= static_cast<int>(message_of(point).type->extent);
    return all;
  }

  std::vector<MPI_Datatype> types_;
  std::vector<int> send_offsets_;
  std::vector<int> receive_offsets_;
};

/// Every rank sends a different block to every rank, each with a datatype.
struct Alltoallw {
  using Data = AlltoallwData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "alltoallw",
       .summary = "MPI_Alltoallw among all ranks, until the last one has all its blocks",
       .counts = "what one rank sends, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the mean block of a pair of ranks (OMB: the block, as its are equal; IMB: none)",
       .divides = true});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.send_counts(), data.send_offsets(), data.types(),
                      data.receive(), data.counts(), data.receive_offsets(), data.types(), comm);
  }
};

const Registration<Blocking<Alltoallw, MPI_Alltoallw>> alltoallw;
const Registration<Nonblocking<Alltoallw, MPI_Ialltoallw>> ialltoallw;
const Registration<Persistent<Alltoallw, HOCKNEY_PERSISTENT(Alltoallw)>> persistent_alltoallw;

/// Calls with a block for each neighbour in a plane, or one for all. Blocks are equal even for
/// calls with separate counts.
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

/// Every rank's block is sent to its neighbours.
struct NeighborAllgather : SameToAll {
  static constexpr Descriptor descriptor = describe<Data>(
      words("neighbor-allgather",
            "MPI_Neighbor_allgather in a plane with open edges, until the last rank is through"));
};

const Registration<Blocking<NeighborAllgather, MPI_Neighbor_allgather>> neighbor_allgather;
const Registration<Nonblocking<NeighborAllgather, MPI_Ineighbor_allgather>> ineighbor_allgather;

/// The same, with a count and displacement for each neighbour.
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

/// A different block for each neighbour.
struct NeighborAlltoall : AnotherToEach {
  static constexpr Descriptor descriptor = describe<Data>(
      words("neighbor-alltoall",
            "MPI_Neighbor_alltoall in a plane with open edges, until the last rank is through"));
};

const Registration<Blocking<NeighborAlltoall, MPI_Neighbor_alltoall>> neighbor_alltoall;
const Registration<Nonblocking<NeighborAlltoall, MPI_Ineighbor_alltoall>> ineighbor_alltoall;

/// The same, with a count and displacement for each neighbour.
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

/// The same, with a datatype for each neighbour as well.
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
