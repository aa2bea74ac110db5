#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/flows.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney::benchmarks {
namespace {

/// A window of messages one way, closed by an empty message back: the time of one of them.
class Bandwidth : public OneWayWindow {
 public:
  static constexpr Descriptor descriptor{
      .name = "bandwidth",
      .summary = "one message of a window of MPI_Isend, closed by an acknowledgement",
      .counts = "the message once (OMB bw and IMB Uniband: x1)",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank,
      .windowed = true};

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes};
  }

  Bandwidth(const Context& context, const Point& point)
      : OneWayWindow(context, point, context.rank == 0, 1 - context.rank) {}
};

const Registration<Bandwidth> bandwidth;

/// Windows of messages both ways at once: the time of one message each way.
class BidirectionalBandwidth : public Window {
 public:
  static constexpr Descriptor descriptor{
      .name = "bidirectional-bandwidth",
      .summary = "one message each way of two windows of MPI_Isend and MPI_Irecv",
      .counts = "the message twice, once each way (OMB bibw and IMB Biband: x2)",
      .shape = GroupShape::pair,
      .timing = Timing::last_rank,
      .windowed = true};

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes * 2};
  }

  BidirectionalBandwidth(const Context& context, const Point& point)
      : Window(context, point, 1 - context.rank) {}

  void run() { pass_both_ways(); }
};

const Registration<BidirectionalBandwidth> bidirectional_bandwidth;

/// Many pairs at once, each with its window: the time in which every pair passes one message. The
/// slowest pair counts (OMB divides by the mean of the pairs, which no pair may have reached).
/// Where a point says how many pairs, the others wait.
class MessageRate : public OneWayWindow {
 public:
  static constexpr Descriptor descriptor{
      .name = "message-rate",
      .summary = "one message of every pair, rank i to rank i + n/2, by windows of MPI_Isend",
      .counts = "one message of every pair (OMB mbw_mr: x pairs)",
      .shape = GroupShape::pairs,
      .timing = Timing::last_rank,
      .windowed = true,
      .contends = true};

  static Volume volume(const Point& point) {
    return {.operations = window_of(point),
            .bytes = point.bytes * flows_of(point, point.ranks / 2)};
  }
  static std::optional<std::string> obstacle(const Point& point) {
    return flows_obstacle(point, point.ranks / 2);
  }

  MessageRate(const Context& context, const Point& point)
      : OneWayWindow(context, point, context.rank < context.size / 2,
                     (context.rank + context.size / 2) % context.size),
        works_(context.rank % (context.size / 2) < flows_of(point, context.size / 2)) {}

  void run() {
    if (works_) OneWayWindow::run();
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !works_ || OneWayWindow::verify(seed);
  }

 private:
  bool works_;
};

const Registration<MessageRate> message_rate;

}  // namespace
}  // namespace hockney::benchmarks
