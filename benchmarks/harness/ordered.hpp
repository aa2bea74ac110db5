#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

/// An operator whose order matters: the multiplication of the dihedral group. An element's top bit
/// says whether it is a reflection, the others are the angle. It is associative, no two elements
/// commute in general, and a change of any one factor changes the product.
namespace hockney {

/// Whether the bits of a T can be taken for an element of the group.
template <class T>
inline constexpr bool is_orderable =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= sizeof(std::uint64_t);

template <std::size_t bytes>
struct WordOf;
template <>
struct WordOf<1> {
  using Type = std::uint8_t;
};
template <>
struct WordOf<2> {
  using Type = std::uint16_t;
};
template <>
struct WordOf<4> {
  using Type = std::uint32_t;
};
template <>
struct WordOf<8> {
  using Type = std::uint64_t;
};

/// Any element, by the low bits of a random word.
template <class T>
T ordered_element(std::uint64_t word) {
  return std::bit_cast<T>(static_cast<typename WordOf<sizeof(T)>::Type>(word));
}

/// a times b.
template <class T>
T ordered_product(T a, T b) {
  using Word = typename WordOf<sizeof(T)>::Type;
  constexpr std::uint64_t top = std::uint64_t{1} << (8 * sizeof(T) - 1);
  const std::uint64_t first{std::bit_cast<Word>(a)};
  const std::uint64_t second{std::bit_cast<Word>(b)};
  const std::uint64_t angle = (first & top) == 0 ? first + second : first - second;
  return ordered_element<T>((angle & (top - 1)) | ((first ^ second) & top));
}

}  // namespace hockney
