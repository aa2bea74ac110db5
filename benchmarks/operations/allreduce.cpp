#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney {
namespace {

/// Every rank's data combined into one result, on all ranks.
class Allreduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "allreduce",
      .summary = "MPI_Allreduce over all ranks, until the last one has the result",
      .counts = "the message once (OMB osu_allreduce, IMB Allreduce: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true};

  static Account account(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  Allreduce(const Context& context, const Point& point)
      : comm_(context.comm), reduction_(context, point) {}

  void run() {
    MPI_Allreduce(reduction_.send(), reduction_.receive(), reduction_.count(), reduction_.type(),
                  reduction_.op(), comm_);
  }

  void refill(std::uint64_t seed) { reduction_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return reduction_.verify(seed); }

 private:
  MPI_Comm comm_;
  Reduction reduction_;
};

const Registration<Allreduce> registration;

}  // namespace
}  // namespace hockney
