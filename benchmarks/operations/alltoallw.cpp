#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney {
namespace {

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

}  // namespace
}  // namespace hockney
