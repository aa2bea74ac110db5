#include "core/summary.hpp"

#include <algorithm>

#include "core/record.hpp"
#include "core/samples.hpp"

namespace hockney {
namespace {

/// Quantile q of samples that are worth `effective` independent ones.
std::optional<double> tail(std::span<const double> samples, double q, double effective) {
  if (effective < static_cast<double>(samples_for_upper_bound(q))) return std::nullopt;
  return quantile(samples, q);
}

TailQuantiles tails_of(std::span<const double> samples, double effective) {
  return {.p90_seconds = tail(samples, 0.9, effective),
          .p99_seconds = tail(samples, 0.99, effective),
          .p999_seconds = tail(samples, 0.999, effective)};
}

/// When the blocks that count and met a outlier began; empty where no block knows its time.
std::vector<double> starts_of_outliers(const Series& series, double limit) {
  if (series.starts_seconds.size() != series.blocks.size()) return {};
  const std::vector<bool> counted = counted_blocks(series);
  std::vector<double> starts;
  auto next = series.samples_seconds.begin();
  for (std::size_t block = 0; block < series.starts_seconds.size(); ++block) {
    const auto last = next + series.blocks[block];
    const bool met = std::any_of(next, last, [&](double sample) { return sample > limit; });
    if (counted[block] && met) starts.push_back(series.starts_seconds[block]);
    next = last;
  }
  return starts;
}

std::optional<Outliers> outliers_of(const Series& series, std::span<const double> samples) {
  constexpr std::size_t fewest = 4;  // for quartiles
  if (samples.size() < fewest) return std::nullopt;
  const double first = quantile(samples, 0.25).value_or(0);
  const double third = quantile(samples, 0.75).value_or(0);
  // Where the clock's steps leave no spread, a step more is no outlier.
  const double limit = third + std::max(3 * (third - first), 0.1 * third);
  const auto beyond = std::ranges::count_if(samples, [&](double sample) { return sample > limit; });
  return Outliers{.limit_seconds = limit,
                  .count = static_cast<int>(beyond),
                  .at_seconds = starts_of_outliers(series, limit)};
}

std::optional<double> page_faults_of(const Series& series) {
  if (series.page_faults.size() != series.blocks.size()) return std::nullopt;
  const std::vector<bool> counted = counted_blocks(series);
  std::vector<double> faults;
  for (std::size_t block = 0; block < counted.size(); ++block) {
    if (counted[block]) faults.push_back(series.page_faults[block]);
  }
  return median(faults);
}

}  // namespace

Summary summarise(const Series& series) {
  if (series.samples_seconds.empty()) return {};
  const std::vector<double> samples = counted_samples(series);
  const auto effective = effective_sample_size(samples);
  const auto undisturbed = std::ranges::count(counted_blocks(series), true);
  return {.median_seconds = median(samples),
          .minimum_seconds = std::ranges::min(series.samples_seconds),
          .maximum_seconds = std::ranges::max(series.samples_seconds),
          .within_seconds = quantile_interval(samples),
          .effective_samples = effective,
          .tails = tails_of(samples, effective.value_or(0)),
          .outliers = outliers_of(series, samples),
          .skew_seconds = median(series.skews_seconds),
          .page_faults = page_faults_of(series),
          .undisturbed_blocks = series.noise_probes_seconds.empty()
                                    ? std::nullopt
                                    : std::optional(static_cast<int>(undisturbed))};
}

}  // namespace hockney
