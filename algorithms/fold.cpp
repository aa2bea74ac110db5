#include "algorithms/fold.hpp"

#include "algorithms/division.hpp"

namespace hockney {

Fold::Fold(int all) : ranks(all), power(power_below(all)), extra(all - power) {}

}  // namespace hockney
