#pragma once

#include <string>
#include <string_view>

#include "benchmarks/harness/point.hpp"

namespace hockney::benchmarks {

/// "bcast ranks=2 at 8 bytes".
std::string point_words(const Point& point);

/// Says, while it lives, what this process measures. One at a time in a process.
class PointUnderWay {
 public:
  explicit PointUnderWay(const Point& point);
  PointUnderWay(const PointUnderWay&) = delete;
  PointUnderWay& operator=(const PointUnderWay&) = delete;
  PointUnderWay(PointUnderWay&&) = delete;
  PointUnderWay& operator=(PointUnderWay&&) = delete;
  ~PointUnderWay();
};

/// Its words; empty between points. May be called in a signal handler.
std::string_view point_under_way();

}  // namespace hockney::benchmarks
