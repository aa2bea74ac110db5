#include "benchmarks/harness/point_under_way.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace hockney::benchmarks {
namespace {

/// Of a fixed size: a signal handler must not meet a string that is just being changed.
struct Words {
  std::array<char, 512> text;
  std::atomic<std::size_t> length;
};

Words& words() {
  static constinit Words under_way{};
  return under_way;
}

}  // namespace

std::string point_words(const Point& point) {
  return curve_name(point) + " at " + std::to_string(point.bytes.value) + " bytes";
}

PointUnderWay::PointUnderWay(const Point& point) {
  const std::string text = point_words(point);
  const std::size_t length = std::min(text.size(), words().text.size());
  words().length = 0;
  std::copy_n(text.begin(), length, words().text.begin());
  words().length = length;
}

PointUnderWay::~PointUnderWay() { words().length = 0; }

std::string_view point_under_way() { return {words().text.data(), words().length}; }

}  // namespace hockney::benchmarks
