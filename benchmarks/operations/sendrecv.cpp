#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney {
namespace {

/// A ring: everybody sends to the right and receives from the left in one MPI_Sendrecv.
class Sendrecv {
 public:
  static constexpr Descriptor descriptor{
      .name = "sendrecv",
      .summary = "MPI_Sendrecv to the right and from the left in a ring of all ranks",
      .counts = "the message twice, as each rank sends and receives one (IMB Sendrecv: x2)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank};

  static Account account(const Point& point) { return {.operations = 1, .bytes = point.bytes * 2}; }

  Sendrecv(const Context& context, const Point& point)
      : comm_(context.comm),
        right_((context.rank + 1) % context.size),
        left_((context.rank + context.size - 1) % context.size),
        traffic_(context, point, {left_}) {}

  void run() {
    MPI_Sendrecv(traffic_.send(), traffic_.count(), traffic_.type(), right_, 0, traffic_.receive(),
                 traffic_.count(), traffic_.type(), left_, 0, comm_, MPI_STATUS_IGNORE);
  }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 private:
  MPI_Comm comm_;
  int right_;
  int left_;
  Traffic traffic_;
};

const Registration<Sendrecv> sendrecv;

}  // namespace
}  // namespace hockney
