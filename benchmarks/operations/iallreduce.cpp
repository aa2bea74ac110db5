#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/reduction_buffers.hpp"

namespace hockney {
namespace {

/// Every rank's data combined into one result, on all ranks, beside other work.
class Iallreduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "iallreduce",
      .summary = "MPI_Iallreduce over all ranks, and MPI_Wait, until the last one has the result",
      .counts = "the same bytes as allreduce",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .in_place = InPlace::consumed,
      .overlaps = true};

  static Account account(const Point& point) {
    return message_account(point, 2.0 * (point.ranks - 1) / point.ranks);
  }

  Iallreduce(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      MPI_Iallreduce(data_.send(), data_.receive(), data_.count(), data_.type(), data_.op(), comm_,
                     request);
    });
  }

  void set_work(double rounds) { overlap_.set_rounds(rounds); }
  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return overlap_.only_works() || data_.verify(seed);
  }

 private:
  MPI_Comm comm_;
  Overlap overlap_;
  Reduction data_;
};

const Registration<Iallreduce> iallreduce;

}  // namespace
}  // namespace hockney
