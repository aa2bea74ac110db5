#include <array>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// Both neighbours in a ring at once, the pattern of a one-dimensional ghost-cell update.
class Exchange {
 public:
  static constexpr Descriptor descriptor{
      .name = "exchange",
      .summary = "MPI_Isend to both neighbours in a ring, MPI_Recv from both, MPI_Waitall",
      .counts = "the message four times: two sent and two received by each rank (IMB Exchange: x4)",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank};

  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes * 4}; }

  Exchange(const Context& context, const Point& point)
      : comm_(context.comm),
        right_((context.rank + 1) % context.size),
        left_((context.rank + context.size - 1) % context.size),
        traffic_(context, point, {left_, right_}) {}

  void run() {
    std::array<MPI_Request, 2> requests{};
    const int count = traffic_.count();
    MPI_Datatype type = traffic_.type();
    MPI_Isend(traffic_.send(), count, type, right_, rightwards, comm_, requests.data());
    MPI_Isend(traffic_.send(), count, type, left_, leftwards, comm_, &requests[1]);
    MPI_Recv(traffic_.receive(0), count, type, left_, rightwards, comm_, MPI_STATUS_IGNORE);
    MPI_Recv(traffic_.receive(1), count, type, right_, leftwards, comm_, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 private:
  // With two ranks both neighbours are the same one, so the direction tells the messages apart.
  static constexpr int rightwards = 0;
  static constexpr int leftwards = 1;

  MPI_Comm comm_;
  int right_;
  int left_;
  Traffic traffic_;
};

const Registration<Exchange> exchange;

}  // namespace
}  // namespace hockney::benchmarks
