#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney {
namespace {

/// Many pairs at once, each with its window: the time in which every pair passes one message. The
/// slowest pair counts (OMB divides by the mean of the pairs, which no pair may have reached).
class MessageRate : public OneWayWindow {
 public:
  static constexpr Descriptor descriptor{
      .name = "message-rate",
      .summary = "one message of every pair, rank i to rank i + n/2, by windows of MPI_Isend",
      .counts = "one message of every pair (OMB mbw_mr: x pairs)",
      .shape = GroupShape::pairs,
      .timing = Timing::last_rank,
      .windowed = true};

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes * (point.ranks / 2)};
  }

  MessageRate(const Context& context, const Point& point)
      : OneWayWindow(context, point, context.rank < context.size / 2,
                     (context.rank + context.size / 2) % context.size) {}
};

const Registration<MessageRate> message_rate;

}  // namespace
}  // namespace hockney
