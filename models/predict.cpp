#include "models/predict.hpp"

#include <algorithm>

namespace hockney {

Prediction predict(const Fit& fit, Bytes size) {
  const auto bytes = static_cast<double>(size.value);
  // The first segment that does not end below the size.
  const auto segment = std::ranges::lower_bound(fit.segments, size, {}, &Segment::to);
  if (segment == fit.segments.end()) {
    return {fit.segments.back().line.at(bytes), Region::above_domain, std::nullopt};
  }
  if (size >= segment->from) return {segment->line.at(bytes), Region::inside, std::nullopt};
  if (segment == fit.segments.begin()) {
    return {segment->line.at(bytes), Region::below_domain, std::nullopt};
  }
  return {std::prev(segment)->line.at(bytes), Region::between_segments, segment->line.at(bytes)};
}

}  // namespace hockney
