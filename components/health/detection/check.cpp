#include "components/health/detection/check.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "components/health/detection/calibrate.hpp"
#include "components/health/detection/detector.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"

namespace hockney::health {
namespace {

/// Sum of |x - v| over `values`.
double distances_to(double x, std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(x - value);
  return sum;
}

/// Sums of distances of a series cut in two, updated as the cut moves right.
class MovingCut {
 public:
  explicit MovingCut(std::span<const double> values) : values_(values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      right_ += distances_to(values[i], values.subspan(i + 1));
    }
  }

  void advance() {
    const double x = values_[cut_];
    const double to_left = distances_to(x, values_.first(cut_));
    const double to_right = distances_to(x, values_.subspan(cut_ + 1));
    left_ += to_left;
    right_ -= to_right;
    between_ += to_right - to_left;
    ++cut_;
  }

  /// Requires two values on each side.
  [[nodiscard]] double statistic() const {
    const auto n = static_cast<double>(cut_);
    const auto m = static_cast<double>(values_.size() - cut_);
    const double energy =
        2 * between_ / (n * m) - 2 * left_ / (n * (n - 1)) - 2 * right_ / (m * (m - 1));
    return n * m / (n + m) * energy;
  }

 private:
  std::span<const double> values_;
  std::size_t cut_ = 0;
  double left_ = 0;     ///< over the pairs inside the first part
  double right_ = 0;    ///< over the pairs inside the second part
  double between_ = 0;  ///< over the pairs across
};

constexpr std::size_t least_before = 5;
constexpr std::size_t fewest_resamples = 40;  // 2.5 % of them are one
constexpr std::size_t least_block = 4;        // keeps coverage with a quarter of the random numbers

/// A series without its step, and the step.
struct SeriesStep {
  std::vector<double> deviations;
  std::size_t first = 0;  ///< night of the new level
  double height = 0;      ///< [log ratio]
};

double median_of(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  return quick_median(copy);
}

SeriesStep take_step(std::span<const double> values, std::size_t first) {
  const double before = median_of(values.first(first));
  const double after = median_of(values.subspan(first));
  SeriesStep step{{values.begin(), values.end()}, first, after - before};
  for (std::size_t i = 0; i < values.size(); ++i) {
    step.deviations[i] -= i < first ? before : after;
  }
  return step;
}

/// n / (k (n - k)) for each split k of n values: the weights of split_of_means().
std::vector<double> weights_of_splits(std::size_t n) {
  std::vector<double> weights(n, 0);
  for (std::size_t k = 1; k < n; ++k) {
    weights[k] = static_cast<double>(n) / (static_cast<double>(k) * static_cast<double>(n - k));
  }
  return weights;
}

/// The split with the largest difference of means, k (n - k) / n (mean - mean)^2.
std::size_t split_of_means(std::span<const double> values, std::span<const double> weights) {
  double total = 0;
  for (const double value : values) total += value;
  const double mean = total / static_cast<double>(values.size());
  double away = 0;  // sum of the first k values over that of k means
  double largest = -1;
  std::size_t best = 1;
  for (std::size_t k = 1; k < values.size(); ++k) {
    away += values[k - 1] - mean;
    const double gain = away * away * weights[k];
    if (gain > largest) {
      largest = gain;
      best = k;
    }
  }
  return best;
}

/// Errors of the estimates around the planted truth, in the bootstrap.
struct Errors {
  std::vector<double> heights;
  std::vector<double> nights;
};

Errors bootstrap(const SeriesStep& step, const DatingOptions& options) {
  const std::size_t n = step.deviations.size();
  const double noise = std::max(robust_deviation(step.deviations), 1e-12);
  const double rho = lag_one_autocorrelation(step.deviations, 0, noise);
  const std::size_t block = std::max(block_length(rho, n), least_block);
  const std::vector<double> weights = weights_of_splits(n);
  std::mt19937_64 random(options.seed);
  std::vector<double> drawn(n);
  std::vector<double> stepped(n);
  Errors errors;
  for (std::size_t k = 0; k < std::max(options.resamples, fewest_resamples); ++k) {
    resample_blocks(step.deviations, block, random, drawn);
    for (std::size_t i = 0; i < n; ++i) {
      const double usual = std::clamp(drawn[i], -most_deviation * noise, most_deviation * noise);
      stepped[i] = usual + (i < step.first ? 0 : step.height);
    }
    errors.nights.push_back(static_cast<double>(split_of_means(stepped, weights)) -
                            static_cast<double>(step.first));
    const std::span<double> all(drawn);
    errors.heights.push_back(quick_median(all.subspan(step.first)) -
                             quick_median(all.first(step.first)));
  }
  return errors;
}

struct Range {
  double low = 0;
  double high = 0;
};

/// Range of the middle 95 % of the values.
Range central_range(std::vector<double>& values) {
  std::ranges::sort(values);
  const auto cut =
      static_cast<std::size_t>((1 - default_level) / 2 * static_cast<double>(values.size()));
  return {values[cut], values[values.size() - 1 - cut]};
}

std::size_t night_at(double place, std::size_t nights) {
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(nights - 1)));
}

