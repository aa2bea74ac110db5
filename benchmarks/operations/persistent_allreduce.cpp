#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/persistent.hpp"
#include "benchmarks/harness/reduction_buffers.hpp"

namespace hockney {
namespace {

/// Every rank's data combined into one result, on all ranks, by a request made beforehand.
class PersistentAllreduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-allreduce",
      .summary =
          "MPI_Start and MPI_Wait of a persistent MPI_Allreduce, until the last rank is through",
      .counts = "the same bytes as allreduce",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .in_place = InPlace::consumed};

  static Account account(const Point& point) {
    return message_account(point, 2.0 * (point.ranks - 1) / point.ranks);
  }
  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }

  PersistentAllreduce(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() { start_and_wait(request_.get()); }

  void refill(std::uint64_t seed) {
    data_.refill(seed);
    allreduce_init(data_.send(), data_.receive(), data_.count(), data_.type(), data_.op(), comm_,
                   request_.out());
    start_first(request_.get(), data_, seed);
  }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  Reduction data_;
  UniqueRequest request_;
};

const Registration<PersistentAllreduce> persistent_allreduce;

}  // namespace
}  // namespace hockney
