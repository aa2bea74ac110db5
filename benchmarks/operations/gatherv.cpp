#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/rooted_data.hpp"

namespace hockney {
namespace {

/// Every rank's block, on the root; blocks may differ.
class Gatherv {
 public:
  static constexpr Descriptor descriptor{
      .name = "gatherv",
      .summary = "MPI_Gatherv to the root, until the last rank is through",
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

  Gatherv(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() {
    const int root = data_.next_root();
    MPI_Gatherv(data_.send(root), data_.send_count(), data_.type(), data_.receive(), data_.counts(),
                data_.displacements(), data_.type(), root, comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  GatherData data_;
};

const Registration<Gatherv> gatherv;

}  // namespace
}  // namespace hockney
