#include "benchmarks/harness/call_obstacles.hpp"

#include <limits>

#include "benchmarks/harness/block_buffer.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/roots.hpp"

namespace hockney {
namespace {

bool is(const Point& point, const std::string& key, const std::string& value) {
  const auto named = point.parameters.find(key);
  return named != point.parameters.end() && named->second == value;
}

bool has_rotating_buffers(const Point& point) {
  return point.parameters.contains("cache") && !is(point, "cache", "hot");
}

std::optional<std::string> root_obstacle(const Point& point) {
  if (root_of(point) >= point.ranks) {
    return "there is no rank " + std::to_string(root_of(point)) + " among " +
           std::to_string(point.ranks);
  }
  if (root_rotates(point) && has_rotating_buffers(point)) {
    return "the root rotates with hot buffers only";
  }
  return std::nullopt;
}

std::optional<std::string> in_place_obstacle(const Descriptor& descriptor, const Point& point) {
  if (descriptor.in_place != InPlace::consumed || !is_in_place(point)) return std::nullopt;
  if (has_rotating_buffers(point)) {
    return "in place, data are put back before each call, which would warm its buffers up";
  }
  if (is(point, "cadence", "streaming")) {
    return "in place, each call would start from what the one before left";
  }
  if (descriptor.blocks && distribution_of(point) != "equal") {
    return "in place, two ranks exchange blocks of one length";
  }
  return std::nullopt;
}

/// Elements of the largest block of any rank, or of the mean one.
double largest_block(const Descriptor& descriptor, const Point& point) {
  const auto mean = static_cast<double>(message_of(point).count);
  if (!descriptor.divides) return mean;
  constexpr int shares = 1 << 20;  // as good as a real number, and an int for 1000 ranks
  const Division division = divide(shares, point.ranks, distribution_of(point));
  return mean * point.ranks * division.largest() / shares;
}

}  // namespace

double buffer_bytes(const Descriptor& descriptor, const Point& point) {
  const MessageShape message = message_of(point);
  const auto extent = static_cast<double>(message.type->extent);
  if (!descriptor.blocks) return 2 * message.count * extent;
  return (message.count + largest_block(descriptor, point)) * point.ranks * extent;
}

std::optional<std::string> call_obstacle(const Descriptor& descriptor, const Point& point) {
  if (work_of(point) != Work::none && is_simulated()) return "work takes no time in a simulator";
  if (descriptor.rooted) {
    if (auto reason = root_obstacle(point)) return reason;
  }
  if (auto reason = in_place_obstacle(descriptor, point)) return reason;
  const double block = descriptor.blocks ? largest_block(descriptor, point) : 0;
  const double bytes = block * point.ranks * static_cast<double>(message_of(point).type->extent);
  if (bytes <= std::numeric_limits<int>::max()) return std::nullopt;
  return "the blocks of all ranks are larger than MPI 3 counts, 2147483647 bytes";
}

}  // namespace hockney
