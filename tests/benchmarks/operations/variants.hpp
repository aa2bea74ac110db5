#pragma once

#include <string>
#include <vector>

#include "benchmarks/harness/block_buffer.hpp"
#include "benchmarks/harness/obstacles.hpp"
#include "benchmarks/harness/operators.hpp"
#include "tests/benchmarks/operations/one_operation.hpp"

namespace hockney {

/// The points with each value of one more parameter.
inline std::vector<Point> each_value(const std::vector<Point>& points, const std::string& key,
                                     const std::vector<std::string>& values) {
  std::vector<Point> all;
  for (const Point& point : points) {
    for (const std::string& value : values) {
      all.push_back(point);
      all.back().parameters[key] = value;
    }
  }
  return all;
}

/// A point in every way that a collective can be called in, as far as the point can be measured.
inline std::vector<Point> call_variants(const CatalogueEntry& entry, const Point& point) {
  const Descriptor& descriptor = entry.descriptor;
  std::vector<Point> points{point};
  if (descriptor.divides) points = each_value(points, "counts", distribution_names());
  if (descriptor.rooted) {
    const std::string last = std::to_string(point.ranks - 1);
    points = each_value(points, "root", {"first", "rotating", last});
  }
  if (descriptor.in_place != InPlace::never) points = each_value(points, "in-place", {"no", "yes"});
  std::erase_if(points, [&](const Point& variant) {
    return obstacle(variant) || call_obstacle(descriptor, variant) || !is_possible(entry, variant);
  });
  return points;
}

}  // namespace hockney
