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

/// Windows of messages both ways at once: the time of one message each way.
class BidirectionalBandwidth {
 public:
  static constexpr Descriptor descriptor{
      .name = "bidirectional-bandwidth",
      .summary = "one message each way of two windows of MPI_Isend and MPI_Irecv",
      .counts = "the message twice, once each way (OMB bibw and IMB Biband: x2)",
      .shape = TeamShape::pair,
      .timing = Timing::last_rank,
      .windowed = true};

  static Account account(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes * 2};
  }

  BidirectionalBandwidth(const Context& context, const Point& point)
      : window_(context, point, 1 - context.rank) {}

  void run() {
    window_.start_receives();
    window_.start_sends();
    window_.wait();
  }

  void refill(std::uint64_t seed) { window_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return window_.verify(seed); }

 private:
  Window window_;
};

const Registration<BidirectionalBandwidth> bidirectional_bandwidth;

}  // namespace

}  // namespace hockney
