#pragma once

#include "core/point.hpp"

namespace hockney {

/// The key in a point's parameters under which points that are timed as another suite would time
/// them name that suite: "osu", "imb". Points without it are timed in hockney's own way.
inline constexpr const char* timing_parameter = "timing";

/// Whether the point's number is one that another suite would print.
inline bool is_of_other_suite(const Point& point) {
  return point.parameters.contains(timing_parameter);
}

}  // namespace hockney
