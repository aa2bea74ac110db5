#include "benchmarks/harness/accounts.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/reduction_buffers.hpp"

namespace hockney {
namespace {

/// Every rank's data combined into one result, on the root, beside other work.
class Ireduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "ireduce",
      .summary =
          "MPI_Ireduce over all ranks to the root, and MPI_Wait, until the last rank is through",
      .counts = "the same bytes as reduce",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the vector of each rank (OMB, IMB: the same)",
      .rooted = true,
      .in_place = InPlace::consumed,
      .overlaps = true};

  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }

  Ireduce(const Context& context, const Point& point)
      : comm_(context.comm), overlap_(point), data_(context, point) {}

  void run() {
    overlap_.run([this](MPI_Request* request) {
      const int root = data_.next_root();
      const Reduction& data = data_.data();
      MPI_Ireduce(data_.send(root), data.receive(), data.count(), data.type(), data.op(), root,
                  comm_, request);
    });
  }

  void set_work(double rounds) { overlap_.set_rounds(rounds); }
  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return overlap_.only_works() || data_.verify(seed);
  }

 private:
  MPI_Comm comm_;
  Overlap overlap_;
  RootedReduction data_;
};

const Registration<Ireduce> ireduce;

}  // namespace
}  // namespace hockney
