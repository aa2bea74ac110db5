#include "verdicts/variability.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

#include "core/distributions.hpp"
#include "core/faults.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::verdicts {
namespace {

/// Least standard deviation of launches in one mode [log ratio], because clocks have steps.
constexpr double least_deviation = 0.005;

constexpr std::array null_tails{0.05, 0.01, 0.001, 0.0001};
using Quantiles = std::array<double, null_tails.size()>;

/// Quantiles of the statistic for one mode and 6, 7, ... launches, exceeded with the probabilities
/// of null_tails.
constexpr std::array<Quantiles, 25> null_quantiles{
    {{5.90, 10.50, 22.26, 43.31}, {5.06, 8.89, 17.29, 30.79}, {4.66, 7.87, 14.53, 23.91},
     {4.38, 7.18, 12.66, 20.09},  {4.14, 6.67, 11.51, 18.53}, {3.95, 6.25, 10.50, 16.12},
     {3.79, 5.91, 9.86, 14.87},   {3.65, 5.66, 9.32, 14.39},  {3.52, 5.41, 8.80, 12.78},
     {3.42, 5.24, 8.48, 12.54},   {3.32, 5.06, 8.11, 11.59},  {3.25, 4.92, 7.84, 11.53},
     {3.18, 4.79, 7.51, 11.03},   {3.11, 4.67, 7.32, 10.45},  {3.05, 4.58, 7.12, 10.12},
     {2.32, 3.41, 5.26, 7.44},    {2.28, 3.34, 5.10, 7.29},   {2.25, 3.28, 5.11, 7.23},
     {2.22, 3.23, 4.90, 6.89},    {2.18, 3.18, 4.80, 6.56},   {2.16, 3.13, 4.73, 6.54},
     {2.13, 3.09, 4.65, 6.57},    {2.11, 3.04, 4.61, 6.43},   {2.08, 3.00, 4.53, 6.26},
     {2.06, 2.97, 4.46, 6.09}}};

/// Of a part of sorted values.
double squares_about_mean(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares;
}

std::vector<double> logarithms_of(const std::vector<double>& seconds) {
  std::vector<double> logs;
  for (const double one : seconds) {
    if (!(one > 0) || !std::isfinite(one)) return {};
    logs.push_back(std::log(one));
  }
  return logs;
}

LaunchModes modes_at(const std::vector<double>& seconds, std::size_t below) {
  const std::vector<double> sorted = sorted_finite(seconds);
  const std::span<const double> all(sorted);
  LaunchModes modes{.low_seconds = median_of_some(all.first(below)),
                    .high_seconds = median_of_some(all.subspan(below)),
                    .is_high = {}};
  for (const double one : seconds) modes.is_high.push_back(one >= sorted[below]);
  return modes;
}

}  // namespace

std::size_t LaunchModes::high_launches() const {
  return static_cast<std::size_t>(std::ranges::count(is_high, true));
}

std::optional<LargestGap> largest_gap(std::span<const double> logarithms) {
  const std::size_t n = logarithms.size();
  if (n < fewest_launches_of_modes) return std::nullopt;
  const std::vector<double> sorted = sorted_finite(logarithms);
  const std::span<const double> all(sorted);
  const std::size_t least = std::max<std::size_t>(2, (n + 9) / 10);
  LargestGap largest{.statistic = 0, .below = least};
  for (std::size_t below = least; below + least <= n; ++below) {
    const double squares =
        squares_about_mean(all.first(below)) + squares_about_mean(all.subspan(below));
    const double deviation =
        std::max(least_deviation, std::sqrt(squares / static_cast<double>(n - 2)));
    const double statistic = (sorted[below] - sorted[below - 1]) / deviation;
    if (statistic > largest.statistic) largest = {statistic, below};
  }
  return largest;
}

