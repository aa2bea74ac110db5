#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "benchmarks/harness/operators.hpp"
#include "benchmarks/harness/ordered.hpp"
#include "benchmarks/harness/predefined.hpp"

/// What operators do with two elements; MPI's by the definitions of MPI 3.1, sections 5.9.2 and
/// 5.9.4. A type must be of a kind that the operator is defined for.
namespace hockney {

/// The bits of a whole number, as the low ones of a word.
template <class T>
std::uint64_t low_bits(T number) {
  return static_cast<std::make_unsigned_t<T>>(number);
}

/// Whole numbers wrap round, as they do in MPI libraries.
template <class T>
T added(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const std::uint64_t sum = low_bits(a) + low_bits(b);
    return static_cast<T>(sum);
  } else {
    return a + b;
  }
}

template <class T>
T multiplied(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const std::uint64_t product = low_bits(a) * low_bits(b);
    return static_cast<T>(product);
  } else {
    return a * b;
  }
}

template <class T>
T combined_number(Combine combine, T a, T b) {
  if (combine == Combine::sum) return added(a, b);
  if (combine == Combine::prod) return multiplied(a, b);
  return combine == Combine::max ? std::max(a, b) : std::min(a, b);
}

inline bool combined_truth(Combine combine, bool a, bool b) {
  if (combine == Combine::land) return a && b;
  return combine == Combine::lor ? a || b : a != b;
}

template <class T>
T combined_integer(Combine combine, T a, T b) {
  switch (combine) {
    case Combine::land:
    case Combine::lor:
    case Combine::lxor:
      return static_cast<T>(combined_truth(combine, a != 0, b != 0));
    case Combine::band:
      return static_cast<T>(a & b);
    case Combine::bor:
      return static_cast<T>(a | b);
    case Combine::bxor:
      return static_cast<T>(a ^ b);
    default:
      return combined_number(combine, a, b);
  }
}

/// The extreme value; of equal ones that with the smaller place.
template <class T>
ValueAndPlace<T> combined_pair(Combine combine, ValueAndPlace<T> a, ValueAndPlace<T> b) {
  if (a.value == b.value) return a.place < b.place ? a : b;
  return (a.value > b.value) == (combine == Combine::maxloc) ? a : b;
}

template <class T>
T combined(Combine combine, T a, T b) {
  if constexpr (is_orderable<T>) {
    if (combine == Combine::ordered) return ordered_product(a, b);
  }
  if constexpr (is_pair<T>) {
    return combined_pair(combine, a, b);
  } else if constexpr (is_complex<T>) {
    return combine == Combine::sum ? a + b : a * b;
  } else if constexpr (std::is_same_v<T, bool>) {
    return combined_truth(combine, a, b);
  } else if constexpr (std::is_integral_v<T>) {
    return combined_integer(combine, a, b);
  } else {
    return combined_number(combine, a, b);
  }
}

}  // namespace hockney
