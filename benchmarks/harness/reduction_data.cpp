#include "benchmarks/harness/reduction_data.hpp"

#include "benchmarks/harness/pattern.hpp"

namespace hockney {
namespace {

constexpr std::uint64_t low_bits = (std::uint64_t{1} << 20) - 1;

/// An odd stride visits all values before one comes again: neighbours always differ.
std::uint64_t first_of(std::uint64_t seed, int rank) { return pattern_seed(seed, rank); }

double summand(std::uint64_t first, std::size_t index) {
  return static_cast<double>((first + index * (first | 1U)) & low_bits);
}

}  // namespace

void fill_summands(std::span<double> data, std::uint64_t seed, int rank) {
  const std::uint64_t first = first_of(seed, rank);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = summand(first, i);
}

bool holds_sums(std::span<const double> data, std::uint64_t seed, int ranks) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    double sum = 0;
    for (int rank = 0; rank < ranks; ++rank) sum += summand(first_of(seed, rank), i);
    if (data[i] != sum) return false;
  }
  return true;
}

}  // namespace hockney
