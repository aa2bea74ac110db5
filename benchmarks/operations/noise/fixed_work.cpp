#include "benchmarks/engine/spin.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/noise.hpp"

namespace hockney::benchmarks {
namespace {

/// Every rank computes, and nobody waits for anybody: whatever makes it longer was done to its core
/// (fixed work quanta, as Sottile and Minnich 2004 have them). Beside its times, in which the
/// slowest rank counts, what interrupts each core is recorded without a pause (record_noise).
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

}  // namespace
}  // namespace hockney::benchmarks