double mode_p(std::size_t launches, double statistic) {
  if (launches < fewest_launches_of_modes) return 1;
  const std::size_t row = std::min(launches - fewest_launches_of_modes, null_quantiles.size() - 1);
  const Quantiles& quantiles = null_quantiles.at(row);
  if (statistic < quantiles.front()) return 1;
  std::size_t upper = 1;  // of the two quantiles around the statistic, or the last two
  while (upper + 1 < quantiles.size() && statistic > quantiles.at(upper)) ++upper;
  const double low = std::log(quantiles.at(upper - 1));
  const double high = std::log(quantiles.at(upper));
  const double share = (std::log(statistic) - low) / (high - low);
  const double of_low = std::log(null_tails.at(upper - 1));
  const double of_high = std::log(null_tails.at(upper));
  return std::exp(of_low + share * (of_high - of_low));
}

std::vector<std::optional<LaunchModes>> find_modes(std::span<const std::vector<double>> points,
                                                   double alpha) {
  std::vector<std::optional<LargestGap>> gaps;
  std::vector<double> p;
  for (const std::vector<double>& seconds : points) {
    const std::optional<LargestGap> gap = largest_gap(logarithms_of(seconds));
    if (gap) p.push_back(mode_p(seconds.size(), gap->statistic));
    gaps.push_back(gap);
  }
  const std::vector<double> adjusted = holm(p);
  std::vector<std::optional<LaunchModes>> found(points.size());
  auto next = adjusted.begin();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::optional<LargestGap>& gap = gaps[i];
    if (!gap) continue;
    const double p_adjusted = *next++;
    if (p_adjusted > alpha) continue;
    LaunchModes modes = modes_at(points[i], gap->below);
    modes.p_adjusted = p_adjusted;
    if (modes.high_seconds >= least_mode_ratio * modes.low_seconds) found[i] = std::move(modes);
  }
  return found;
}

namespace {

/// Count and sum of the values at one level of a factor.
struct Level {
  double count = 0;
  double sum = 0;
};
using Levels = std::map<int, Level>;

/// The quadratic forms of a design, and their expectations as functions of the variances.
class QuadraticForms {
 public:
  QuadraticForms(std::span<const ValueGroup> groups, std::size_t factors)
      : groups_(groups), factors_(factors) {
    double sum = 0;
    for (const ValueGroup& group : groups) {
      count_ += group.count;
      sum += group.count * group.mean;
    }
    mean_ = sum / count_;
    for (std::size_t i = 0; i < factors; ++i) levels_.push_back(levels_of(i));
  }

  /// Form of a factor: the squared sums of its levels about the mean of all values. Past the last
  /// factor: the form of all values.
  [[nodiscard]] double form(std::size_t factor) const {
    double total = 0;
    if (factor < factors_) {
      for (const auto& [level, found] : levels_[factor]) total += found.sum * found.sum;
      return total;
    }
    for (const ValueGroup& group : groups_) {
      total += group.squares + group.count * (group.mean - mean_) * (group.mean - mean_);
    }
    return total;
  }

  /// Expected contribution of a unit variance of `b` to the form of `a`.
  [[nodiscard]] double expected(std::size_t a, std::size_t b) const {
    if (a == factors_ && b == factors_) return count_ - 1;
    if (a == factors_) std::swap(a, b);
    if (b == factors_) return count_ - squared_counts(a) / count_;
    double both = 0;
    double mixed = 0;
    for (const auto& [levels, count] : shared(a, b)) {
      both += count * count;
      mixed += count * levels_[a].at(levels.first).count * levels_[b].at(levels.second).count;
    }
    return both - 2 * mixed / count_ + squared_counts(a) * squared_counts(b) / (count_ * count_);
  }

 private:
  [[nodiscard]] Levels levels_of(std::size_t factor) const {
    Levels levels;
    for (const ValueGroup& group : groups_) {
      Level& level = levels[group.levels[factor]];
      level.count += group.count;
      level.sum += group.count * (group.mean - mean_);
    }
    return levels;
  }

  [[nodiscard]] double squared_counts(std::size_t factor) const {
    double total = 0;
    for (const auto& [level, found] : levels_[factor]) total += found.count * found.count;
    return total;
  }

  /// Number of values that two levels have in common.
  [[nodiscard]] std::map<std::pair<int, int>, double> shared(std::size_t a, std::size_t b) const {
    std::map<std::pair<int, int>, double> counts;
    for (const ValueGroup& group : groups_) {
      counts[{group.levels[a], group.levels[b]}] += group.count;
    }
    return counts;
  }

