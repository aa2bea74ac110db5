#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/window.hpp"

namespace hockney {
namespace {

/// A window of messages one way, closed by an empty message back: the time of one of them.
class Bandwidth {
 public:
  static constexpr Descriptor descriptor{
      .name = "bandwidth",
      .summary = "one message of a window of MPI_Isend, closed by an acknowledgement",
      .counts = "the message once (OMB bw and IMB Uniband: x1)",
      .shape = TeamShape::pair,
      .timing = Timing::first_rank,
      .windowed = true};

  static Account account(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes};
  }

  Bandwidth(const Context& context, const Point& point)
      : sends_(context.rank == 0), window_(context, point, 1 - context.rank) {}

  void run() { window_.pass_one_way(sends_); }

  void refill(std::uint64_t seed) { window_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return sends_ || window_.verify(seed); }

 private:
  bool sends_;
  Window window_;
};

const Registration<Bandwidth> bandwidth;

}  // namespace
}  // namespace hockney
