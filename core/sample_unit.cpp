#include "core/sample_unit.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace hockney {
namespace {

/// Most parts of the clock's unit that a sample may count: the messages of a window.
constexpr int most_parts = 1024;

/// The double nearest to the decimal that has `digits` digits and is nearest to `number`.
double rounded(double number, int digits) {
  std::array<char, 64> text{};
  const char* const end = std::to_chars(text.data(), text.data() + text.size(), number,
                                        std::chars_format::scientific, digits - 1)
                              .ptr;
  double decimal = 0;
  std::from_chars(text.data(), end, decimal);
  return decimal;
}

}  // namespace

std::optional<double> unit_of_clock(std::string_view source) {
  if (source == "CLOCK_MONOTONIC_RAW") return 1e-9;  // timespec counts nanoseconds
  if (source == "MPI_Wtime") return 1e-12;           // of a simulator, read in picoseconds
  return std::nullopt;
}

double SampleUnit::sample(double count) const {
  return count * seconds / static_cast<double>(batch);
}

std::optional<double> SampleUnit::count(double sample) const {
  // sample() and this function round four times, by 2^-53 each: up to 2^48 they are wrong by less
  // than 2^-3.
  constexpr double most = static_cast<double>(std::int64_t{1} << 48U);
  const double nearest = std::nearbyint(sample * static_cast<double>(batch) / seconds);
  const bool is_lost = nearest == 0 && sample != 0;
  return std::abs(nearest) <= most && !is_lost ? std::optional(nearest) : std::nullopt;
}

bool SampleUnit::is_exact(double sample) const {
  const auto whole = count(sample);
  return whole && this->sample(*whole) == sample;
}

double SampleUnit::shortest(double sample) const {
  constexpr int digits_of_doubles = 17;
  const auto whole = count(sample);
  for (int digits = 1; digits < digits_of_doubles; ++digits) {
    const double decimal = rounded(sample, digits);
    if (count(decimal) == whole) return decimal;
  }
  return sample;
}

std::optional<SampleUnit> find_sample_unit(std::span<const double> samples, std::int64_t batch,
                                           double clock_unit) {
  for (int parts = 1; parts <= most_parts; ++parts) {
    const SampleUnit unit{.seconds = clock_unit / parts, .batch = batch};
    const auto is_exact = [&](double sample) { return unit.is_exact(sample); };
    if (std::ranges::all_of(samples, is_exact)) return unit;
  }
  return std::nullopt;
}

}  // namespace hockney