  std::span<const ValueGroup> groups_;
  std::size_t factors_;
  double count_ = 0;
  double mean_ = 0;
  std::vector<Levels> levels_;
};

}  // namespace

std::vector<double> variance_components(std::span<const ValueGroup> groups, std::size_t factors) {
  if (groups.empty()) return {};
  const QuadraticForms forms(groups, factors);
  const auto count = static_cast<Eigen::Index>(factors + 1);
  Eigen::MatrixXd expected(count, count);
  Eigen::VectorXd found(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j) {
      expected(i, j) = forms.expected(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    }
    found(i) = forms.form(static_cast<std::size_t>(i));
  }
  if (expected.diagonal().minCoeff() <= 0) return {};
  const Eigen::VectorXd scale = expected.diagonal().cwiseInverse();
  Eigen::FullPivLU<Eigen::MatrixXd> equations(scale.asDiagonal() * expected);
  equations.setThreshold(1e-9);
  if (!equations.isInvertible()) return {};
  const Eigen::VectorXd solution = equations.solve(scale.asDiagonal() * found);
  return {solution.begin(), solution.end()};
}

namespace {

constexpr std::size_t causes = enum_words<Cause>.size();
constexpr std::size_t fewest_units = 6;  // required for a median's interval at 95 %

/// Numbers for names, in order of first appearance.
class Numbers {
 public:
  int of(const std::string& name) {
    return numbers_.emplace(name, static_cast<int>(numbers_.size())).first->second;
  }

 private:
  std::map<std::string, int> numbers_;
};

/// A block, with its unit for each cause except repetition.
struct Block {
  ValueGroup values;
  std::array<int, causes> unit{};
  int series = 0;  ///< one place in one launch
};

/// The blocks of one point.
struct PointBlocks {
  Point point;
  std::string setting;
  std::vector<Block> blocks;
};

std::string place_of(const Record& record, const Series& series) {
  std::vector<std::string> hosts;
  for (const RankPlace& rank : record.ranks) {
    if (std::ranges::count(series.point.pair, rank.rank) > 0) hosts.push_back(rank.host);
  }
  if (std::ranges::adjacent_find(hosts, std::ranges::not_equal_to()) != hosts.end()) {
    return join(hosts, " ");
  }
  return fmt::format("{} {}", join(hosts, " "), join_numbers(series.point.pair, "-"));
}

std::optional<ValueGroup> group_of(std::span<const double> samples) {
  ValueGroup group;
  for (const double seconds : samples) {
    if (seconds <= 0) continue;
    const double value = std::log(seconds);
    ++group.count;
    const double before = value - group.mean;
    group.mean += before / group.count;
    group.squares += before * (value - group.mean);
  }
  return group.count > 0 ? std::optional(group) : std::nullopt;
}

/// All counted blocks, by point.
class AllBlocks {
 public:
  void add(const Record& record) {
    const std::string day = record.started_utc.substr(0, std::string("2000-01-01").size());
    const auto job = record.provenance.environment.find("SLURM_JOB_ID");
    const bool is_in_job = job != record.provenance.environment.end();
    std::array<int, causes> unit{};
    unit[static_cast<std::size_t>(Cause::launch)] = launches_++;
    unit[static_cast<std::size_t>(Cause::job)] = jobs_.of(is_in_job ? job->second : "");
    unit[static_cast<std::size_t>(Cause::day)] = days_.of(day);
    for (const Series& series : record.series) {
      if (series.samples_seconds.empty() || fault_of(record, series)) continue;
      unit[static_cast<std::size_t>(Cause::place)] = places_.of(place_of(record, series));
      add(blocks_of(record, series), series, unit);
    }
  }

  [[nodiscard]] const std::vector<PointBlocks>& all() const { return points_; }