void require_sound(std::span<const NightlySeries> series, const CheckOptions& options) {
  for (const MaintenanceWindow& window : options.maintenance) {
    if (window.first_day <= window.last_day) continue;
    throw InputError(
        {fmt::format("maintenance from day {} to day {}", window.first_day, window.last_day),
         "it ends before it begins", "exchange the days"});
  }
  std::set<std::string_view> names;
  for (const NightlySeries& one : series) {
    if (names.insert(one.name).second) continue;
    throw InputError({"two series are called " + one.name, "verdicts are distinguished by name",
                      "merge them or rename one"});
  }
}

std::optional<std::int64_t> last_day(std::span<const NightlySeries> series) {
  std::optional<std::int64_t> last;
  for (const NightlySeries& one : series) {
    for (const NightlyValue& night : one.nights)
      last = std::max(last.value_or(night.day), night.day);
  }
  return last;
}

/// Whether the possible days of both changes overlap.
bool at_same_time(const SeriesHealth& a, const SeriesHealth& b) {
  if (!a.change || !b.change) return false;
  return a.change->since_low <= b.change->since_high && b.change->since_low <= a.change->since_high;
}

bool at_same_place(const NightlySeries& a, const NightlySeries& b) {
  return a.where.empty() || b.where.empty() || a.where == b.where;
}

/// Adds to each subject the names of controls that changed at the same time.
void name_controls(std::span<const NightlySeries> series, std::vector<SeriesHealth>& health) {
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < health.size(); ++i) {
    if (health[i].role == SeriesRole::control && health[i].change) changed.push_back(i);
  }
  for (std::size_t i = 0; i < health.size(); ++i) {
    if (health[i].role == SeriesRole::control || !health[i].change) continue;
    for (const std::size_t control : changed) {
      if (at_same_place(series[i], series[control]) && at_same_time(health[i], health[control])) {
        health[i].controls.push_back(health[control].series);
      }
    }
  }
}

constexpr std::size_t nights_before = 90;  // nights used before a change to date it
constexpr std::size_t nights_after = 30;

using Nights = std::span<const CountedNight>;

/// Dates the change from the nights around it. If the most likely split is another change before
/// it, the search continues after that split.
std::optional<DatedChange> date_split(Nights nights, const NextStep& next_step, std::size_t end,
                                      const CheckOptions& options) {
  const std::size_t earliest =
      next_step.alarmed > nights_before ? next_step.alarmed - nights_before : 0;
  const bool rose = next_step.detector.level() == Level::higher;
  for (std::size_t begin = std::max(next_step.levels.back(), earliest);
       begin < next_step.alarmed;) {
    std::vector<double> values;
    for (std::size_t i = begin; i < end; ++i) values.push_back(nights[i].input.log_value);
    const auto found =
        date_change(values, {.latest = next_step.alarmed - begin, .seed = options.seed});
    if (!found) return std::nullopt;
    const auto day_of = [&](std::size_t index) { return nights[begin + index].night->day; };
    if ((found->change > 0) == rose) {
      return DatedChange{.since = day_of(found->first),
                         .since_low = day_of(found->earliest),
                         .since_high = day_of(found->latest),
                         .alarmed = nights[next_step.alarmed].night->day,
                         .change = found->change,
                         .interval = found->interval};
    }
    begin += found->first;
  }
  return std::nullopt;
}

