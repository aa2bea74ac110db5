#include <unistd.h>

#include <array>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/traffic.hpp"

/// Floors: the performance of this machine without MPI, between two ranks of a node.
namespace hockney::benchmarks {
namespace {

/// A cache line is passed to the other rank and back; a sample is half the round trip.
class FloorCacheline {
 public:
  static constexpr Descriptor descriptor{
      .name = "floor-cacheline",
      .summary =
          "half the round trip of a flag in shared memory that two ranks raise in turn; "
          "no MPI",
      .counts = "nothing, it carries no data",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank,
      .sized = false,
      .carrier = Carrier::shared_memory};

  static Volume volume(const Point&) { return {.operations = 2}; }

  FloorCacheline(const Context& context, const Point&)
      : memory_(context.comm, sizeof(Handoff)),
        trip_(*reinterpret_cast<Handoff*>(memory_.data()), context.rank == 0) {}

  void run() { trip_.run(); }

  void refill(std::uint64_t) { trip_.forget(); }
  [[nodiscard]] bool verify(std::uint64_t) const { return trip_.is_good(); }

 private:
  SharedMemory memory_;
  LineTrip trip_;
};

const Registration<FloorCacheline> floor_cacheline;

/// A message and its reply through `room` bytes of shared memory; a sample is half the round trip.
class FloorMessage {
 public:
  static Volume volume(const Point& point) { return PairMessage::volume(point); }

  FloorMessage(const Context& context, const Point& point, std::size_t room)
      : first_(context.rank == 0),
        bytes_(message_of(point).extent()),
        traffic_(context, point, {1 - context.rank}),
        memory_(context.comm, room) {}

  void refill(std::uint64_t seed) { traffic_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return traffic_.verify(seed); }

 protected:
  [[nodiscard]] const std::byte* sent() const {
    return static_cast<const std::byte*>(traffic_.send());
  }
  [[nodiscard]] std::byte* received() const { return static_cast<std::byte*>(traffic_.receive()); }

  bool first_;
  std::size_t bytes_;
  Traffic traffic_;
  SharedMemory memory_;
};

/// Lower bound for an MPI that copies through shared memory.
class FloorMemcpy : public FloorMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "floor-memcpy",
      .summary =
          "half the round trip of memcpy into shared memory and out of it, pipelined in "
          "chunks of up to 16 KiB; no MPI",
      .counts = "the message once, as pingpong does",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank,
      .carrier = Carrier::shared_memory};

  FloorMemcpy(const Context& context, const Point& point)
      : FloorMessage(context, point, 2 * ChunkChannel::bytes_for(message_of(point).extent())),
        to_second_(memory_.data(), bytes_),
        to_first_(memory_.data() + ChunkChannel::bytes_for(bytes_), bytes_) {}

  void run() {
    if (first_) {
      to_second_.send(sent());
      to_first_.receive(received());
    } else {
      to_second_.receive(received());
      to_first_.send(sent());
    }
  }

 private:
  ChunkChannel to_second_;
  ChunkChannel to_first_;
};

const Registration<FloorMemcpy> floor_memcpy;

/// Lower bound for an MPI that copies once, from process to process.
class FloorProcessVm : public FloorMessage {
 public:
  static constexpr Descriptor descriptor{
      .name = "floor-process-vm",
      .summary =
          "half the round trip of process_vm_readv from the other rank's buffer, which a "
          "flag in shared memory names; no MPI",
      .counts = "the message once, as pingpong does",
      .shape = GroupShape::pair,
      .timing = Timing::first_rank,
      .carrier = Carrier::peer_memory};

  FloorProcessVm(const Context& context, const Point& point)
      : FloorMessage(context, point, 2 * sizeof(Desk)),
        own_(desk(context.rank)),
        other_(desk(1 - context.rank)) {
    const auto self = static_cast<std::int64_t>(::getpid());
    std::array<std::int64_t, 2> processes{};
    mpi_check(MPI_Allgather(&self, 1, MPI_INT64_T, processes.data(), 1, MPI_INT64_T, context.comm));
    process_ = static_cast<pid_t>(processes.at(static_cast<std::size_t>(1 - context.rank)));
  }

  void run() {
    ++turn_;
    if (first_) {
      offer();
      fetch();
    } else {
      fetch();
      offer();
      own_.fetched.wait_for(turn_);  // the buffer may be reused
    }
  }

 private:
  /// Where a rank offers its buffer, and the other one confirms that it has read it.
  struct Desk {
    alignas(128) Handoff offered;
    std::uint64_t address = 0;
    alignas(128) Handoff fetched;
  };

  Desk& desk(int rank) { return reinterpret_cast<Desk*>(memory_.data())[rank]; }

  void offer() {
    own_.address = reinterpret_cast<std::uint64_t>(sent());
    own_.offered.raise_to(turn_);
  }

  void fetch() {
    other_.offered.wait_for(turn_);
    read_peer({.process = process_, .address = other_.address}, received(), bytes_);
    other_.fetched.raise_to(turn_);
  }

  Desk& own_;
  Desk& other_;
  pid_t process_ = 0;
  std::uint64_t turn_ = 0;
};

const Registration<FloorProcessVm> floor_process_vm;

}  // namespace
}  // namespace hockney::benchmarks
