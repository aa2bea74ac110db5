#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/window.hpp"

namespace hockney {
namespace {

/// Many pairs at once, each with its window: the time in which every pair passes one message. The
/// slowest pair counts (OMB divides by the mean of the pairs, which no pair may have reached).
class MessageRate {
 public:
  static constexpr Descriptor descriptor{
      .name = "message-rate",
      .summary = "one message of every pair, rank i to rank i + n/2, by windows of MPI_Isend",
      .counts = "one message of every pair (OMB mbw_mr: x pairs)",
      .shape = TeamShape::pairs,
      .timing = Timing::last_rank,
      .windowed = true};

  static Account account(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes * (point.ranks / 2)};
  }

  MessageRate(const Context& context, const Point& point)
      : sends_(context.rank < context.size / 2),
        window_(context, point, (context.rank + context.size / 2) % context.size) {}

  void run() { window_.pass_one_way(sends_); }

  void refill(std::uint64_t seed) { window_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return sends_ || window_.verify(seed); }

 private:
  bool sends_;
  Window window_;
};

const Registration<MessageRate> message_rate;

}  // namespace
}  // namespace hockney
