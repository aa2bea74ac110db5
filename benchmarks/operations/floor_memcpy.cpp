#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/chunk_channel.hpp"
#include "benchmarks/harness/shared_memory.hpp"
#include "benchmarks/harness/traffic.hpp"

namespace hockney {
namespace {

/// What any MPI can hope for that copies through shared memory.
class FloorMemcpy {
 public:
  static constexpr Descriptor descriptor{
      .name = "floor-memcpy",
      .summary =
          "half the round trip of memcpy into shared memory and out of it, pipelined in "
          "chunks of up to 16 KiB; no MPI",
      .counts = "the message once, as pingpong does",
      .shape = TeamShape::pair,
      .timing = Timing::first_rank,
      .carrier = Carrier::shared_memory};

  static Account account(const Point& point) { return {.operations = 2, .bytes = point.bytes}; }

  FloorMemcpy(const Context& context, const Point& point)
      : first_(context.rank == 0),
        bytes_(message_of(point).extent()),
        traffic_(context, point, {1 - context.rank}),
        memory_(context.comm, 2 * ChunkChannel::bytes_for(bytes_)),
        to_second_(memory_.data(), bytes_),
        to_first_(memory_.data() + ChunkChannel::bytes_for(bytes_), bytes_) {}

  void run() {
    if (first_) {
      to_second_.send(static_cast<const std::byte*>(traffic_.send()));
      to_first_.receive(static_cast<std::byte*>(traffic_.receive()));
    } else {
      to_second_.receive(static_cast<std::byte*>(traffic_.receive()));
      to_first_.send(static_cast<const std::byte*>(traffic_.send()));
    }
  }

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 private:
  bool first_;
  std::size_t bytes_;
  Traffic traffic_;
  SharedMemory memory_;
  ChunkChannel to_second_;
  ChunkChannel to_first_;
};

const Registration<FloorMemcpy> floor_memcpy;

}  // namespace
}  // namespace hockney
