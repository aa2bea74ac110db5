#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney::benchmarks {
namespace {

/// Another block from every rank to every rank.
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

/// Another block from every rank to every rank; what a rank receives may differ from the others'.
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

/// An alltoall in which each block has a datatype of its own: here the same one.
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

/// Another block from every rank to every rank, each with a datatype.
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

}  // namespace
}  // namespace hockney::benchmarks
