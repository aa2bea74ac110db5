#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/bcast_data.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/persistent.hpp"

namespace hockney {
namespace {

/// The root's message reaches everybody, by a request made beforehand.
class PersistentBcast {
 public:
  static constexpr Descriptor descriptor{
      .name = "persistent-bcast",
      .summary = "MPI_Start and MPI_Wait of a persistent MPI_Bcast, until the last rank is through",
      .counts = "the same bytes as bcast",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the message (OMB, IMB: the same)",
      .rooted = true};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }
  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }

  PersistentBcast(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void run() { start_and_wait(request_.get()); }

  void refill(std::uint64_t seed) {
    data_.refill(seed);
    bcast_init(data_.message(), data_.count(), data_.type(), data_.next_root(), comm_,
               request_.out());
    start_first(request_.get(), data_, seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  BcastData data_;
  UniqueRequest request_;
};

const Registration<PersistentBcast> persistent_bcast;

}  // namespace
}  // namespace hockney
