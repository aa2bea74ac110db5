#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/noise.hpp"

namespace hockney::benchmarks {
namespace {

/// Every rank goes over memory of its own: on the pages that it has had since the launch began, on
/// others, or on new ones that come into being under it. Where pages are decides which of them
/// compete for a place in a cache, and how far they are.
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

  /// Only between samples: of others for every pass, most of the time would be spent on getting
  /// them.
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
  /// While it still has the old ones, so that it does not get them again.
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
