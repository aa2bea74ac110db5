#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/reduction_buffers.hpp"

namespace hockney {
namespace {

/// Every rank's data combined into one result, on all ranks.
class Allreduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "allreduce",
      .summary = "MPI_Allreduce over all ranks, until the last one has the result",
      .counts = "the message once (nccl-tests: the same; OMB osu_allreduce, IMB Allreduce: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .in_place = InPlace::consumed};

  static Account account(const Point& point) {
    return message_account(point, 2.0 * (point.ranks - 1) / point.ranks);
  }

  Allreduce(const Context& context, const Point& point)
      : comm_(context.comm), reduction_(context, point) {}

  void run() {
    MPI_Allreduce(reduction_.send(), reduction_.receive(), reduction_.count(), reduction_.type(),
                  reduction_.op(), comm_);
  }

  void refill(std::uint64_t seed) { reduction_.refill(seed); }
  void ready() { reduction_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return reduction_.verify(seed); }

 private:
  MPI_Comm comm_;
  Reduction reduction_;
};

const Registration<Allreduce> allreduce;

}  // namespace
}  // namespace hockney
