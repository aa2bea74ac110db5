#include "benchmarks/harness/ring_operation.hpp"

namespace hockney::benchmarks {

std::optional<std::int64_t> RingOperation::most_iterations() const {
  return ring_.most_iterations();
}

void RingOperation::refill(std::uint64_t seed, std::int64_t iterations) {
  progress() = {.seed = seed};
  ring_.take(iterations);
  for (std::int64_t place = 0; place < ring_.places(); ++place, ring_.advance()) {
    fill(place_seed(seed, place));
  }
  ring_.bring_to_device();
  ring_.evict();
}

bool RingOperation::verify() {
  settle();
  ring_.bring_from_device();
  const std::size_t position = ring_.position();
  const Progress& done = progress();
  bool is_good = true;
  ring_.go_to(0);
  for (std::int64_t place = 0; place < done.used && is_good; ++place, ring_.advance()) {
    is_good = check(place_seed(done.seed, place));
  }
  ring_.go_to(position);
  return is_good;
}

std::int64_t RingOperation::deliveries_kept() const { return progress().used; }

}  // namespace hockney::benchmarks
