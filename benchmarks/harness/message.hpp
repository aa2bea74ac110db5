#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/point.hpp"

namespace hockney::benchmarks {

/// The name of the datatype of messages, one of datatypes().
inline constexpr Parameter<std::string_view> datatype_parameter{"datatype", "byte"};

/// Whether the point's buffers are at another place in each iteration: they are cold or fresh.
bool has_rotating_buffers(const Point& point);

/// What one message holds: whole elements of one datatype. The size of a point counts the bytes of
/// MPI_Type_size, without gaps; memory is needed for `extent()` bytes.
struct MessageShape {
  const Datatype* type;
  int count;  ///< [elements]

  [[nodiscard]] std::size_t extent() const {
    return static_cast<std::size_t>(count) * type->extent;
  }
};

/// The datatype that the point names; InputError when unknown.
const Datatype& datatype_of(const Point& point);

/// Why the point's size cannot be sent: it is no whole number of elements. nullopt when it can.
std::optional<std::string> size_obstacle(const Point& point);

/// The message of a point; std::logic_error when there is a size_obstacle.
MessageShape message_of(const Point& point);

/// Whether the significant bytes of every element are the same in both, which are of one size.
bool is_same_message(std::span<const std::byte> data, std::span<const std::byte> right,
                     const Datatype& type);

/// As holds_pattern, but only the significant bytes of every element are looked at.
bool holds_message(std::span<const std::byte> data, const Datatype& type, std::uint64_t seed);

}  // namespace hockney::benchmarks
