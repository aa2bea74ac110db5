#include "components/health/detection/calibrate.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "components/health/detection/detector.hpp"
#include "core/distributions.hpp"
#include "core/error.hpp"
#include "core/point.hpp"
#include "core/statistics.hpp"

namespace hockney::health {
namespace {

constexpr double deviations_in_interval = 2 * 1.959963984540054;  // of a normal value, at 95 %

std::int64_t first_day_of(const NightlySeries& series, const CheckOptions& options,
                          std::int64_t today) {
  std::int64_t first = std::numeric_limits<std::int64_t>::min();
  for (const AcceptedShift& shift : options.accepted) {
    if (shift.day > first && shift.day <= today && matches(series.name, shift.series)) {
      first = shift.day;
    }
  }
  return first;
}

void require_sound(const NightlySeries& series) {
  const NightlyValue* before = nullptr;
  for (const NightlyValue& night : series.nights) {
    if (before != nullptr && night.day <= before->day) {
      throw InputError(
          {fmt::format("day {} of {} follows day {}", night.day, series.name, before->day),
           "nights are in order, one a day", "sort them, or merge those of one day"});
    }
    if (!(night.value > 0) || !std::isfinite(night.value)) {
      throw InputError(
          {fmt::format("day {} of {} has the value {:f}", night.day, series.name, night.value),
           "changes are ratios of positive numbers", "repair or remove that night"});
    }
    before = &night;
  }
}

/// Standard error of the logarithm, from the interval over launches.
double error_of(const NightlyValue& night) {
  if (!night.interval || !(night.interval->low > 0)) return 0;
  const double width = std::log(night.interval->high / night.interval->low);
  return std::isfinite(width) ? width / deviations_in_interval : 0;
}

/// First nights of the lasting levels, including the first level.
std::vector<std::size_t> lasting_levels(const NextStep& next_step, std::size_t nights,
                                        const CheckOptions& options) {
  std::vector<std::size_t> starts = next_step.levels;
  const bool is_open = has_changed(next_step.detector.level());
  if (is_open && nights >= next_step.alarmed + options.detector.adopt)
    starts.push_back(next_step.alarmed);
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

constexpr std::size_t nights_looked_at = 120;
constexpr double times_as_far = 2;
constexpr double least_score = 4;  // docs/explanation/health.md; as used by Grid'5000: 99.99 %

std::optional<Interval> relative(const NightlyValue& night, double centre) {
  if (!night.interval) return std::nullopt;
  const double usual = std::exp(centre);
  return Interval{night.interval->low / usual - 1, night.interval->high / usual - 1,
                  night.interval->level};
}

/// Whether the night's whole interval is beyond the floor, on the side of `distance`.
bool lies_beyond(const std::optional<Interval>& interval, double distance, double practical,
                 double rounding) {
  if (std::abs(distance) <= std::log1p(practical) + rounding) return false;
  if (!interval) return true;
  return distance > 0 ? interval->low > practical : interval->high < 1 / (1 + practical) - 1;
}

/// The counted nights of a series without lasting changes of level: adopted ones, and one open for
/// `adopt` nights. Temporary changes stay, because they cause false alarms. nullopt if fewer nights
/// remain than two baselines need.
std::optional<SteadyNights> steady_nights(const NightlySeries& series, const CheckOptions& options,
                                          std::int64_t today) {
  const std::vector<CountedNight> nights = counted_nights(series, options, today);
  const std::size_t shortest = options.detector.baseline.shortest;
  const double sign = series.worse == WorseWhen::larger ? 1 : -1;
  std::vector<std::size_t> starts =
      lasting_levels(follow(nights, series, options), nights.size(), options);
  starts.push_back(nights.size());
  SteadyNights steady;
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    // A change is detected some nights late; these nights belong to neither level.
    const bool last = k + 2 == starts.size();
    const std::size_t late = last ? 0 : std::min(options.detector.lag, starts[k + 1] - starts[k]);
    const std::size_t end = starts[k + 1] - late;
    if (end >= starts[k] + shortest) {
      append_deviations(nights, starts[k], end, sign, steady.deviations);
    }
  }
  if (steady.deviations.size() < 2 * shortest) return std::nullopt;
  steady.noise = robust_deviation(steady.deviations);
  const double scale = std::max(steady.noise, options.detector.baseline.least_noise);
  steady.autocorrelation = lag_one_autocorrelation(steady.deviations, 0, scale);
  steady.block = std::max(block_length(steady.autocorrelation, steady.deviations.size()),
                          2 * options.detector.recent);
  return steady;
}

/// The usual nights before an outlier.
struct UsualNights {
  double centre = 0;    ///< median [log]
  double farthest = 0;  ///< from the centre [log ratio]
  double noise = 0;     ///< robust standard deviation [log ratio]