 private:
  PointBlocks& blocks_of(const Record& record, const Series& series) {
    Point point = series.point;
    point.pair.clear();
    point.path.reset();
    point.algorithm.reset();
    const std::string setting = record.campaign ? record.campaign->setting : "";
    const int number =
        names_.of(fmt::format("{} {} {}", curve_name(point), point.bytes.value, setting));
    if (static_cast<std::size_t>(number) == points_.size()) points_.push_back({point, setting, {}});
    return points_[static_cast<std::size_t>(number)];
  }

  void add(PointBlocks& point_blocks, const Series& series, std::array<int, causes> unit) {
    const std::vector<bool> counts = counted_blocks(series);
    std::span<const double> left = series.samples_seconds;
    ++series_;
    for (std::size_t i = 0; i < series.blocks.size(); ++i) {
      const auto samples = left.first(static_cast<std::size_t>(series.blocks[i]));
      left = left.subspan(samples.size());
      const auto group = counts[i] ? group_of(samples) : std::nullopt;
      if (!group) continue;
      unit[static_cast<std::size_t>(Cause::block)] = blocks_++;
      point_blocks.blocks.push_back({*group, unit, series_});
    }
  }

  std::vector<PointBlocks> points_;
  Numbers names_, jobs_, days_, places_;
  int launches_ = 0, blocks_ = 0, series_ = 0;
};

/// The unit of each block.
using Units = std::vector<int>;

Units units_of(std::span<const Block> blocks, Cause cause) {
  Units units;
  for (const Block& block : blocks) units.push_back(block.unit[static_cast<std::size_t>(cause)]);
  return units;
}

std::size_t distinct(const Units& units) {
  return std::set<int>(units.begin(), units.end()).size();
}

/// A cause, and the unit of each block. A launch may have two factors: the launch, and the launch
/// at one place.
struct Factor {
  Cause cause = Cause::block;
  Units units;
};

/// The factors with several units; of equal factors only one.
std::vector<Factor> factors_of(std::span<const Block> blocks) {
  std::vector<Factor> factors;
  const auto take = [&](Cause cause, Units units, std::size_t finer) {
    const std::size_t number = distinct(units);
    if (number > 1 && number < finer) factors.push_back({cause, std::move(units)});
  };
  const bool repeats =
      std::ranges::any_of(blocks, [](const Block& block) { return block.values.count > 1; });
  Units series;
  for (const Block& block : blocks) series.push_back(block.series);
  const Units launches = units_of(blocks, Cause::launch);
  const Units places = units_of(blocks, Cause::place);
  const std::size_t launch_count = distinct(launches);
  if (repeats) take(Cause::block, units_of(blocks, Cause::block), blocks.size() + 1);
  const bool crossed = distinct(places) > 1 && distinct(series) > launch_count;
  if (crossed) take(Cause::launch, series, blocks.size());
  take(Cause::launch, launches, blocks.size());
  take(Cause::place, places, crossed ? distinct(series) : 0);
  const Units jobs = units_of(blocks, Cause::job);
  take(Cause::job, jobs, launch_count);
  const bool has_jobs = !factors.empty() && factors.back().cause == Cause::job;
  take(Cause::day, units_of(blocks, Cause::day), has_jobs ? distinct(jobs) : launch_count);
  return factors;
}

/// The variance of each cause; negative estimates become 0. Empty if they cannot be separated.
/// Skips blocks whose unit is `without`.
std::vector<double> variances(std::span<const Block> blocks, const std::vector<Factor>& factors,
                              const Units& units = {}, int without = 0) {
  std::vector<ValueGroup> groups;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!units.empty() && units[i] == without) continue;
    groups.push_back(blocks[i].values);
    for (const Factor& factor : factors) groups.back().levels.push_back(factor.units[i]);
  }
  const std::vector<double> found = variance_components(groups, factors.size());
  if (found.empty()) return {};
  std::vector<double> of(causes);
  const bool has_blocks = !factors.empty() && factors.front().cause == Cause::block;
  const Cause innermost = has_blocks ? Cause::repetition : Cause::block;
  of[static_cast<std::size_t>(innermost)] = std::max(0.0, found.back());
  for (std::size_t i = 0; i < factors.size(); ++i) {
    of[static_cast<std::size_t>(factors[i].cause)] += std::max(0.0, found[i]);
  }
  return of;
}

