#include "verdicts/variability.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "core/faults.hpp"
#include "core/samples.hpp"
#include "core/text.hpp"
#include "verdicts/variance_components.hpp"

namespace hockney::verdicts {
namespace {

constexpr std::size_t causes = enum_words<Cause>.size();
constexpr std::size_t fewest_units = 6;  // as a median needs for an interval at 95 %

/// Numbers for names, in the order in which they are met.
class Numbers {
 public:
  int of(const std::string& name) {
    return numbers_.emplace(name, static_cast<int>(numbers_.size())).first->second;
  }

 private:
  std::map<std::string, int> numbers_;
};

/// A block, and the units of each cause but the repetition that it belongs to.
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
  return join(hosts, " ") + " " + join_numbers(series.point.pair, "-");
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

/// All blocks that count, by point.
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
        names_.of(curve_name(point) + " " + std::to_string(point.bytes.value) + " " + setting);
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

/// Of each block, the unit that it belongs to.
using Units = std::vector<int>;

Units units_of(std::span<const Block> blocks, Cause cause) {
  Units units;
  for (const Block& block : blocks) units.push_back(block.unit[static_cast<std::size_t>(cause)]);
  return units;
}

std::size_t distinct(const Units& units) {
  return std::set<int>(units.begin(), units.end()).size();
}

/// A cause, and what the blocks are of by it; a launch has two: itself, and its places.
struct Factor {
  Cause cause = Cause::block;
  Units units;
};

/// Those with several units, no two of which have the same.
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

/// The variance of each cause, below 0 taken for 0; empty where they cannot be told. Blocks whose
/// unit is `without` are left out.
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

/// Shares without each of the units in turn: of each unit, all causes.
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
  const double reach =
      error * boost::math::quantile(boost::math::students_t(number - 1), (1 + level) / 2);
  return {share_at(arcsine(share) - reach), share_at(arcsine(share) + reach), level};
}

/// The outermost units of which there are enough; empty where there are none.
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

/// In the order in which curves are first met, by size: the first launch may lack a point.
void put_curves_together(std::vector<VarianceSplit>& splits) {
  Numbers curves;
  const auto place = [&](const VarianceSplit& split) {
    return std::pair(curves.of(curve_name(split.point) + " " + split.setting),
                     split.point.bytes.value);
  };
  for (const VarianceSplit& split : splits) place(split);  // curves get their numbers
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
