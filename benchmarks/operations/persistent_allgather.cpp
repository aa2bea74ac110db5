#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/persistent.hpp"

namespace hockney {
namespace {

/// Every rank's block, on all ranks, by a request made beforehand.
class PersistentAllgather {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-allgather",
      .summary =
          "MPI_Start and MPI_Wait of a persistent MPI_Allgather, until the last rank is through",
      .counts = "the same bytes as allgather",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each rank (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::kept};

  static Account account(const Point& point) { return allgather_account(point); }
  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }

  PersistentAllgather(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() { start_and_wait(request_.get()); }

  void refill(std::uint64_t seed) {
    data_.refill(seed);
    allgather_init(data_.send(), data_.receive(), data_.send_count(), data_.type(), comm_,
                   request_.out());
    start_first(request_.get(), data_, seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  AllgatherData data_;
  UniqueRequest request_;
};

const Registration<PersistentAllgather> persistent_allgather;

}  // namespace
}  // namespace hockney
