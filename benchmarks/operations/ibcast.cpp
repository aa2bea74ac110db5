#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/bcast_data.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/overlap.hpp"

namespace hockney {
namespace {

/// The root's message reaches everybody, beside other work.
class Ibcast {
 public:
  static constexpr Descriptor descriptor{
      .name = "ibcast",
      .summary = "MPI_Ibcast from the root to all, and MPI_Wait, until the last rank has it",
      .counts = "the same bytes as bcast",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the message (OMB, IMB: the same)",
      .rooted = true,
      .overlaps = true};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }

  Ibcast(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      MPI_Ibcast(data_.message(), data_.count(), data_.type(), data_.next_root(), comm_, request);
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
  BcastData data_;
};

const Registration<Ibcast> ibcast;

}  // namespace
}  // namespace hockney
