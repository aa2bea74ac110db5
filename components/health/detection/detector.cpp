#include "components/health/detection/detector.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/statistics.hpp"
#include "verdicts/rank_tests.hpp"

namespace hockney::health {
namespace {

constexpr std::size_t fewest_for_spread = 3;
/// Median of |X - X'| for normal values with standard deviation 1: sqrt(2) * 0.6745.
constexpr double usual_distance = 0.9538725524;

std::vector<double> logarithms(std::span<const double> seconds) {
  std::vector<double> logs;
  logs.reserve(seconds.size());
  for (const double time : seconds) {
    if (!(time > 0) || !std::isfinite(time)) {
      throw InputError({fmt::format("a launch took {:f} s", time), "times are positive and finite",
                        "repair or remove it"});
    }
    logs.push_back(std::log(time));
  }
  return logs;
}

std::vector<double> all_distances(std::span<const double> values) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) distances.push_back(std::abs(values[i] - values[j]));
  }
  return distances;
}

/// Distances of disjoint pairs, which are independent like the launches.
std::vector<double> disjoint_distances(std::span<const double> values) {
  std::vector<double> distances;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
    distances.push_back(std::abs(values[i] - values[i + 1]));
  }
  return distances;
}

/// At most 1000 values, evenly spaced: the number of their distances is the square.
std::vector<double> some_of(const std::vector<double>& values) {
  constexpr std::size_t most = 1000;
  const std::size_t step = (values.size() + most - 1) / most;
  std::vector<double> some;
  for (std::size_t i = 0; i < values.size(); i += step) some.push_back(values[i]);
  return some;
}

constexpr double sure_gain = 3;          // [noise] chance makes no such change
constexpr double most_correlated = 0.9;  // beyond it, whitening would divide by almost 0

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : std::midpoint(sorted[n / 2 - 1], sorted[n / 2]);
}

/// Distances from a centre, for the values above and below it, each ascending.
class Distances {
 public:
  Distances(const std::vector<double>& sorted, double centre)
      : sorted_(sorted),
        centre_(centre),
        split_(
            static_cast<std::size_t>(std::ranges::lower_bound(sorted, centre) - sorted.begin())) {}

