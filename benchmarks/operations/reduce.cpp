#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/reduction_buffers.hpp"

namespace hockney {
namespace {

/// Every rank's data combined into one result, on the root.
class Reduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "reduce",
      .summary = "MPI_Reduce over all ranks to the root, until the last rank is through",
      .counts = "the message once (nccl-tests: the same; OMB osu_reduce, IMB Reduce: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .rooted = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }

  Reduce(const Context& context, const Point& point)
      : comm_(context.comm), reduction_(context, point) {}

  void run() {
    const int root = reduction_.next_root();
    const Reduction& data = reduction_.data();
    MPI_Reduce(reduction_.send(root), data.receive(), data.count(), data.type(), data.op(), root,
               comm_);
  }

  void refill(std::uint64_t seed) { reduction_.refill(seed); }
  void ready() { reduction_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return reduction_.verify(seed); }

 private:
  MPI_Comm comm_;
  RootedReduction reduction_;
};

const Registration<Reduce> reduce;

}  // namespace
}  // namespace hockney