std::vector<double> shares_of(std::vector<double> variances) {
  double total = 0;
  for (const double variance : variances) total += variance;
  for (double& variance : variances) variance = total > 0 ? variance / total : 0;
  return variances;
}

double arcsine(double share) { return std::asin(std::sqrt(std::clamp(share, 0.0, 1.0))); }

double share_at(double angle) {
  const double root = std::sin(std::clamp(angle, 0.0, std::numbers::pi / 2));
  return root * root;
}

/// Shares of all causes with one unit left out, for each unit.
using Jackknife = std::vector<std::vector<double>>;

Interval interval_of(const Jackknife& without, std::size_t cause, double share) {
  constexpr double level = 0.95;
  const auto number = static_cast<double>(without.size());
  std::vector<double> pseudo;
  double mean = 0;
  for (const std::vector<double>& shares : without) {
    pseudo.push_back(number * arcsine(share) - (number - 1) * arcsine(shares[cause]));
    mean += pseudo.back() / number;
  }
  double squares = 0;
  for (const double value : pseudo) squares += (value - mean) * (value - mean);
  const double error = std::sqrt(squares / (number * (number - 1)));
  const double reach = error * student_quantile(number - 1, (1 + level) / 2);
  return {share_at(arcsine(share) - reach), share_at(arcsine(share) + reach), level};
}

/// The outermost units, if at least fewest_units; else empty.
Units outermost(std::span<const Block> blocks) {
  for (const Cause cause : {Cause::day, Cause::job, Cause::launch}) {
    Units units = units_of(blocks, cause);
    if (distinct(units) >= fewest_units) return units;
  }
  return {};
}

std::optional<VarianceSplit> split(const PointBlocks& point_blocks) {
  const std::vector<Factor> factors = factors_of(point_blocks.blocks);
  const std::vector<double> found = variances(point_blocks.blocks, factors);
  if (found.empty()) return std::nullopt;
  VarianceSplit result{.point = point_blocks.point,
                       .setting = point_blocks.setting,
                       .launches = distinct(units_of(point_blocks.blocks, Cause::launch)),
                       .spread = std::sqrt(std::reduce(found.begin(), found.end())),
                       .shares = {},
                       .untold = {}};
  const std::vector<double> shares = shares_of(found);
  const Units units = outermost(point_blocks.blocks);
  Jackknife without;
  for (const int unit : std::set<int>(units.begin(), units.end())) {
    without.push_back(shares_of(variances(point_blocks.blocks, factors, units, unit)));
    if (without.back().empty()) return std::nullopt;
  }
  const bool repeats = std::ranges::count(factors, Cause::block, &Factor::cause) > 0;
  for (std::size_t i = 0; i < causes; ++i) {
    const auto cause = static_cast<Cause>(i);
    const bool is_innermost = cause == (repeats ? Cause::repetition : Cause::block);
    if (!is_innermost && std::ranges::count(factors, cause, &Factor::cause) == 0) {
      result.untold.push_back(cause);
      continue;
    }
    result.shares.push_back({cause, shares[i]});
    if (!without.empty()) result.shares.back().interval = interval_of(without, i, shares[i]);
  }
  return result;
}

/// Sorts by curve, in order of first appearance, then by size. The first launch may lack a point.
void put_curves_together(std::vector<VarianceSplit>& splits) {
  Numbers curves;
  const auto place = [&](const VarianceSplit& split) {
    return std::pair(curves.of(fmt::format("{} {}", curve_name(split.point), split.setting)),
                     split.point.bytes.value);
  };
  for (const VarianceSplit& split : splits) place(split);  // numbers the curves first
  std::ranges::stable_sort(splits, {}, place);
}

}  // namespace

std::vector<VarianceSplit> split_variance(std::span<const Record> records) {
  AllBlocks points;
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete) points.add(record);
  }
  std::vector<VarianceSplit> splits;
  for (const PointBlocks& point_blocks : points.all()) {
    if (auto found = split(point_blocks)) splits.push_back(std::move(*found));
  }
  put_curves_together(splits);
  return splits;
}

}  // namespace hockney::verdicts
