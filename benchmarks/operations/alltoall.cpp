#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney {
namespace {

/// Another block from every rank to every rank.
class Alltoall {
 public:
  static constexpr Descriptor descriptor{
      .name = "alltoall",
      .summary = "MPI_Alltoall among all ranks, until the last one has all its blocks",
      .counts = "what one rank sends, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each pair of ranks (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) { return alltoall_account(point); }

  Alltoall(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() {
    MPI_Alltoall(data_.send(), data_.counts()[0], data_.type(), data_.receive(), data_.counts()[0],
                 data_.type(), comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  AlltoallData data_;
};

const Registration<Alltoall> alltoall;

}  // namespace
}  // namespace hockney
