#include "benchmarks/engine/slowed.hpp"

namespace hockney {

void Slowed::run_batch(std::int64_t iterations) {
  operation_->run_batch(iterations);
  if (extra_ticks_ <= 0) return;
  const auto extra = static_cast<std::int64_t>(extra_ticks_ * static_cast<double>(iterations));
  for (const std::int64_t begin = clock_.now(); clock_.now() - begin < extra;) {
  }
}

}  // namespace hockney