/// The change with the rounding of printed values in its interval.
DatedChange with_rounding(DatedChange change, Nights nights, const Baseline& baseline) {
  const double half_digit = nights.back().input.half_digit;
  if (!change.interval || half_digit <= 0) return change;
  const double before = baseline.median();
  const double rounding =
      std::exp(rounding_between(before, before + std::log1p(change.change), half_digit));
  change.interval->low = (1 + change.interval->low) / rounding - 1;
  change.interval->high = (1 + change.interval->high) * rounding - 1;
  return change;
}

DatedChange date(Nights nights, const NextStep& next_step, const CheckOptions& options) {
  const std::size_t end = std::min(nights.size(), next_step.alarmed + nights_after);
  if (const auto split = date_split(nights, next_step, end, options)) {
    return with_rounding(*split, nights, next_step.detector.baseline());
  }
  // Undatable: known on the night of the alarm, with the size of the nights that caused it.
  const std::size_t recent = std::min(options.detector.recent - 1, next_step.alarmed);
  std::vector<double> values;
  for (std::size_t i = next_step.alarmed - recent; i <= next_step.alarmed; ++i) {
    values.push_back(nights[i].input.log_value - next_step.detector.baseline().median());
  }
  const std::int64_t first = nights[next_step.alarmed - recent].night->day;
  const std::int64_t alarmed = nights[next_step.alarmed].night->day;
  return {alarmed, first, alarmed, alarmed, std::expm1(quick_median(values)), std::nullopt};
}

DatedChange of_one_night(const NightOutlier& night) {
  return {night.day, night.day, night.day, night.day, night.change, night.interval};
}

Verdict verdict_of(bool rose, WorseWhen worse) {
  return rose == (worse == WorseWhen::larger) ? Verdict::regressed : Verdict::improved;
}

fleet::Severity severity_of(const SeriesHealth& health, const NightlySeries& series,
                            const CheckOptions& options) {
  if (health.verdict == Verdict::improved) return fleet::Severity::monitor;
  if (health.verdict != Verdict::regressed) {
    return health.suspect ? fleet::Severity::monitor : fleet::Severity::none;
  }
  const double ratio = health.change ? 1 + health.change->change : 1;
  const bool large = std::abs(std::log(ratio)) >= std::log1p(options.isolate_beyond);
  return large && !series.where.empty() ? fleet::Severity::isolate : fleet::Severity::monitor;
}

std::vector<EnvironmentChange> environment_at(Nights nights, const DatedChange& change) {
  std::vector<EnvironmentChange> found;
  for (std::size_t i = 1; i < nights.size(); ++i) {
    const NightlyValue& before = *nights[i - 1].night;
    const NightlyValue& night = *nights[i].night;
    if (night.day < change.since_low || night.day > change.since_high) continue;
    const bool known = !before.environment.empty() && !night.environment.empty();
    if (known && before.environment != night.environment) {
      found.push_back({night.day, before.day, before.environment, night.environment});
    }
  }
  return found;
}

UndecidedWhy why_undecided(Nights nights, const NextStep& next_step, const CheckOptions& options,
                           std::int64_t today) {
  if (nights.empty()) return UndecidedWhy::no_nights;
  if (today - nights.back().night->day > options.stale_after_days) return UndecidedWhy::stale;
  const bool is_counted = !in_maintenance(today, options.maintenance);
  if (is_counted && nights.back().night->day < today) return UndecidedWhy::absent;
  if (next_step.detector.level() == Level::unknown) return UndecidedWhy::short_baseline;
  return UndecidedWhy::none;
}

void describe_baseline(SeriesHealth& health, const Baseline& baseline) {
  if (!baseline.ready()) return;
  health.baseline = std::exp(baseline.median());
  health.noise = baseline.noise();
}

/// Ratio of the last nights to the baseline - 1.
double from_baseline(Nights nights, const Baseline& baseline, std::size_t recent) {
  std::vector<double> values;
  for (const CountedNight& night : nights.last(std::min(recent, nights.size()))) {
    values.push_back(night.input.log_value);
  }
  return std::expm1(quick_median(values) - baseline.median());
}

