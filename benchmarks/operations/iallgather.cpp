#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"
#include "benchmarks/harness/overlap.hpp"

namespace hockney {
namespace {

/// Every rank's block, on all ranks, beside other work.
class Iallgather {
 public:
  static constexpr Descriptor descriptor{
      .name = "iallgather",
      .summary = "MPI_Iallgather among all ranks, and MPI_Wait, until the last one has all blocks",
      .counts = "the same bytes as allgather",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each rank (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::kept,
      .overlaps = true};

  static Account account(const Point& point) { return allgather_account(point); }

  Iallgather(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      MPI_Iallgather(data_.send(), data_.send_count(), data_.type(), data_.receive(),
                     data_.send_count(), data_.type(), comm_, request);
    });
  }

  void set_work(double rounds) { overlap_.set_rounds(rounds); }
  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return overlap_.only_works() || data_.verify(seed);
  }

 private:
  MPI_Comm comm_;
  Overlap overlap_;
  AllgatherData data_;
};

const Registration<Iallgather> iallgather;

}  // namespace
}  // namespace hockney
