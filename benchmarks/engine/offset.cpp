#include "benchmarks/engine/offset.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace hockney {
namespace {

std::int64_t ageing(std::int64_t ticks, double drift) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(std::abs(ticks)) * drift));
}

}  // namespace

std::int64_t bound_at(const Offset& offset, std::int64_t at) {
  return offset.bound + ageing(at - offset.at, offset.drift);
}

void OffsetBounds::add(const Sandwich& exchange) {
  // Readings are cut to whole ticks, so each may lie up to one tick after what was read.
  narrow(exchange.before, exchange.before - exchange.reference - 1,
         exchange.after - exchange.reference + 1);
}

/// An old limit loosens by the drift while a new one is made, so the loosened ones are compared.
/// Their difference does not depend on the instant to which both have aged.
double OffsetBounds::lead(const Limit& limit, const Limit& other, double drift) {
  return static_cast<double>(limit.value - other.value) +
         drift * static_cast<double>(limit.at - other.at);
}

void OffsetBounds::narrow(std::int64_t at, std::int64_t low, std::int64_t high) {
  const Limit new_low{at, low};
  const Limit new_high{at, high};
  if (!low_ || lead(new_low, *low_, drift_) > 0) low_ = new_low;
  if (!high_ || lead(new_high, *high_, -drift_) < 0) high_ = new_high;
}

std::optional<Offset> OffsetBounds::offset(std::int64_t at) const {
  if (!low_ || !high_) return std::nullopt;
  const std::int64_t low = low_->value - ageing(at - low_->at, drift_);
  const std::int64_t high = high_->value + ageing(at - high_->at, drift_);
  if (low > high) return std::nullopt;
  const std::int64_t middle = std::midpoint(low, high);
  return Offset{.at = at,
                .estimate = middle,
                .bound = std::max(high - middle, middle - low),
                .drift = drift_};
}

}  // namespace hockney
