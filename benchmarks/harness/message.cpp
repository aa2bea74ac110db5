#include "benchmarks/harness/message.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/cache_state.hpp"

namespace hockney::benchmarks {

bool has_rotating_buffers(const Point& point) {
  return point.parameters[cache_parameter] != CacheState::hot;
}

const Datatype& datatype_of(const Point& point) {
  return find_datatype(std::string(point.parameters[datatype_parameter]));
}

std::optional<std::string> size_obstacle(const Point& point) {
  const Datatype& type = datatype_of(point);
  if (point.bytes.value % static_cast<std::int64_t>(type.size) == 0) return std::nullopt;
  return "it is no whole number of elements: one " + std::string(type.name) + " has " +
         std::to_string(type.size) + " bytes";
}

MessageShape message_of(const Point& point) {
  if (const auto obstacle = size_obstacle(point)) throw std::logic_error(*obstacle);
  const Datatype& type = datatype_of(point);
  const std::int64_t count = point.bytes.value / static_cast<std::int64_t>(type.size);
  return {.type = &type, .count = static_cast<int>(count)};
}

bool is_same_message(std::span<const std::byte> data, std::span<const std::byte> right,
                     const Datatype& type) {
  for (std::size_t element = 0; element < data.size(); element += type.extent) {
    const auto is_right = [&](const ByteRange& range) {
      const std::size_t at = element + range.offset;
      return std::memcmp(&data[at], &right[at], range.bytes) == 0;
    };
    if (!std::ranges::all_of(type.significant, is_right)) return false;
  }
  return true;
}

bool holds_message(std::span<const std::byte> data, const Datatype& type, std::uint64_t seed) {
  if (type.is_dense()) return holds_pattern(data, seed);
  std::vector<std::byte> expected(data.size());
  fill_pattern(expected, seed);
  return is_same_message(data, expected, type);
}

}  // namespace hockney::benchmarks
