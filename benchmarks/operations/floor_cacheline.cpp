#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handoff.hpp"
#include "benchmarks/harness/shared_memory.hpp"

namespace hockney {
namespace {

/// A cache line goes to the other rank and comes back; a sample is half the round trip.
class FloorCacheline {
 public:
  static constexpr Descriptor descriptor{
      .name = "floor-cacheline",
      .summary =
          "half the round trip of a flag in shared memory that two ranks raise in turn; "
          "no MPI",
      .counts = "nothing, it carries no data",
      .shape = TeamShape::pair,
      .timing = Timing::first_rank,
      .sized = false,
      .carrier = Carrier::shared_memory};

  static Account account(const Point&) { return {.operations = 2}; }

  FloorCacheline(const Context& context, const Point&)
      : first_(context.rank == 0),
        memory_(context.comm, sizeof(Handoff)),
        flag_(*reinterpret_cast<Handoff*>(memory_.data())) {}

  void run() {
    if (first_) {
      flag_.raise_to(++turn_);
      seen_ = flag_.wait_for(++turn_);
    } else {
      seen_ = flag_.wait_for(++turn_);
      flag_.raise_to(++turn_);
    }
  }

  void refill(std::uint64_t) { seen_ = 0; }
  [[nodiscard]] bool verify(std::uint64_t) const { return seen_ == (first_ ? turn_ : turn_ - 1); }

 private:
  bool first_;
  SharedMemory memory_;
  Handoff& flag_;
  std::uint64_t turn_ = 0;
  std::uint64_t seen_ = 0;
};

const Registration<FloorCacheline> floor_cacheline;

}  // namespace
}  // namespace hockney
