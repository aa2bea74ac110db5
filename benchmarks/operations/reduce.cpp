#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney {
namespace {

/// Every rank's data combined into one result, on the first rank.
class Reduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "reduce",
      .summary = "MPI_Reduce over all ranks to the first one, until the last rank is through",
      .counts = "the message once (OMB osu_reduce, IMB Reduce: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true};

  static Account account(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  Reduce(const Context& context, const Point& point)
      : comm_(context.comm), receives_(context.rank == root), reduction_(context, point) {}

  void run() {
    MPI_Reduce(reduction_.send(), reduction_.receive(), reduction_.count(), reduction_.type(),
               reduction_.op(), root, comm_);
  }

  void refill(std::uint64_t seed) { reduction_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !receives_ || reduction_.verify(seed);
  }

 private:
  static constexpr int root = 0;

  MPI_Comm comm_;
  bool receives_;
  Reduction reduction_;
};

const Registration<Reduce> registration;

}  // namespace
}  // namespace hockney
