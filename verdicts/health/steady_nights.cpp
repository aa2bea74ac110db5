#include "verdicts/health/steady_nights.hpp"

#include <algorithm>
#include <cmath>

#include "verdicts/fleet/quick_median.hpp"
#include "verdicts/health/autocorrelation.hpp"
#include "verdicts/health/counted_nights.hpp"

namespace hockney {
namespace {

/// First nights of the levels that lasted, the first of all among them.
std::vector<std::size_t> lasting_levels(const std::vector<CountedNight>& nights,
                                        const NightlySeries& series, const CheckOptions& options) {
  const Level worse = series.worse == WorseWhen::larger ? Level::higher : Level::lower;
  Detector detector(options.detector, worse);
  std::vector<std::size_t> starts{0};
  std::size_t alarmed = 0;
  for (std::size_t i = 0; i < nights.size(); ++i) {
    const NightFinding finding = detector.observe(nights[i].input);
    if (finding.adopted) starts.push_back(alarmed);
    if (finding.changed && finding.level != Level::usual) alarmed = i;
  }
  const Level last = detector.level();
  const bool open = last == Level::higher || last == Level::lower;
  if (open && nights.size() >= alarmed + options.detector.adopt) starts.push_back(alarmed);
  return starts;
}

void append_deviations(const std::vector<CountedNight>& nights, std::size_t begin, std::size_t end,
                       double sign, std::vector<double>& deviations) {
  std::vector<double> values;
  for (std::size_t i = begin; i < end; ++i) values.push_back(nights[i].input.log_value);
  const double centre = quick_median(values);
  for (std::size_t i = begin; i < end; ++i) {
    deviations.push_back(sign * (nights[i].input.log_value - centre));
  }
}

}  // namespace

std::optional<SteadyNights> steady_nights(const NightlySeries& series, const CheckOptions& options,
                                          std::int64_t today) {
  const std::vector<CountedNight> nights = counted_nights(series, options, today);
  const std::size_t shortest = options.detector.baseline.shortest;
  const double sign = series.worse == WorseWhen::larger ? 1 : -1;
  std::vector<std::size_t> starts = lasting_levels(nights, series, options);
  starts.push_back(nights.size());
  SteadyNights steady;
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    // A change is known some nights late; those belong to neither level.
    const bool last = k + 2 == starts.size();
    const std::size_t late = last ? 0 : std::min(options.detector.lag, starts[k + 1] - starts[k]);
    const std::size_t end = starts[k + 1] - late;
    if (end >= starts[k] + shortest) {
      append_deviations(nights, starts[k], end, sign, steady.deviations);
    }
  }
  if (steady.deviations.size() < 2 * shortest) return std::nullopt;
  std::vector<double> sizes;
  sizes.reserve(steady.deviations.size());
  for (const double deviation : steady.deviations) sizes.push_back(std::abs(deviation));
  steady.noise = deviations_per_mad * quick_median(sizes);
  const double scale = std::max(steady.noise, options.detector.baseline.least_noise);
  steady.autocorrelation = lag_one_autocorrelation(steady.deviations, 0, scale);
  steady.block = std::max(block_length(steady.autocorrelation, steady.deviations.size()),
                          2 * options.detector.recent);
  return steady;
}

}  // namespace hockney