  /// The k-th smallest distance, k from 0. Bisects the number of the k + 1 smallest that are above
  /// the centre.
  [[nodiscard]] double smallest(std::size_t k) const {
    const std::size_t all_above = sorted_.size() - split_;
    std::size_t low = k + 1 > split_ ? k + 1 - split_ : 0;
    std::size_t high = std::min(k + 1, all_above);
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (above(middle) < below(k - middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const double from_above = low > 0 ? above(low - 1) : 0;
    const double from_below = low < k + 1 ? below(k - low) : 0;
    return std::max(from_above, from_below);
  }

 private:
  [[nodiscard]] double above(std::size_t i) const { return sorted_[split_ + i] - centre_; }
  [[nodiscard]] double below(std::size_t i) const { return centre_ - sorted_[split_ - 1 - i]; }

  const std::vector<double>& sorted_;
  double centre_;
  std::size_t split_;  ///< index of the first value that is not below the centre
};

/// Median distance from the centre, in O(log n).
double spread_of_sorted(const std::vector<double>& sorted, double centre) {
  const std::size_t n = sorted.size();
  const Distances distances(sorted, centre);
  const double upper = distances.smallest(n / 2);
  return n % 2 == 1 ? upper : std::midpoint(distances.smallest(n / 2 - 1), upper);
}

void require_positive(const char* name, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw InputError({fmt::format("{} of the detector is {:f}", name, value),
                    "it is a positive number", "leave it at its default"});
}

void require_finite(double value) {
  if (std::isfinite(value)) return;
  throw InputError({"the logarithm of a night's value is not finite",
                    "only positive numbers have a level", "repair or remove that night"});
}

}  // namespace

std::optional<Figure> run_to_run_spread(std::span<const double> launch_seconds) {
  const std::vector<double> logs = logarithms(launch_seconds);
  if (logs.size() < fewest_for_spread) return std::nullopt;
  std::vector<double> distances = all_distances(some_of(logs));
  Figure spread{.value = quick_median(distances) / usual_distance,
                .interval = quantile_interval(disjoint_distances(logs)),
                .launches = logs.size()};
  if (spread.interval) {
    spread.interval->low /= usual_distance;
    spread.interval->high /= usual_distance;
  }
  return spread;
}

std::optional<Figure> outlier_rate(std::span<const LaunchOutliers> launches) {
  std::vector<double> fractions;
  for (const LaunchOutliers& launch : launches) {
    if (launch.outliers > launch.samples) {
      throw InputError(
          {fmt::format("more outliers ({}) than samples ({})", launch.outliers, launch.samples),
           "each outlier is a sample", "repair the record"});
    }
    if (launch.samples == 0) continue;
    fractions.push_back(static_cast<double>(launch.outliers) / static_cast<double>(launch.samples));
  }
  if (fractions.empty()) return std::nullopt;
  const auto interval = quantile_interval(fractions);
  return Figure{quick_median(fractions), interval, fractions.size()};
}

std::optional<Figure> congestion_factor(std::span<const double> loaded_seconds,
                                        std::span<const double> idle_seconds) {
  const std::vector<double> loaded = logarithms(loaded_seconds);
  const std::vector<double> idle = logarithms(idle_seconds);
  const auto shift = hodges_lehmann_shift(loaded, idle);
  if (!shift) return std::nullopt;
  const auto interval = verdicts::ratio_interval(verdicts::rank_sum_interval(loaded, idle));
  return Figure{std::exp(*shift), interval, std::min(loaded.size(), idle.size())};
}

double lag_one_autocorrelation(std::span<const double> values, double centre, double noise) {
  double squares = 0;
  double products = 0;
  double before = 0;
  const double limit = most_deviation * noise;
  for (const double value : values) {
    const double score = std::clamp(value - centre, -limit, limit);
    squares += score * score;
    products += score * before;
    before = score;
  }
  if (squares <= 0) return 0;
  const double raw = products / squares;
  const double bias = (1 + 3 * raw) / static_cast<double>(values.size());
  return std::clamp(raw + bias, 0.0, most_correlated);
}

std::size_t block_length(double autocorrelation, std::size_t n) {
  const double rho = autocorrelation;
  const double optimum =
      std::pow(std::sqrt(6.0) * rho / (1 - rho * rho), 2.0 / 3) * std::cbrt(static_cast<double>(n));
  return std::clamp<std::size_t>(whole_number<std::size_t>(optimum), 1,
                                 std::max<std::size_t>(n / 3, 1));
}

void resample_blocks(std::span<const double> values, std::size_t block, std::mt19937_64& random,
                     std::span<double> out) {
  const std::size_t length = std::min(block, values.size());
  std::uniform_int_distribution<std::size_t> place(0, values.size() - length);
  for (std::size_t filled = 0; filled < out.size();) {
    const std::size_t take = std::min(length, out.size() - filled);
    std::ranges::copy(values.subspan(place(random), take), out.subspan(filled).begin());
    filled += take;
  }
}

Baseline::Baseline(const BaselineParameters& parameters)
    : parameters_(parameters), noise_(parameters.least_noise) {
  if (parameters.shortest < 2 || parameters.window < parameters.shortest) {
    throw InputError(
        {fmt::format("a baseline of {} to {} nights", parameters.shortest, parameters.window),
         "its window must hold the shortest one, which has at least 2", "use 14 and 120"});
  }
  if (!(parameters.least_noise > 0)) {
    throw InputError({fmt::format("the least noise of a baseline is {:f}", parameters.least_noise),
                      "scores divide by it", "use 0.01"});
  }
  nights_.reserve(parameters.window + 1);
  sorted_.reserve(parameters.window + 1);
}

void Baseline::add(double log_value) {
  if (nights_.size() == parameters_.window) {
    sorted_.erase(std::ranges::lower_bound(sorted_, nights_.front()));
    nights_.erase(nights_.begin());
  }
  nights_.push_back(log_value);
  sorted_.insert(std::ranges::upper_bound(sorted_, log_value), log_value);
  if (ready()) describe();
}

void Baseline::move_to(double log_value) {
  const double distance = log_value - median_;
  for (double& night : nights_) night += distance;
  for (double& night : sorted_) night += distance;
  if (ready()) describe();
}

void Baseline::clear() {
  nights_.clear();
  sorted_.clear();
  median_ = 0;
  noise_ = parameters_.least_noise;
  autocorrelation_ = 0;
}

void Baseline::describe() {
  median_ = median_of_sorted(sorted_);
  const double deviation =
      deviations_per_mad * spread_of_sorted(sorted_, median_) * small_sample_factor(nights_.size());
  noise_ = std::max(deviation, parameters_.least_noise);
  autocorrelation_ = lag_one_autocorrelation(nights_, median_, noise_);
}

double rounding_between(double log_one, double log_other, double half_digit) {
  if (half_digit <= 0) return 0;
  constexpr double most = 0.99;  // a value of less than half a digit has no level
  const double low = half_digit / std::exp(std::min(log_one, log_other));
  const double high = half_digit / std::exp(std::max(log_one, log_other));
  return std::log1p(low) - std::log1p(-std::min(high, most));
}

Detector::Detector(const DetectorParameters& parameters, Level worse)
    : parameters_(parameters), worse_(worse), baseline_(parameters.baseline) {
  require_positive("clip", parameters.clip);
  require_positive("allowance", parameters.allowance);
  require_positive("threshold", parameters.threshold);
  require_positive("practical floor", parameters.practical);
  require_positive("number of recent nights", static_cast<double>(parameters.recent));
  require_positive("number of nights to adopt", static_cast<double>(parameters.adopt));
}

void Detector::restart() {
  baseline_.clear();
  waiting_.clear();
  recent_.clear();
  enter(Level::unknown);
}

void Detector::enter(Level level) {
  level_ = level;
  rise_ = fall_ = 0;
  settled_.reset();
  if (level == Level::unknown) before_ = 0;
}

NightFinding Detector::observe(const NightInput& night) {
  require_finite(night.log_value);
  if (recent_.size() == parameters_.recent) recent_.erase(recent_.begin());
  recent_.push_back(night.log_value);
  if (!baseline_.ready()) {
    baseline_.add(night.log_value);
    return {};
  }
  const Level last = level_ == Level::unknown ? Level::usual : level_;
  level_ = last;
  half_digit_ = night.half_digit;
  const double noise = std::max(baseline_.noise(), night.error);
  const double score = (night.log_value - settled_.value_or(baseline_.median())) / noise;
  accumulate(whitened(score, night.gap));
  const Level level = judged();
  const bool worsened = is_better(last) && level == worse_;
  const bool stepped = last == worse_ && level == worse_ && is_worse_than_settled();
  if (level != last || stepped) change_to(level);
  if (level == Level::usual) {
    accept(night.log_value);
  } else {
    adopt_or_wait(night.log_value);
  }
  return {.level = level_,
          .changed = level_ != last || stepped,
          .adopted = worsened || stepped || level_ != level,
          .score = score};
}

bool Detector::is_better(Level level) const {
  return level != worse_ && (level == Level::higher || level == Level::lower);
}

void Detector::change_to(Level level) {
  const double before = settled_.value_or(baseline_.median());
  if (is_better(level_) && level == worse_) baseline_.move_to(before);
  enter(level);
  waiting_.clear();
  if (level != Level::higher && level != Level::lower) return;
  // The nights before this one that have the new level already.
  const double middle = (recent_level() + before) / 2;
  for (std::size_t i = 0; i + 1 < recent_.size(); ++i) {
    if ((recent_[i] > middle) == (level == Level::higher)) waiting_.push_back(recent_[i]);
  }
}

/// The part of a score that the previous night does not explain.
double Detector::whitened(double score, std::int64_t gap) {
  const double rho = std::pow(baseline_.autocorrelation(), static_cast<double>(gap));
  const double innovation = (score - rho * before_) / std::sqrt(1 - rho * rho);
  before_ = std::clamp(score, -parameters_.clip, parameters_.clip);
  return std::clamp(innovation, -parameters_.clip, parameters_.clip);
}

void Detector::accumulate(double innovation) {
  const std::size_t nights = settled_ ? waiting_.size() - parameters_.recent : baseline_.nights();
  const double allowance = parameters_.allowance + 0.5 / std::sqrt(static_cast<double>(nights));
  rise_ = std::max(0.0, rise_ + innovation - allowance);
  fall_ = std::max(0.0, fall_ - innovation - allowance);
}

/// Median of the last nights.
double Detector::recent_level() const {
  std::vector<double> nights(recent_);
  return quick_median(nights);
}

/// Smallest change that counts, between `level` and the last nights [log ratio].
double Detector::floor_from(double level) const {
  return std::log1p(parameters_.practical) + rounding_between(recent_level(), level, half_digit_);
}

bool Detector::is_worse_than_settled() const {
  if (!settled_) return false;
  const double sum = worse_ == Level::higher ? rise_ : fall_;
  if (sum <= parameters_.threshold) return false;
  const double shift = recent_level() - *settled_;
  return (worse_ == Level::higher ? shift : -shift) > floor_from(*settled_);
}

Level Detector::judged() const {
  const double usual = baseline_.median();
  if (level_ == Level::usual) {
    const bool rises = rise_ > parameters_.threshold;
    const bool falls = fall_ > parameters_.threshold;
    if (!rises && !falls) return Level::usual;  // saves the median's time on most nights
    const double shift = recent_level() - usual;
    if (rises && shift > floor_from(usual)) return Level::higher;
    if (falls && shift < -floor_from(usual)) return Level::lower;
    return Level::usual;
  }
  if (is_better(level_) && is_worse_than_settled()) return worse_;
  // Half of the floor, so that a level at the floor does not come and go.
  const double shift = recent_level() - usual;
  const double away = level_ == Level::higher ? shift : -shift;
  return away < floor_from(usual) / 2 ? Level::usual : level_;
}

void Detector::accept(double log_value) {
  waiting_.push_back(log_value);
  if (waiting_.size() <= parameters_.lag) return;
  baseline_.add(waiting_.front());
  waiting_.erase(waiting_.begin());
}

/// The level since the change, without its last nights, which may belong to the next one.
void Detector::follow_settled() {
  if (waiting_.size() < 2 * parameters_.recent) return;
  const auto settled = static_cast<std::ptrdiff_t>(waiting_.size() - parameters_.recent);
  std::vector<double> nights(waiting_.begin(), waiting_.begin() + settled);
  const double level = quick_median(nights);
  if (!settled_) {
    if (std::abs(level - baseline_.median()) < sure_gain * baseline_.noise()) return;
    rise_ = fall_ = before_ = 0;  // they were distances from the baseline
  }
  settled_ = level;
}

void Detector::adopt_or_wait(double log_value) {
  waiting_.push_back(log_value);
  if (waiting_.size() > parameters_.baseline.window) waiting_.erase(waiting_.begin());
  follow_settled();
  if (level_ == worse_) return;
  if (waiting_.size() < std::max(parameters_.adopt, parameters_.baseline.shortest)) return;
  baseline_.clear();
  for (const double night : waiting_) baseline_.add(night);
  waiting_.clear();
  enter(Level::usual);
}

}  // namespace hockney::health
