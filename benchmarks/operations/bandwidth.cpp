#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney {
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

  void run() {
    start_receives();
    start_sends();
    wait();
  }
};

const Registration<BidirectionalBandwidth> bidirectional_bandwidth;

}  // namespace
}  // namespace hockney
