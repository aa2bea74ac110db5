#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"

// What the numbers of a document may be, beside what their types say: entries of a field list
// (core/json_fields.hpp) that stand behind the keys. A path is keys joined by dots, from the object
// of the list, through all elements of arrays. "*seconds" is every key below that ends in this way.

namespace hockney {

/// A constant, or what keys of the same object give. A key that is missing bounds nothing, nor does
/// a sum, product or largest number of 0: other programs write 0 for what they have not measured.
struct Bound {
  enum class Of {
    constant,
    number,   ///< the value at the path `key`
    known,    ///< the same, where it is above 0
    size,     ///< of the array `key`, where it is not empty
    largest,  ///< of the numbers at the path `key`
    smallest,
    sum,      ///< of the numbers at the path `key`
    ratio,    ///< sum of `key` / sum of `other`
    product,  ///< sum of `key` times sum of `other`
    inverse,  ///< 1 / `key`
  };

  // NOLINTNEXTLINE(google-explicit-constructor): limits are written as plain numbers
  constexpr Bound(double number) : factor(number) {}
  constexpr Bound(Of what, std::string_view first, std::string_view second = {})
      : of(what), key(first), other(second) {}

  Of of = Of::constant;
  std::string_view key;
  std::string_view other;
  double factor = 1;  ///< the constant; otherwise what the rest is multiplied with

  /// The same bound, this many times as wide.
  [[nodiscard]] constexpr Bound times(double wider) const {
    Bound bound = *this;
    bound.factor *= wider;
    return bound;
  }
};

constexpr Bound number_of(std::string_view key) { return {Bound::Of::number, key}; }
constexpr Bound known(std::string_view key) { return {Bound::Of::known, key}; }
constexpr Bound size_of_array(std::string_view key) { return {Bound::Of::size, key}; }
constexpr Bound largest_of(std::string_view path) { return {Bound::Of::largest, path}; }
constexpr Bound smallest_of(std::string_view path) { return {Bound::Of::smallest, path}; }
constexpr Bound sum_of(std::string_view path) { return {Bound::Of::sum, path}; }
constexpr Bound ratio_of(std::string_view key, std::string_view by) {
  return {Bound::Of::ratio, key, by};
}
constexpr Bound product_of(std::string_view key, std::string_view by) {
  return {Bound::Of::product, key, by};
}
constexpr Bound inverse_of(std::string_view key) { return {Bound::Of::inverse, key}; }

/// An entry of a field list that refuses numbers outside of a bound: InputError naming the key, its
/// value and the bound.
struct NumberLimit {
  enum class Side { most, least, magnitude, below };

  std::string_view path;
  Side side;
  Bound bound;

  template <class Owner>
  void read(const JsonNode& object, Owner& /*owner*/) const {
    check(object);
  }
  template <class Owner, class Json>
  void write(const Owner& /*owner*/, Json& /*object*/) const {}
  void add_keys(std::vector<std::string_view>& /*keys*/) const {}

  void check(const JsonNode& object) const;
};

/// Rounding of numbers that were computed from the bound is allowed for.
constexpr NumberLimit at_most(std::string_view path, Bound bound) {
  return {path, NumberLimit::Side::most, bound};
}
constexpr NumberLimit at_least(std::string_view path, Bound bound) {
  return {path, NumberLimit::Side::least, bound};
}
/// Also of numbers below 0.
constexpr NumberLimit within(std::string_view path, Bound bound) {
  return {path, NumberLimit::Side::magnitude, bound};
}
/// Of an index into what the bound counts.
constexpr NumberLimit below(std::string_view path, Bound bound) {
  return {path, NumberLimit::Side::below, bound};
}

/// An entry of a field list that refuses keys whose values, where they are there, descend.
template <std::size_t count>
struct AscendingKeys {
  std::array<std::string_view, count> keys;

  template <class Owner>
  void read(const JsonNode& object, Owner& /*owner*/) const {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        at_most(keys[i], number_of(keys[j])).check(object);
      }
    }
  }
  template <class Owner, class Json>
  void write(const Owner& /*owner*/, Json& /*object*/) const {}
  void add_keys(std::vector<std::string_view>& /*keys*/) const {}
};

template <class... Keys>
constexpr AscendingKeys<sizeof...(Keys)> ascending(Keys... keys) {
  return {{keys...}};
}

// Constants of several documents.

/// Of one launch, program or campaign [s]: ten years.
inline constexpr double longest_seconds = 10 * 366 * 86'400.0;
/// Of a message, a buffer, the memory of a process [B]: a pebibyte.
inline constexpr double most_message_bytes = static_cast<double>(std::int64_t{1} << 50U);
/// Of all that a launch or a program moves [B], and of other counts: an exbibyte.
inline constexpr double most_total = static_cast<double>(std::int64_t{1} << 60U);
/// Of a job, and CPUs of a machine: more than any has.
inline constexpr double most_job_ranks = 1 << 24;
inline constexpr double most_cpus = 1 << 20;

}  // namespace hockney
