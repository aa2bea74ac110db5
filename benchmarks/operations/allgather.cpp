#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney {
namespace {

/// Every rank's block, on all ranks.
class Allgather {
 public:
  static constexpr Descriptor descriptor{
      .name = "allgather",
      .summary = "MPI_Allgather among all ranks, until the last one has all blocks",
      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each rank (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::kept};

  static Account account(const Point& point) { return allgather_account(point); }

  Allgather(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() {
    MPI_Allgather(data_.send(), data_.send_count(), data_.type(), data_.receive(),
                  data_.send_count(), data_.type(), comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  AllgatherData data_;
};

const Registration<Allgather> allgather;

}  // namespace
}  // namespace hockney
