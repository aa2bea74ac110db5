#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "benchmarks/harness/operators.hpp"

namespace hockney::benchmarks {

/// What calls that accumulate give, find and leave, element by element, so chosen that nothing
/// rounds or overflows up to `most_accumulated` calls, and that one call's every bit is in what it
/// leaves: any one bit that differs is an error. Of truth values only the truth counts, since "or"
/// and its like tell no more.
class Accumulated {
 public:
  /// The calls of one rank on the memory of another one; std::logic_error when the operator is not
  /// defined for the datatype.
  Accumulated(const Datatype& type, const Operator& op, std::uint64_t seed, int giver);

  /// What the giver gives in each call.
  void fill_contribution(std::span<std::byte> data) const;
  /// What the memory holds after so many calls.
  void fill_result(std::span<std::byte> data, std::uint64_t calls) const;
  /// Whether every significant byte is that of the memory after so many calls.
  [[nodiscard]] bool holds_result(std::span<const std::byte> data, std::uint64_t calls) const;

 private:
  template <class T>
  [[nodiscard]] T result(std::size_t element, std::uint64_t calls) const;

  const Datatype* type_;
  Combine combine_;
  std::uint64_t seed_;
};

/// Calls after which sums of MPI_FLOAT are exact.
inline constexpr std::uint64_t most_accumulated = (std::uint64_t{1} << 24) / 7;

}  // namespace hockney::benchmarks
