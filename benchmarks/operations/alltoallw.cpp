#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney {
namespace {

/// Another block from every rank to every rank, each with a datatype of its own: here the same one.
class Alltoallw {
 public:
  static constexpr Descriptor descriptor{
      .name = "alltoallw",
      .summary = "MPI_Alltoallw among all ranks, until the last one has all its blocks",
      .counts = "what one rank sends, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the mean block of a pair of ranks (OMB: the block, as its are equal; IMB: none)",
      .blocks = true,
      .divides = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) { return alltoall_account(point); }

  Alltoallw(const Context& context, const Point& point)
      : comm_(context.comm),
        data_(context, point),
        types_(static_cast<std::size_t>(context.size), data_.type()),
        send_offsets_(offsets(data_.send_displacements(), context.size, point)),
        receive_offsets_(offsets(data_.displacements(), context.size, point)) {}

  void run() {
    MPI_Alltoallw(data_.send(), data_.send_counts(), send_offsets_.data(), types_.data(),
                  data_.receive(), data_.counts(), receive_offsets_.data(), types_.data(), comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  /// MPI_Alltoallw counts displacements in bytes.
  static std::vector<int> offsets(const int* displacements, int ranks, const Point& point) {
    std::vector<int> all(displacements, displacements + ranks);
    for (int& offset : all) offset *= static_cast<int>(message_of(point).type->extent);
    return all;
  }

  MPI_Comm comm_;
  AlltoallData data_;
  std::vector<MPI_Datatype> types_;
  std::vector<int> send_offsets_;     ///< [B]
  std::vector<int> receive_offsets_;  ///< [B]
};

const Registration<Alltoallw> alltoallw;

}  // namespace
}  // namespace hockney
