#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/rooted_data.hpp"

namespace hockney {
namespace {

/// To every rank its block, from the root; blocks may differ.
class Scatterv {
 public:
  static constexpr Descriptor descriptor{
      .name = "scatterv",
      .summary = "MPI_Scatterv from the root, until the last rank has its block",
      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the mean block of a rank (OMB, IMB: the block, as theirs are equal)",
      .blocks = true,
      .divides = true,
      .rooted = true,
      .in_place = InPlace::kept};

  static Account account(const Point& point) { return rooted_account(point); }

  Scatterv(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() {
    const int root = data_.next_root();
    MPI_Scatterv(data_.send(), data_.counts(), data_.displacements(), data_.type(),
                 data_.receive(root), data_.receive_count(), data_.type(), root, comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  ScatterData data_;
};

const Registration<Scatterv> scatterv;

}  // namespace
}  // namespace hockney