/// The last night as an outlier among the nights of its level. With `single_night` it stays one
/// until another night follows.
std::optional<NightOutlier> suspect_of(Nights nights, const NextStep& next_step,
                                       const SeriesHealth& health, const CheckOptions& options,
                                       std::int64_t today) {
  if (nights.empty()) return std::nullopt;
  if (nights.back().night->day != today && !options.single_night) return std::nullopt;
  std::size_t from = next_step.levels.back();
  if (health.change) {
    while (nights[from].night->day < health.change->since) ++from;
  }
  return night_outlier(nights.subspan(from), options.detector);
}

void decide(SeriesHealth& health, const NightlySeries& series, const CheckOptions& options) {
  if (!health.change && options.single_night && health.suspect) {
    health.change = of_one_night(*health.suspect);
    if (health.why == UndecidedWhy::short_baseline) health.why = UndecidedWhy::none;
  }
  const Verdict verdict =
      health.change ? verdict_of(health.change->change > 0, series.worse) : Verdict::steady;
  // A regression is open until later nights of the series, or a user, resolve it.
  const bool is_old = health.why == UndecidedWhy::stale || health.why == UndecidedWhy::absent;
  health.is_open = is_old && verdict == Verdict::regressed;
  if (health.is_open) health.why = UndecidedWhy::none;
  if (health.why == UndecidedWhy::none) health.verdict = verdict;
}

/// Judges one series as of `today`: everything in SeriesHealth except `controls`. InputError as
/// check_series().
SeriesHealth judge_series(const NightlySeries& series, const CheckOptions& options,
                          std::int64_t today) {
  const std::vector<CountedNight> counted = counted_nights(series, options, today);
  const Nights nights(counted);
  const NextStep next_step = follow(nights, series, options);
  SeriesHealth health;
  health.series = series.name;
  health.role = series.role;
  health.nights = nights.size();
  health.nights_needed = options.detector.baseline.shortest + 1;
  health.why = why_undecided(nights, next_step, options, today);
  if (!nights.empty()) health.last_day = nights.back().night->day;
  describe_baseline(health, next_step.detector.baseline());
  if (has_changed(next_step.detector.level())) health.change = date(nights, next_step, options);
  health.suspect = suspect_of(nights, next_step, health, options, today);
  decide(health, series, options);
  if (health.verdict == Verdict::regressed && has_changed(next_step.detector.level())) {
    health.from_baseline =
        from_baseline(nights, next_step.detector.baseline(), options.detector.recent);
  }
  if (health.change) health.environment = environment_at(nights, *health.change);
  health.severity = severity_of(health, series, options);
  return health;
}

}  // namespace

std::optional<EnergySplit> energy_split(std::span<const double> values, const SplitRange& range) {
  constexpr std::size_t least = 2;
  const std::size_t earliest = std::max(range.earliest, least);
  if (values.size() < earliest + least) return std::nullopt;
  const std::size_t latest = std::min(range.latest, values.size() - least);
  MovingCut cut(values);
  std::optional<EnergySplit> best;
  for (std::size_t k = 1; k <= latest; ++k) {
    cut.advance();
    if (k < earliest) continue;
    const double statistic = cut.statistic();
    if (!best || statistic > best->statistic) best = EnergySplit{k, statistic};
  }
  return best;
}

std::optional<LevelChange> date_change(std::span<const double> log_values,
                                       const DatingOptions& options) {
  const auto split = energy_split(log_values, {.earliest = least_before, .latest = options.latest});
  if (!split) return std::nullopt;
  const SeriesStep step = take_step(log_values, split->first_after);
  Errors errors = bootstrap(step, options);
  const Range nights = central_range(errors.nights);
  const Range heights = central_range(errors.heights);
  const auto first = static_cast<double>(step.first);
  const std::size_t n = log_values.size();
  return LevelChange{.first = step.first,
                     .earliest = night_at(std::floor(first - nights.high), n),
                     .latest = night_at(std::ceil(first - nights.low), n),
                     .change = std::expm1(step.height),
                     .interval = {std::expm1(step.height - heights.high),
                                  std::expm1(step.height - heights.low), default_level}};
}

std::vector<SeriesHealth> check_series(std::span<const NightlySeries> series,
                                       const CheckOptions& options) {
  require_sound(series, options);
  const std::int64_t today = options.today.value_or(last_day(series).value_or(0));
  std::vector<SeriesHealth> health;
  health.reserve(series.size());
  for (const NightlySeries& one : series) health.push_back(judge_series(one, options, today));
  name_controls(series, health);
  return health;
}

}  // namespace hockney::health
