#include "benchmarks/harness/overlap.hpp"

#include <cmath>

namespace hockney::benchmarks {

void Overlap::set_rounds(double rounds) { rounds_ = std::llround(rounds); }

void Overlap::work() const { spin(rounds_); }

}  // namespace hockney::benchmarks
