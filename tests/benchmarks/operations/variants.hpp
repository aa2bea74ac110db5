#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/payload.hpp"
#include "tests/benchmarks/operations/one_operation.hpp"

namespace hockney::benchmarks {

/// The points with each value of one more parameter.
template <class Value>
std::vector<Point> each_value(const std::vector<Point>& points, const Parameter<Value>& parameter,
                              const std::vector<std::type_identity_t<Value>>& values) {
  std::vector<Point> all;
  for (const Point& point : points) {
    for (const Value& value : values) {
      all.push_back(point);
      all.back().parameters.set(parameter, value);
    }
  }
  return all;
}

/// A point in every way that a collective can be called in, as far as the point can be measured.
inline std::vector<Point> call_variants(const CatalogueEntry& entry, const Point& point) {
  const Descriptor& descriptor = entry.descriptor;
  std::vector<Point> points{point};
  if (descriptor.divides) points = each_value(points, counts_parameter, every<Distribution>());
  if (descriptor.rooted) {
    const std::string last = std::to_string(point.ranks - 1);
    points = each_value(points, root_parameter,
                        {parse_root("first"), parse_root("rotating"), parse_root(last)});
  }
  if (descriptor.in_place != InPlace::never) {
    points = each_value(points, in_place_parameter, every<ReceivePlace>());
  }
  std::erase_if(points, [&](const Point& variant) {
    return obstacle(variant) || call_obstacle(descriptor, variant) || !is_possible(entry, variant);
  });
  return points;
}

/// A point of data whose kind every operation takes, whatever their size.
inline Point bytes_point(const Descriptor& descriptor, std::int64_t bytes, int ranks) {
  Point point = point_for(descriptor, Bytes{descriptor.sized ? bytes : 0}, ranks);
  point.parameters.set(datatype_parameter, "uint8");
  return point;
}

/// Checks that an operation delivers its data at a size, in every way that it can be called in.
inline void check_variants(const CatalogueEntry& entry, const Workbench& bench,
                           std::int64_t bytes) {
  for (const Point& point :
       call_variants(entry, bytes_point(entry.descriptor, bytes, bench.size))) {
    INFO(curve_name(point) << " at " << bytes);
    const auto operation = entry.prepare(bench, point);
    for (std::uint64_t seed = 1; seed < 3; ++seed) {
      operation->refill(seed, 1);
      for (int call = 0; call < bench.size; ++call) {  // every rank is once a rotating root
        operation->ready();
        operation->run_batch(1);
      }
      CHECK(operation->verify());
    }
  }
}

}  // namespace hockney::benchmarks
