#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "benchmarks/harness/datatypes.hpp"
#include "core/point.hpp"

namespace hockney::benchmarks {

/// The value of one of the point's parameters, `otherwise` without it.
std::string parameter_of(const Point& point, const std::string& key,
                         const std::string& otherwise = "");

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

/// The datatype of the point's parameter "datatype", bytes without one; InputError when unknown.
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