  UsualNights(std::span<const CountedNight> nights, double least_noise) {
    if (nights.size() > nights_looked_at) nights = nights.last(nights_looked_at);
    std::vector<double> values;
    values.reserve(nights.size());
    for (const CountedNight& night : nights) values.push_back(night.input.log_value);
    centre = quick_median(values);
    for (double& value : values) value = std::abs(value - centre);
    farthest = *std::ranges::max_element(values);
    noise = std::max(robust_deviation(values), least_noise);
  }

  [[nodiscard]] std::optional<NightOutlier> outlier(const CountedNight& night,
                                                    double practical) const {
    const double distance = night.input.log_value - centre;
    if (std::abs(distance) < times_as_far * farthest) return std::nullopt;
    const double score = distance / noise;
    const auto interval = relative(*night.night, centre);
    const double rounding = rounding_between(night.input.log_value, centre, night.input.half_digit);
    if (std::abs(score) < least_score || !lies_beyond(interval, distance, practical, rounding)) {
      return std::nullopt;
    }
    return NightOutlier{.day = night.night->day,
                        .change = std::expm1(distance),
                        .interval = interval,
                        .score = score,
                        .since = night.night->day};
  }
};

constexpr std::size_t year = 365;  // [nights]
constexpr double least_threshold = 4;
constexpr double threshold_step = 0.25;
constexpr std::size_t threshold_steps = 80;  // to 24

struct AlarmCounts {
  std::size_t worse = 0;
  std::size_t better = 0;
};

/// Simulates series-years from the site's nights; the same ones for every call.
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

  /// Nights until a change that begins on a random night is detected. Infinite if it is not
  /// detected within two months, or while a false alarm is open.
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
  throw InputError({fmt::format("{:f} false alarms in {} series-years",
                                options.false_alarms_per_year, options.series_years),
                    "both are positive", "ask for 0.3 in 1000"});
}

/// Finds the smallest threshold that keeps the rate, by bisection: alarms decrease as it rises.
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

bool in_maintenance(std::int64_t day, std::span<const MaintenanceWindow> windows) {
  return std::ranges::any_of(windows, [&](const MaintenanceWindow& window) {
    return window.first_day <= day && day <= window.last_day;
  });
}

std::vector<CountedNight> counted_nights(const NightlySeries& series, const CheckOptions& options,
                                         std::int64_t today) {
  require_sound(series);
  const std::int64_t first = first_day_of(series, options, today);
  std::vector<CountedNight> counted;
  counted.reserve(series.nights.size());
  for (const NightlyValue& night : series.nights) {
    if (night.day < first || night.day > today) continue;
    if (in_maintenance(night.day, options.maintenance)) continue;
    const std::int64_t gap = counted.empty() ? 1 : night.day - counted.back().night->day;
    counted.push_back(
        {&night, {std::log(night.value), gap, error_of(night), night.half_digit.value_or(0)}});
  }
  return counted;
}

NextStep follow(std::span<const CountedNight> nights, const NightlySeries& series,
                const CheckOptions& options) {
  const Level worse = series.worse == WorseWhen::larger ? Level::higher : Level::lower;
  NextStep next_step{Detector(options.detector, worse)};
  for (std::size_t i = 0; i < nights.size(); ++i) {
    const NightFinding finding = next_step.detector.observe(nights[i].input);
    if (finding.adopted) next_step.levels.push_back(next_step.alarmed);
    if (finding.changed && finding.level != Level::usual) next_step.alarmed = i;
  }
  return next_step;
}

std::optional<NightOutlier> night_outlier(std::span<const CountedNight> nights,
                                          const DetectorParameters& parameters) {
  const double nearest = std::log1p(parameters.practical) / 2;
  for (std::size_t run = 1; run <= parameters.recent; ++run) {
    if (nights.size() < nights_before_outlier + run) return std::nullopt;
    const auto usual_nights = nights.first(nights.size() - run);
    const double last = nights.back().input.log_value;
    // An outlier is as far from each usual night; this saves the medians of most series.
    if (std::abs(last - usual_nights.back().input.log_value) < nearest) continue;
    const UsualNights usual(usual_nights, parameters.baseline.least_noise);
    auto outlier = usual.outlier(nights.back(), parameters.practical);
    const auto is_alike = [&](const CountedNight& night) {
      const auto other = usual.outlier(night, parameters.practical);
      return other && outlier && (other->change > 0) == (outlier->change > 0);
    };
    if (!std::ranges::all_of(nights.last(run), is_alike)) continue;
    outlier->since = nights[nights.size() - run].night->day;
    return outlier;
  }
  return std::nullopt;
}

std::optional<double> YearlyRate::per_year() const {
  if (!(series_years > 0)) return std::nullopt;
  return static_cast<double>(events) / series_years;
}

std::optional<Interval> YearlyRate::interval() const {
  if (!(series_years > 0)) return std::nullopt;
  constexpr double tail = 0.025;
  const auto n = static_cast<double>(events);
  const double low = events == 0 ? 0 : chi_squared_quantile(2 * n, tail) / 2;
  const double high = chi_squared_quantile(2 * n + 2, 1 - tail) / 2;
  return Interval{low / series_years, high / series_years, 1 - 2 * tail};
}

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
