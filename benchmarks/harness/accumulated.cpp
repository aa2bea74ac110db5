#include "benchmarks/harness/accumulated.hpp"

#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/contributions.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::uint64_t least_summand = 4;
constexpr std::uint64_t most_summand = 7;    // see most_accumulated
constexpr std::uint64_t most_factor = 1000;  // of what the memory holds at first

template <class T>
T given_integer(Combine combine, std::uint64_t word) {
  if (combine == Combine::prod) return static_cast<T>(word | 1U);  // never loses a bit
  const bool is_truth =
      combine == Combine::land || combine == Combine::lor || combine == Combine::lxor;
  return static_cast<T>(is_truth ? word >> 63 : word);
}

template <class T>
T given_number(Combine combine, std::uint64_t word) {
  constexpr std::uint64_t summands = most_summand - least_summand + 1;
  if (combine == Combine::sum) return with_sign<T>(least_summand - 1 + up_to(summands, word), word);
  if (combine == Combine::prod) return with_sign<T>(1, word);
  return extreme<T>(word);
}

/// What a call gives to one element.
template <class T>
T given(Combine combine, std::uint64_t word) {
  if constexpr (is_pair<T>) {
    T pair{};
    pair.value = static_cast<decltype(T::value)>(static_cast<int>(word % 9) - 4);
    pair.place = static_cast<int>(word >> 40);
    return pair;
  } else if constexpr (is_complex<T>) {
    using Part = typename T::value_type;
    if (combine == Combine::prod) return {with_sign<Part>(1, word), Part{0}};
    return {given_number<Part>(combine, word), given_number<Part>(combine, std::rotl(word, 31))};
  } else if constexpr (std::is_same_v<T, bool>) {
    return (word >> 63) != 0;
  } else if constexpr (std::is_integral_v<T>) {
    return given_integer<T>(combine, word);
  } else {
    return given_number<T>(combine, word);
  }
}

template <class T>
T first_integer(Combine combine, std::uint64_t word) {
  switch (combine) {
    case Combine::land:
      return T{1};
    case Combine::band:
      return static_cast<T>(~std::uint64_t{0});
    case Combine::lor:
    case Combine::lxor:
    case Combine::bor:
      return T{0};
    case Combine::max:
      return std::numeric_limits<T>::lowest();
    case Combine::min:
      return std::numeric_limits<T>::max();
    default:
      return given_integer<T>(combine, std::rotl(word, 17));
  }
}

/// Of a sum, smaller than the summand and of the other sign: the sum is then no larger than it, so
/// that none of its bits is rounded away.
template <class T>
T first_number(Combine combine, std::uint64_t word) {
  if (combine == Combine::sum) return with_sign<T>(up_to(least_summand - 1, word), ~word);
  if (combine == Combine::prod) return with_sign<T>(up_to(most_factor, word), word);
  return combine == Combine::max ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
}

/// What one element of the memory is at first, by the word of what is given to it.
template <class T>
T first(Combine combine, std::uint64_t word) {
  if constexpr (is_pair<T>) {
    using Value = decltype(T::value);
    T pair{};
    const bool is_max = combine == Combine::maxloc;
    pair.value = is_max ? std::numeric_limits<Value>::lowest() : std::numeric_limits<Value>::max();
    return pair;
  } else if constexpr (is_complex<T>) {
    using Part = typename T::value_type;
    return {first_number<Part>(combine, word), first_number<Part>(combine, std::rotl(word, 31))};
  } else if constexpr (std::is_same_v<T, bool>) {
    return combine == Combine::land;
  } else if constexpr (std::is_integral_v<T>) {
    return first_integer<T>(combine, word);
  } else {
    return first_number<T>(combine, word);
  }
}

/// `all` combined with `once` so many times: by squaring, since every operator is associative.
template <class T>
T combined_times(Combine combine, T all, T once, std::uint64_t times) {
  for (; times > 0; times /= 2) {
    if (times % 2 == 1) all = combined<T>(combine, all, once);
    if (times > 1) once = combined<T>(combine, once, once);
  }
  return all;
}

/// A random word for each element.
std::uint64_t word_of(std::uint64_t seed, std::size_t element) {
  return pattern_seed(seed + element * 0x9E3779B97F4A7C15U, 0);
}

}  // namespace

Accumulated::Accumulated(const Datatype& type, const Operator& op, std::uint64_t seed, int giver)
    : type_(&type), combine_(op.combine), seed_(pattern_seed(seed, giver)) {
  if (!is_defined(op, type)) {
    throw std::logic_error(std::string(op.name) + " is not defined for " + std::string(type.name));
  }
}

void Accumulated::fill_contribution(std::span<std::byte> data) const {
  fill_elements(*type_, data, [&]<class T>(std::type_identity<T>, std::size_t i) {
    return given<T>(combine_, word_of(seed_, i));
  });
}

template <class T>
T Accumulated::result(std::size_t element, std::uint64_t calls) const {
  const std::uint64_t word = word_of(seed_, element);
  return combined_times<T>(combine_, first<T>(combine_, word), given<T>(combine_, word), calls);
}

void Accumulated::fill_result(std::span<std::byte> data, std::uint64_t calls) const {
  fill_elements(*type_, data,
                [&]<class T>(std::type_identity<T>, std::size_t i) { return result<T>(i, calls); });
}

bool Accumulated::holds_result(std::span<const std::byte> data, std::uint64_t calls) const {
  return holds_elements(*type_, data, [&]<class T>(std::type_identity<T>, std::size_t i) {
    return result<T>(i, calls);
  });
}

}  // namespace hockney::benchmarks
