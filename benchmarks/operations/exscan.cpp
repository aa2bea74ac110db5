#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney {
namespace {

/// On every rank the vectors of all ranks before it, combined; the first one gets nothing.
class Exscan {
 public:
  static constexpr Descriptor descriptor{
      .name = "exscan",
      .summary = "MPI_Exscan over all ranks, until the last one has its result",
      .counts = "the vector once (no other suite has it)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB, nccl-tests: not there)",
      .in_place = InPlace::consumed};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }

  Exscan(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point, exscan_reduction(context, point)) {}

  void run() {
    MPI_Exscan(data_.send(), data_.receive(), data_.count(), data_.type(), data_.op(), comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  Reduction data_;
};

const Registration<Exscan> exscan;

}  // namespace
}  // namespace hockney
