#include "core/sample_unit.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <utility>

namespace hockney {
namespace {

/// Most parts of the clock's unit that a sample may count: the messages of a window.
constexpr int most_parts = 256;
/// Samples that are tried. The first block of a series may have another batch than the last one.
constexpr std::size_t most_tried = 64;

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

/// Calls `work` with the samples of each block. Sizes beyond the samples are cut.
template <class Work>
void for_each_block(std::span<double> samples, std::span<const int> blocks, Work work) {
  for (const int size : blocks) {
    const auto wanted = static_cast<std::size_t>(std::max(0, size));
    const std::size_t count = std::min(samples.size(), wanted);
    work(samples.first(count));
    samples = samples.subspan(count);
  }
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

bool SampleUnit::is_short(double number) const {
  // Powers of ten are exact up to 10^22, so that the quotient is the double nearest to the decimal.
  constexpr double most_places = 22;
  const double places = std::ceil(std::log10(static_cast<double>(batch) / seconds));
  const double scale = std::pow(10.0, std::clamp(places, 0.0, most_places));
  return std::nearbyint(number * scale) / scale == number;
}

std::optional<SampleUnit> find_sample_unit(std::span<const double> samples, std::int64_t batch,
                                           double clock_unit) {
  const auto last = samples.last(std::min(samples.size(), most_tried));
  std::optional<SampleUnit> found;
  std::ptrdiff_t most_exact = 0;
  for (int parts = 1; parts <= most_parts; ++parts) {
    const SampleUnit unit{.seconds = clock_unit / parts, .batch = batch};
    const auto exact =
        std::ranges::count_if(last, [&](double sample) { return unit.is_exact(sample); });
    if (exact <= most_exact) continue;
    most_exact = exact;
    found = unit;
  }
  return found;
}

std::optional<std::vector<double>> written_samples(const SampleUnit& unit,
                                                   const std::vector<double>& samples,
                                                   std::span<const int> blocks) {
  std::vector<double> numbers = samples;
  for_each_block(numbers, blocks, [&](std::span<double> block) {
    if (!std::ranges::all_of(block, [&](double sample) { return unit.is_exact(sample); })) return;
    for (double& sample : block) sample = unit.shortest(sample);
  });
  if (numbers == samples) return std::nullopt;
  std::vector<double> read = numbers;
  read_samples(unit, read, blocks);
  return read == samples ? std::optional(std::move(numbers)) : std::nullopt;
}

void read_samples(const SampleUnit& unit, std::span<double> numbers, std::span<const int> blocks) {
  const auto is_counted = [&](double number) {
    return unit.is_short(number) && unit.count(number).has_value();
  };
  for_each_block(numbers, blocks, [&](std::span<double> block) {
    if (!std::ranges::all_of(block, is_counted)) return;
    for (double& number : block) number = unit.sample(unit.count(number).value_or(0));
  });
}

}  // namespace hockney
