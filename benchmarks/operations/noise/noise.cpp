#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/harness/rank_work.hpp"

namespace hockney::benchmarks {
namespace {

/// Every rank computes, and no rank waits for another: anything that lengthens it happened to its
/// core (fixed work quanta, as in Sottile and Minnich 2004). The slowest rank gives the time.
/// Interruptions of each core are recorded too, without a pause (record_noise).
class FixedWork {
 public:
  static constexpr Descriptor descriptor{
      .name = "fixed-work",
      .summary = "a fixed piece of arithmetic on every rank, until the last one is through; no MPI",
      .counts = "nothing, it carries no data",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .sized = false,
      .sizes = "nothing: there is one size, 0",
      .carrier = Carrier::none,
      .records_noise = true};

  static Volume volume(const Point&) { return {.operations = 1}; }

  FixedWork(const Context&, const Point&) {}

  void run() { do_fixed_work(); }
  void refill(std::uint64_t) {}
  [[nodiscard]] bool verify(std::uint64_t) const { return true; }
};

const Registration<FixedWork> fixed_work;

/// The first rank of a group works alone. The others, which share a core, a cache or a memory with
/// it, sleep, compute or stream until it has finished, which a counter in shared memory shows.
class WorkBesideNeighbours {
 public:
  static constexpr Descriptor descriptor{
      .name = "neighbour-work",
      .summary =
          "a pass of one rank over its memory (arithmetic at size 0), while others of its hop "
          "class idle or work; no MPI",
      .counts = "the memory of the one rank, once for each pass",
      .shape = GroupShape::everybody,
      .timing = Timing::first_rank,
      .sizes = "the memory that it goes over; 0: arithmetic alone",
      .carrier = Carrier::shared_memory,
      .has_neighbours = true};

  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  static std::optional<std::string> obstacle(const Point& point) {
    return own_memory_obstacle(point);
  }

  WorkBesideNeighbours(const Context& context, const Point& point)
      : rank_(context.rank),
        ranks_(context.size),
        neighbours_(point.parameters[neighbours_parameter]),
        shared_(context.comm, line * static_cast<std::size_t>(context.size)) {
    const auto bytes = static_cast<std::size_t>(point.bytes.value);
    if (rank_ == 0) {
      memory_ = context.buffers.keep(bytes);
    } else if (neighbours_ == NeighbourWork::streaming) {
      memory_ = context.buffers.keep(streamed_bytes);
    }
  }

  void run() { run_batch(1); }

  void run_batch(std::int64_t iterations) {
    ++turn_;
    if (rank_ > 0) return accompany();
    // Once for each block, in its untimed first iteration. For later samples the neighbours resume
    // their work within a microsecond.
    if (gathers_) gather();
    for (; iterations > 0; --iterations) work();
    board(0).raise_to(turn_);
  }

  void refill(std::uint64_t) {
    gathers_ = true;
    passes_ = 0;
    if (rank_ == 0) clear_counts(memory_);
  }

  [[nodiscard]] bool verify(std::uint64_t) const {
    return rank_ > 0 || sum_ == sum_after(memory_, passes_);
  }

 private:
  static constexpr std::size_t line = 128;  // prefetchers fetch pairs of cache lines
  static constexpr std::size_t streamed_bytes = std::size_t{64} << 20;
  static constexpr std::size_t piece_bytes = std::size_t{64} << 10;

  /// The first rank's number of finished turns, and the others' current turn.
  [[nodiscard]] Handoff& board(int rank) const {
    return *reinterpret_cast<Handoff*>(shared_.data() + line * static_cast<std::size_t>(rank));
  }

  void gather() {
    for (int rank = 1; rank < ranks_; ++rank) board(rank).wait_for(turn_);
    gathers_ = false;
  }

  void work() {
    ++passes_;
    if (memory_.empty()) return do_fixed_work();
    sum_ = go_over(memory_);
  }

  /// A neighbour's activity until the first rank has finished.
  void accompany() {
    using namespace std::chrono_literals;
    board(rank_).raise_to(turn_);
    while (!board(0).has_reached(turn_)) {
      if (neighbours_ == NeighbourWork::idle) {
        sleep_for(50us);
      } else if (neighbours_ == NeighbourWork::computing) {
        do_fixed_work();
      } else {
        streamed_ += go_over(memory_.subspan(at_, piece_bytes));
        at_ = (at_ + piece_bytes) % streamed_bytes;
      }
    }
  }

  int rank_;
  int ranks_;
  NeighbourWork neighbours_;
  SharedMemory shared_;
  std::span<std::byte> memory_;
  bool gathers_ = true;
  std::uint64_t turn_ = 0;
  std::uint64_t sum_ = 0;
  std::size_t at_ = 0;  ///< offset in the streamed memory [B]
  std::uint64_t streamed_ = 0;
  std::int64_t passes_ = 0;  ///< since refill
};

const Registration<WorkBesideNeighbours> neighbour_work;

/// Every rank passes over its own memory: on the same pages since the launch began, on others, or
/// on new ones that the pass allocates. The choice of pages determines which of them compete for a
/// place in a cache, and their distance.
class PageTouch {
 public:
  static constexpr Descriptor descriptor{
      .name = "page-touch",
      .summary =
          "a pass of every rank over its memory, on the same pages, on others or on fresh "
          "ones, until the last one is through; no MPI",
      .counts = "the memory of one rank, once for each pass",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .sizes = "the memory that each rank goes over",
      .carrier = Carrier::none,
      .own = {pages_parameter}};

  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  static std::optional<std::string> obstacle(const Point& point) {
    if (point.bytes.value == 0) return "0 bytes are on no page";
    return own_memory_obstacle(point);
  }

  PageTouch(const Context& context, const Point& point)
      : bytes_(static_cast<std::size_t>(point.bytes.value)),
        pages_(point.parameters[pages_parameter]) {
    if (pages_ == PageChoice::same) memory_ = context.buffers.keep(bytes_);
    if (pages_ == PageChoice::moved) move();
  }

  /// Only between samples. New pages for every pass would take most of the time.
  void ready() {
    if (pages_ == PageChoice::moved) move();
  }

  void run() {
    if (pages_ == PageChoice::fresh) {
      own_.reset();
      own_ = map_memory(bytes_, Pages::on_touch);
      memory_ = {own_.get(), bytes_};
      passes_ = 0;
    }
    ++passes_;
    sum_ = go_over(memory_);
  }

  void refill(std::uint64_t) {
    if (pages_ == PageChoice::fresh) return;
    clear_counts(memory_);
    passes_ = 0;
  }

  [[nodiscard]] bool verify(std::uint64_t) const { return sum_ == sum_after(memory_, passes_); }

 private:
  /// Allocates before it frees the old pages, so that it does not get them again.
  void move() {
    own_ = map_memory(bytes_, Pages::touched_now);
    memory_ = {own_.get(), bytes_};
    passes_ = 0;
  }

  std::size_t bytes_;
  PageChoice pages_;
  MappedMemory own_;
  std::span<std::byte> memory_;
  std::uint64_t sum_ = 0;
  std::int64_t passes_ = 0;  ///< since its words were 0
};

const Registration<PageTouch> page_touch;

}  // namespace
}  // namespace hockney::benchmarks
