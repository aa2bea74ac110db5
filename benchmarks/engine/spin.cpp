#include "benchmarks/engine/spin.hpp"

#include "core/statistics.hpp"

namespace hockney {
namespace {

constexpr std::int64_t trial_rounds = 4000;  // about a microsecond: many readings of a clock

}  // namespace

/// A chain of additions, each waiting for the one before.
void spin(std::int64_t rounds) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < rounds; ++i) {
    sum += i;
    __asm__ volatile("" : "+r"(sum));
  }
}

void SpinPace::run_batch(std::int64_t iterations) {
  operation_.run_batch(iterations);
  const std::int64_t before = clock_.now();
  const std::int64_t begin = clock_.now();
  spin(trial_rounds);
  const std::int64_t end = clock_.now();
  const std::int64_t reading = begin - before;
  ticks_.push_back(static_cast<double>(end - begin - reading));
}

double SpinPace::rounds_per_tick() const {
  const double ticks = median(ticks_).value_or(0);
  return ticks > 0 ? static_cast<double>(trial_rounds) / ticks : 0;
}

}  // namespace hockney
