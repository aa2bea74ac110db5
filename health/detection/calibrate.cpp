#include "health/detection/calibrate.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/robust.hpp"
#include "health/detection/baseline.hpp"
#include "health/detection/counted_nights.hpp"

namespace hockney::health {

std::optional<double> YearlyRate::per_year() const {
  if (!(series_years > 0)) return std::nullopt;
  return static_cast<double>(events) / series_years;
}

std::optional<Interval> YearlyRate::interval() const {
  if (!(series_years > 0)) return std::nullopt;
  using ChiSquared = boost::math::chi_squared_distribution<double>;
  constexpr double tail = 0.025;
  const auto n = static_cast<double>(events);
  const double low = events == 0 ? 0 : boost::math::quantile(ChiSquared(2 * n), tail) / 2;
  const double high = boost::math::quantile(ChiSquared(2 * n + 2), 1 - tail) / 2;
  return Interval{low / series_years, high / series_years, 1 - 2 * tail};
}

namespace {

constexpr std::size_t year = 365;  // [nights]
constexpr double least_threshold = 4;
constexpr double threshold_step = 0.25;
constexpr std::size_t threshold_steps = 80;  // to 24

struct AlarmCounts {
  std::size_t worse = 0;
  std::size_t better = 0;
};

/// Series-years made of the site's own nights; the same ones whenever it is asked.
class Simulator {
 public:
  Simulator(std::vector<SteadyNights> history, const DetectorParameters& parameters,
            CalibrateOptions options)
      : history_(std::move(history)), parameters_(parameters), options_(std::move(options)) {}

  [[nodiscard]] AlarmCounts alarms(double threshold) const {
    std::mt19937_64 random(options_.seed);
    std::vector<double> nights(before() + year);
    AlarmCounts counts;
    for (std::size_t k = 0; k < options_.series_years; ++k) {
      draw(random, nights);
      Detector detector(with(threshold), Level::higher);
      for (const double night : nights) {
        const NightFinding finding = detector.observe({.log_value = night});
        if (!finding.changed) continue;
        if (finding.level == Level::higher) ++counts.worse;
        if (finding.level == Level::lower) ++counts.better;
      }
    }
    return counts;
  }

  /// Nights until a change that begins on a random night is known; infinite when not within two
  /// months, or when a false alarm is open already.
  [[nodiscard]] std::vector<double> delays(double threshold, double change) const {
    constexpr std::size_t followed = 60;
    std::mt19937_64 random(options_.seed + 1);
    std::vector<double> found;
    std::vector<double> nights;
    for (std::size_t k = 0; k < options_.series_years; ++k) {
      const std::size_t from = before() + random() % (year - followed);
      nights.assign(from + followed, 0);
      draw(random, nights);
      for (std::size_t i = from; i < nights.size(); ++i) nights[i] += std::log1p(change);
      found.push_back(delay(threshold, nights, from));
    }
    return found;
  }

 private:
  [[nodiscard]] std::size_t before() const { return parameters_.baseline.shortest + 1; }

  [[nodiscard]] DetectorParameters with(double threshold) const {
    DetectorParameters parameters = parameters_;
    parameters.threshold = threshold;
    return parameters;
  }

  void draw(std::mt19937_64& random, std::span<double> nights) const {
    const SteadyNights& chosen = history_[random() % history_.size()];
    resample_blocks(chosen.deviations, chosen.block, random, nights);
  }

  [[nodiscard]] double delay(double threshold, std::span<const double> nights,
                             std::size_t from) const {
    Detector detector(with(threshold), Level::higher);
    for (std::size_t i = 0; i < nights.size(); ++i) {
      const NightFinding finding = detector.observe({.log_value = nights[i]});
      if (i >= from && finding.changed && finding.level == Level::higher) {
        return static_cast<double>(i - from + 1);
      }
    }
    return std::numeric_limits<double>::infinity();
  }

  std::vector<SteadyNights> history_;
  DetectorParameters parameters_;
  CalibrateOptions options_;
};

void require_sound(const CalibrateOptions& options) {
  if (options.false_alarms_per_year > 0 && options.series_years > 0) return;
  throw InputError({std::to_string(options.false_alarms_per_year) + " false alarms in " +
                        std::to_string(options.series_years) + " series-years",
                    "both are positive", "ask for 0.3 in 1000"});
}

/// The smallest threshold that keeps the rate, by bisection: alarms fall as it rises.
void choose_threshold(const Simulator& simulator, const CalibrateOptions& options,
                      SiteCalibration& site) {
  const auto years = static_cast<double>(options.series_years);
  const auto keeps = [&](std::size_t k) {
    const double threshold = least_threshold + threshold_step * static_cast<double>(k);
    const auto alarms = static_cast<double>(simulator.alarms(threshold).worse);
    return alarms <= options.false_alarms_per_year * years;
  };
  std::size_t low = 0;
  std::size_t high = threshold_steps;
  site.reached = keeps(high);
  while (site.reached && low < high) {
    const std::size_t middle = (low + high) / 2;
    if (keeps(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  site.threshold = least_threshold + threshold_step * static_cast<double>(high);
  const AlarmCounts alarms = simulator.alarms(site.threshold);
  site.false_alarms = {alarms.worse, years};
  site.false_improvements = {alarms.better, years};
}

PlantedDelay planted(const Simulator& simulator, const CalibrateOptions& options, double threshold,
                     double change) {
  std::vector<double> delays = simulator.delays(threshold, change);
  PlantedDelay planted;
  planted.change = change;
  planted.found.trials = static_cast<int>(delays.size());
  planted.found.hits = static_cast<int>(std::ranges::count_if(
      delays, [&](double nights) { return nights <= static_cast<double>(options.within_nights); }));
  const double nights = quick_median(delays);
  if (std::isfinite(nights)) planted.median_nights = nights;
  return planted;
}

void describe(std::span<const SteadyNights> history, SiteCalibration& site) {
  std::vector<double> noises;
  std::vector<double> correlations;
  std::vector<double> blocks;
  for (const SteadyNights& steady : history) {
    noises.push_back(steady.noise);
    correlations.push_back(steady.autocorrelation);
    blocks.push_back(static_cast<double>(steady.block));
  }
  site.series = history.size();
  site.noise = quick_median(noises);
  site.autocorrelation = quick_median(correlations);
  site.block_nights = static_cast<std::size_t>(quick_median(blocks));
}

}  // namespace

std::optional<SiteCalibration> calibrate_detector(std::span<const NightlySeries> series,
                                                  const CheckOptions& check,
                                                  const CalibrateOptions& options) {
  require_sound(options);
  const std::int64_t today = check.today.value_or(std::numeric_limits<std::int64_t>::max());
  std::vector<SteadyNights> history;
  for (const NightlySeries& one : series) {
    if (auto steady = steady_nights(one, check, today)) history.push_back(std::move(*steady));
  }
  if (history.empty()) return std::nullopt;
  SiteCalibration site;
  site.skipped = series.size() - history.size();
  describe(history, site);
  const Simulator simulator(std::move(history), check.detector, options);
  choose_threshold(simulator, options, site);
  for (const double change : options.changes) {
    site.delays.push_back(planted(simulator, options, site.threshold, change));
  }
  return site;
}

}  // namespace hockney::health
