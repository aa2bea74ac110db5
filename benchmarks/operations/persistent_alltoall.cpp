#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/persistent.hpp"

namespace hockney {
namespace {

/// Another block from every rank to every rank, by a request made beforehand.
class PersistentAlltoall {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-alltoall",
      .summary =
          "MPI_Start and MPI_Wait of a persistent MPI_Alltoall, until the last rank is through",
      .counts = "the same bytes as alltoall",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the block of each pair of ranks (OMB, IMB: the same)",
      .blocks = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) { return alltoall_account(point); }
  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }

  PersistentAlltoall(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() { start_and_wait(request_.get()); }

  void refill(std::uint64_t seed) {
    data_.refill(seed);
    alltoall_init(data_.send(), data_.receive(), data_.counts()[0], data_.type(), comm_,
                  request_.out());
    start_first(request_.get(), data_, seed);
  }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  AlltoallData data_;
  UniqueRequest request_;
};

const Registration<PersistentAlltoall> persistent_alltoall;

}  // namespace
}  // namespace hockney
