#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/payload.hpp"

/// Operators on two elements; MPI's follow MPI 3.1, sections 5.9.2 and 5.9.4. The operator must be
/// defined for the type's kind. hockney's own operator, whose order matters, multiplies in the
/// dihedral group: an element's top bit marks a reflection, the other bits are the angle. It is
/// associative, in general not commutative, and a change of any factor changes the product.

/// Contributions of ranks to reductions. No order of evaluation rounds, overflows or gives a zero
/// of another sign, so that any different bit of the result is an error.

namespace hockney::benchmarks {

/// Whether the bits of a T can represent an element of the group.
template <class T>
inline constexpr bool is_orderable =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= sizeof(std::uint64_t);

/// The unsigned integer with the size of a T.
template <class T, std::size_t bytes = sizeof(T)>
using WordOf = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<bytes == 2, std::uint16_t,
                       std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

/// A random element, from the low bits of a random word.
template <class T>
T ordered_element(std::uint64_t word) {
  return std::bit_cast<T>(static_cast<WordOf<T>>(word));
}

/// a times b.
template <class T>
T ordered_product(T a, T b) {
  constexpr std::uint64_t top = std::uint64_t{1} << (8 * sizeof(T) - 1);
  const std::uint64_t first{std::bit_cast<WordOf<T>>(a)};
  const std::uint64_t second{std::bit_cast<WordOf<T>>(b)};
  const std::uint64_t angle = (first & top) == 0 ? first + second : first - second;
  return ordered_element<T>((angle & (top - 1)) | ((first ^ second) & top));
}

/// The type in which a number is added and multiplied: unsigned for whole numbers, which wrap round
/// in MPI libraries; otherwise T itself.
template <class T>
auto wrapping(T number) {
  if constexpr (std::is_integral_v<T>) {
    return std::uint64_t{static_cast<std::make_unsigned_t<T>>(number)};
  } else {
    return number;
  }
}

template <class T>
T combined_number(Combine combine, T a, T b) {
  if (combine == Combine::sum) return static_cast<T>(wrapping(a) + wrapping(b));
  if (combine == Combine::prod) return static_cast<T>(wrapping(a) * wrapping(b));
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

/// The extreme value; for equal values the one with the smaller place.
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

/// Inputs of a contribution.
struct Draw {
  std::uint64_t own;     ///< random word of this rank and element
  std::uint64_t common;  ///< random word of this element, the same on all ranks
  std::uint64_t place;   ///< of this rank, counted from a different first rank in each element
  std::uint64_t ranks;
};

/// Largest n such that a T represents all whole numbers up to n; at most 2^62.
template <class T>
constexpr std::uint64_t largest_exact() {
  constexpr int digits = std::min(std::numeric_limits<T>::digits, 62);
  return std::numeric_limits<T>::is_integer && digits < 62
             ? static_cast<std::uint64_t>(std::numeric_limits<T>::max())
             : std::uint64_t{1} << digits;
}

/// `size`, negative for half of the words if T is signed.
template <class T>
T with_sign(std::uint64_t size, std::uint64_t word) {
  const T number = static_cast<T>(size);
  if constexpr (!std::is_signed_v<T>) return number;
  const int sign = 1 - 2 * static_cast<int>(word >> 63);  // a branch would be mispredicted
  return static_cast<T>(number * static_cast<T>(sign));
}

/// 1 .. limit, for limits up to 2^32, without a division.
inline std::uint64_t up_to(std::uint64_t limit, std::uint64_t word) {
  return 1 + ((word & 0xFFFF'FFFFU) * limit >> 32);
}

/// Up to 2^30; less if the sum over all ranks would exceed the largest exact number n. If there are
/// too many ranks for that, n of them (127 for int8) add 1 and the others 0.
template <class T>
T summand(const Draw& draw, std::uint64_t word) {
  const std::uint64_t most =
      std::min(std::uint64_t{1} << 30, largest_exact<T>() >> std::bit_width(draw.ranks));
  if (most == 0) return static_cast<T>(draw.place < largest_exact<T>() ? 1 : 0);
  return with_sign<T>(up_to(most, word), word);
}

/// One rank has a number below 2^20 (2^5 for int8). A few others have 2 for half of the elements,
/// all others 1. The few are two for whole numbers and 32 for floating-point ones with their
/// exponents.
template <class T>
T factor(const Draw& draw, std::uint64_t word) {
  constexpr int bits = std::min(std::numeric_limits<T>::digits - 2, 20);
  constexpr std::uint64_t doubling = std::is_integral_v<T> ? 2 : 32;
  if (draw.place == 0) return with_sign<T>(up_to((std::uint64_t{1} << bits) - 1, word), word);
  return static_cast<T>(draw.place <= doubling && word % 2 == 0 ? 2 : 1);
}

/// Any value of T except 0, which floating-point numbers have with two signs.
template <class T>
T extreme(std::uint64_t word) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(word);
  } else {
    return with_sign<T>(1 + word % (largest_exact<T>() - 1), word);
  }
}

/// For "and", one rank in turn is false in half of the elements; for "or", only that rank is true.
template <class T>
T truth(Combine combine, const Draw& draw) {
  const bool stands_out = draw.place == 0 && draw.common % 2 == 0;
  bool value = draw.own % 2 == 0;
  if (combine == Combine::land) value = !stands_out;
  if (combine == Combine::lor) value = stands_out;
  if (std::is_same_v<T, bool>) return static_cast<T>(value);
  return static_cast<T>(value ? 1 + (draw.own >> 8) % 100 : 0);
}

/// About half of the bits survive "and" and "or" for any number of ranks.
template <class T>
T bits(Combine combine, const Draw& draw) {
  if (combine == Combine::band) return static_cast<T>(draw.own | draw.common);
  if (combine == Combine::bor) return static_cast<T>(draw.own & draw.common);
  return static_cast<T>(draw.own);
}

/// Only the rank with place 0 has an imaginary part: a product of two such factors may contain a
/// zero.
template <class T>
std::complex<T> complex_part(Combine combine, const Draw& draw) {
  const std::uint64_t other = std::rotl(draw.own, 31);
  if (combine == Combine::sum) return {summand<T>(draw, draw.own), summand<T>(draw, other)};
  return {factor<T>(draw, draw.own), draw.place == 0 ? factor<T>(draw, other) : T{0}};
}

/// Few different values, so that ranks tie and the smallest place must win.
template <class T>
ValueAndPlace<T> candidate(const Draw& draw) {
  ValueAndPlace<T> pair{};
  pair.value = static_cast<T>(static_cast<int>(draw.own % 9) - 4);
  pair.place = static_cast<int>(draw.common % 1000 * draw.ranks + draw.place);
  return pair;
}

template <class T>
T number(Combine combine, const Draw& draw) {
  if (combine == Combine::sum) return summand<T>(draw, draw.own);
  if (combine == Combine::prod) return factor<T>(draw, draw.own);
  return extreme<T>(draw.own);
}

template <class T>
T integer(Combine combine, const Draw& draw) {
  switch (combine) {
    case Combine::land:
    case Combine::lor:
    case Combine::lxor:
      return truth<T>(combine, draw);
    case Combine::band:
    case Combine::bor:
    case Combine::bxor:
      return bits<T>(combine, draw);
    default:
      return number<T>(combine, draw);
  }
}

/// A rank's contribution to one element; T must be of a kind that the operator is defined for.
template <class T>
T contribution(Combine combine, const Draw& draw) {
  if constexpr (is_orderable<T>) {
    if (combine == Combine::ordered) return ordered_element<T>(draw.own);
  }
  if constexpr (is_pair<T>) {
    return candidate<decltype(T::value)>(draw);
  } else if constexpr (is_complex<T>) {
    return complex_part<typename T::value_type>(combine, draw);
  } else if constexpr (std::is_same_v<T, bool>) {
    return truth<T>(combine, draw);
  } else if constexpr (std::is_integral_v<T>) {
    return integer<T>(combine, draw);
  } else {
    return number<T>(combine, draw);
  }
}

/// Calls `visit(place [B], element)` for each element of data of `bytes` bytes until it returns
/// false. `element` comes from element(std::type_identity<C type>, number). Returns whether no call
/// returned false.
template <class Element, class Visit>
bool visit_elements(const Datatype& type, std::size_t bytes, Element element, Visit visit) {
  bool is_good = true;
  visit_type(type.handle, [&]<class T>(std::type_identity<T> kind) {
    for (std::size_t i = 0; i < bytes / sizeof(T) && is_good; ++i) {
      const T value = element(kind, i);
      std::array<std::byte, sizeof(T)> right{};
      std::memcpy(right.data(), &value, sizeof(T));
      is_good = visit(i * sizeof(T), std::span<const std::byte>(right));
    }
  });
  return is_good;
}

/// Sets each element to its value.
template <class Element>
void fill_elements(const Datatype& type, std::span<std::byte> data, Element element) {
  visit_elements(type, data.size(), element, [&](std::size_t at, std::span<const std::byte> right) {
    std::ranges::copy(right, data.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  });
}

/// Whether every element has its value in all significant bytes.
template <class Element>
bool holds_elements(const Datatype& type, std::span<const std::byte> data, Element element) {
  return visit_elements(type, data.size(), element,
                        [&](std::size_t at, std::span<const std::byte> right) {
                          return is_same_message(data.subspan(at, right.size()), right, type);
                        });
}

/// The part of a reduction's result that a rank receives.
struct ReductionPart {
  std::size_t first = 0;  ///< index of the first element among the contributed ones
  int ranks = 0;          ///< number of combined contributions: those of the first ranks

  bool operator==(const ReductionPart&) const = default;
};

/// The data of one reduction over `ranks` ranks. Results are compared bit by bit: they are exact
/// for every datatype, in any order of evaluation, for fewer than 2^20 ranks.
class ReductionData {
 public:
  /// std::logic_error if the operator is not defined for the datatype.
  ReductionData(const Datatype& type, const Operator& op, int ranks);

  /// Writes the contribution of `rank` into `data`.
  void fill(std::span<std::byte> data, std::uint64_t seed, int rank) const;
  /// Makes every byte of `data` differ from this part of the result.
  void poison(std::span<std::byte> data, std::uint64_t seed, const ReductionPart& part) const;
  /// Whether every significant byte of `data` equals this part of the result.
  [[nodiscard]] bool holds(std::span<const std::byte> data, std::uint64_t seed,
                           const ReductionPart& part) const;
  /// The whole result.
  [[nodiscard]] ReductionPart whole() const { return {.first = 0, .ranks = ranks_}; }

 private:
  /// Writes this part of the result into `data`.
  void write(std::span<std::byte> data, std::uint64_t seed, const ReductionPart& part) const;
#ifdef SMPI_H
  /// This part of the result, until the next call.
  [[nodiscard]] std::span<const std::byte> known(std::size_t bytes, std::uint64_t seed,
                                                 const ReductionPart& part) const;
#endif

  const Datatype* type_;
  Combine combine_;
  int ranks_;
};

/// Content of received data: a part of the result, for every owner.
struct ReductionResult {
  ReductionData data;
  ReductionPart part;

  void poison(std::span<std::byte> result, std::uint64_t seed, int) const {
    data.poison(result, seed, part);
  }
  [[nodiscard]] bool holds(std::span<const std::byte> result, std::uint64_t seed, int) const {
    return data.holds(result, seed, part);
  }
};

/// How many elements a rank contributes to a reduction and receives.
struct ReductionShape {
  int contributed = 0;  ///< [elements]
  int received = 0;     ///< [elements]
  int room = 0;         ///< most elements that any rank receives
  ReductionPart part;   ///< what is received
};

/// The buffers of one rank in a reduction, from the point's parameters "datatype", "operator" and
/// "in-place". Every rank contributes the point's bytes and receives as many combined ones. In
/// place, the result overwrites the contribution, so that ready() must restore it.
class Reduction : public CollectiveData<ReductionData, ReductionResult> {
 public:
  static constexpr Descriptor calls{.reduces = true, .in_place = InPlace::consumed};
  /// Counts the message once. The busiest rank of an allreduce passes 2 (p - 1) / p of it.
  static Volume volume(const Point& point) {
    return message_volume(point, 2.0 * (point.ranks - 1) / point.ranks);
  }

  Reduction(const Context& context, const Point& point);

  /// For ranks that do not receive.
  [[nodiscard]] const void* contribution() const { return send_.data(); }
  [[nodiscard]] int count() const { return send_.count(); }        ///< [elements]
  [[nodiscard]] int received() const { return receive_.count(); }  ///< [elements]
  [[nodiscard]] MPI_Op op() const { return op_; }

  void refill(std::uint64_t seed) {
    CollectiveData::refill(seed);
    ready();
  }
  void ready() { put_in_place(); }

 protected:
  Reduction(const Context& context, const Point& point, const ReductionShape& shape);

 private:
  Reduction(const Context& context, const Point& point, const ReductionShape& shape,
            const Operator& op);

  UniqueOp user_op_;
  MPI_Op op_;
};

/// The same with a root: only the root receives.
class RootedReduction : public Reduction {
 public:
  static constexpr Descriptor calls{.reduces = true, .rooted = true, .in_place = InPlace::consumed};
  /// Counts the message once.
  static Volume volume(const Point& point) { return BcastData::volume(point); }

  RootedReduction(const Context& context, const Point& point)
      : Reduction(context, point), roots_(context, point) {}

  /// Returns the root of the next call, and advances by one call.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send(int root) const {
    return root == rank_ ? Reduction::send() : contribution();
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !roots_.was_last() || Reduction::verify(seed);
  }

 private:
  Roots roots_;
};

/// Every rank receives the combined contributions of the ranks up to itself.
class ScanReduction : public Reduction {
 public:
  /// Counts the message once.
  static Volume volume(const Point& point) { return BcastData::volume(point); }
  ScanReduction(const Context& context, const Point& point);
};

/// Every rank receives the combined contributions of the ranks before it; the first receives
/// nothing.
class ExscanReduction : public Reduction {
 public:
  static Volume volume(const Point& point) { return ScanReduction::volume(point); }
  ExscanReduction(const Context& context, const Point& point);
};

/// Every rank contributes a block of the point's bytes for each rank, and receives its own block.
class BlockReduction : public Reduction {
 public:
  static constexpr Descriptor calls{.reduces = true, .blocks = true, .in_place = InPlace::consumed};
  /// Counts all blocks. Every rank sends all except its own.
  static Volume volume(const Point& point) { return AllgatherData::volume(point); }
  BlockReduction(const Context& context, const Point& point);
};

/// Every rank contributes the point's bytes, divided by the point's distribution, and receives its
/// part.
class ScatteredReduction : public Reduction {
 public:
  static constexpr Descriptor calls{
      .reduces = true, .divides = true, .in_place = InPlace::consumed};
  /// Counts the whole vector. Every rank sends all except its own part.
  static Volume volume(const Point& point);
  ScatteredReduction(const Context& context, const Point& point);

  [[nodiscard]] const int* counts() const { return parts_.counts.data(); }

 private:
  Division parts_;
};

}  // namespace hockney::benchmarks
