#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/bcast_data.hpp"
#include "benchmarks/harness/catalogue.hpp"

namespace hockney {
namespace {

/// The root's message reaches everybody.
class Bcast {
 public:
  static constexpr Descriptor descriptor{
      .name = "bcast",
      .summary = "MPI_Bcast from the root to all, until the last one has it",
      .counts = "the message once (nccl-tests: the same; OMB osu_bcast, IMB Bcast: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sizes = "the message (OMB, IMB: the same)",
      .rooted = true};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }

  Bcast(const Context& context, const Point& point) : comm_(context.comm), data_(context, point) {}

  void run() { MPI_Bcast(data_.message(), data_.count(), data_.type(), data_.next_root(), comm_); }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  BcastData data_;
};

const Registration<Bcast> bcast;

}  // namespace
}  // namespace hockney
