#include "verdicts/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "core/statistics.hpp"
#include "verdicts/crossovers.hpp"
#include "verdicts/log_ratio.hpp"
#include "verdicts/rank_sum.hpp"
#include "verdicts/signed_rank.hpp"

namespace hockney {
namespace {

std::vector<double> seconds_of(const SideTimes& side) {
  std::vector<double> seconds;
  seconds.reserve(side.launches.size());
  for (const LaunchTime& launch : side.launches) seconds.push_back(launch.seconds);
  return seconds;
}

std::vector<double> logarithms(const SideTimes& side) {
  std::vector<double> logs = seconds_of(side);
  for (double& value : logs) value = std::log(value);
  return logs;
}

/// log time by launch number; empty unless every launch has a number of its own.
std::map<int, double> logs_by_block(const SideTimes& side) {
  std::map<int, double> blocks;
  for (const LaunchTime& launch : side.launches) {
    if (!launch.place) return {};
    if (!blocks.try_emplace(launch.place->launch, std::log(launch.seconds)).second) return {};
  }
  return blocks;
}

/// log b - log a of each block, when both sides have a time in the same blocks.
std::optional<std::vector<double>> block_differences(const SideTimes& a, const SideTimes& b) {
  const std::map<int, double> of_a = logs_by_block(a);
  const std::map<int, double> of_b = logs_by_block(b);
  if (of_a.empty() || of_a.size() != of_b.size()) return std::nullopt;
  std::vector<double> differences;
  for (const auto& [block, log_a] : of_a) {
    const auto match = of_b.find(block);
    if (match == of_b.end()) return std::nullopt;
    differences.push_back(match->second - log_a);
  }
  return differences;
}

Absolute absolute(const SideTimes& side, double level) {
  const std::vector<double> seconds = seconds_of(side);
  return {.launches = seconds.size(),
          .pairs = side.pairs,
          .median_seconds = median(seconds).value_or(0),
          .interval_seconds = quantile_interval(seconds, 0.5, level),
          .path = side.path};
}

/// The comparison of one point by itself; the family comes later. Both sides have launches, so that
/// no estimate and no p is lacking.
Comparison compare_point(const MatchedPoint& point, const CompareOptions& options) {
  const double level = 1 - options.alpha;
  const double margin = std::log1p(options.at_least);
  Comparison result{
      .point = point.point, .a = absolute(point.a, level), .b = absolute(point.b, level)};
  const bool may_pair =
      options.origin == Origin::one_campaign && options.pairing == Pairing::where_possible;
  if (const auto d = may_pair ? block_differences(point.a, point.b) : std::nullopt) {
    result.design = Design::paired;
    result.ratio = std::exp(hodges_lehmann(*d).value_or(0));
    result.ratio_interval = ratio_interval(signed_rank_interval(*d, level));
    result.p = signed_rank_p(*d, margin).value_or(1);
    result.smallest_p = smallest_signed_rank_p(d->size());
    return result;
  }
  const std::vector<double> a = logarithms(point.a);
  const std::vector<double> b = logarithms(point.b);
  result.ratio = std::exp(hodges_lehmann_shift(b, a).value_or(0));
  result.ratio_interval = ratio_interval(rank_sum_interval(b, a, level));
  result.p = rank_sum_p(b, a, margin).value_or(1);
  result.smallest_p = smallest_rank_sum_p(b.size(), a.size());
  return result;
}

/// The fewest launches on each side whose smallest p-value stays at or below alpha when it is
/// multiplied by `factor`.
std::size_t launches_for(Design design, double factor, double alpha) {
  const auto smallest = [&](std::size_t n) {
    return design == Design::paired ? smallest_signed_rank_p(n) : smallest_rank_sum_p(n, n);
  };
  std::size_t n = 1;
  while (factor * smallest(n) > alpha) ++n;
  return n;
}

void decide(Comparison& comparison, double p_at_best, double factor,
            const CompareOptions& options) {
  const double limit = 1 + options.at_least;
  const bool shown = comparison.p_adjusted <= options.alpha;
  if (shown && comparison.ratio > limit) {
    comparison.verdict = Verdict::slower;
  } else if (shown && comparison.ratio < 1 / limit) {
    comparison.verdict = Verdict::faster;
  } else if (p_at_best > options.alpha) {
    comparison.reason = NoEvidence::too_few_launches;
    comparison.launches_needed = launches_for(comparison.design, factor, options.alpha);
  } else {
    comparison.reason = NoEvidence::not_significant;
  }
}

/// Adjusted p-values and verdicts. Both corrections are monotone in every p, so what the family
/// would be with each at its smallest tells which of them could never be shown.
void judge(const std::vector<Comparison*>& family, const CompareOptions& options) {
  std::vector<double> p;
  std::vector<double> smallest;
  for (const Comparison* comparison : family) {
    p.push_back(comparison->p);
    smallest.push_back(comparison->smallest_p);
  }
  const std::vector<double> adjusted = adjust(p, options.correction);
  const std::vector<double> at_best = adjust(smallest, options.correction);
  const double factor =
      options.correction == Correction::holm ? static_cast<double>(family.size()) : 1.0;
  for (std::size_t i = 0; i < family.size(); ++i) {
    family[i]->p_adjusted = adjusted[i];
    decide(*family[i], at_best[i], factor, options);
  }
}

void check(const CompareOptions& options) {
  const bool chance = options.alpha > 0 && options.alpha <= 0.5;
  if (!chance) {
    throw InputError({"alpha is " + std::to_string(options.alpha),
                      "it is the chance of a false alarm, above 0 and at most 0.5", "use 0.05"});
  }
  const bool difference = options.at_least >= 0 && std::isfinite(options.at_least);
  if (!difference) {
    throw InputError({"the least difference is " + std::to_string(options.at_least),
                      "it is a fraction, 0 or more", "use 0.05 for five per cent"});
  }
}

ComparedSide side_of(std::span<const Record> records) {
  ComparedSide side;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) {
      ++side.launches_left_out;
      continue;
    }
    ++side.launches;
    if (record.campaign) side.setting = record.campaign->setting;
    side.mpi_library = record.provenance.mpi.library;
  }
  return side;
}

LonePoint lone(const Point& point, const SideTimes& lacking) {
  return {point, lacking.absence, lacking.detail};
}

/// Two sides under way: comparisons without verdicts, with the points they are of.
struct Unjudged {
  CompareSet set;
  std::vector<MatchedPoint> compared;
};

Unjudged compare_points(const SideRecords& sides, const CompareOptions& options) {
  Unjudged result{.set = {.options = options, .a = side_of(sides.a), .b = side_of(sides.b)},
                  .compared = {}};
  CompareSet& set = result.set;
  for (const MatchedPoint& point : match_points(sides.a, sides.b)) {
    const bool in_a = !point.a.launches.empty();
    const bool in_b = !point.b.launches.empty();
    if (in_a && in_b) {
      set.comparisons.push_back(compare_point(point, options));
      result.compared.push_back(point);
    } else if (in_a) {
      set.only_in_a.push_back(lone(point.point, point.b));
    } else if (in_b) {
      set.only_in_b.push_back(lone(point.point, point.a));
    } else {
      set.in_neither.push_back(lone(point.point, point.a));
    }
  }
  return result;
}

}  // namespace

std::vector<CompareSet> compare_family(std::span<const SideRecords> family,
                                       const CompareOptions& options) {
  check(options);
  std::vector<Unjudged> pending;
  for (const SideRecords& sides : family) pending.push_back(compare_points(sides, options));
  std::vector<Comparison*> all;
  for (Unjudged& one : pending) {
    for (Comparison& comparison : one.set.comparisons) all.push_back(&comparison);
  }
  judge(all, options);
  std::vector<CompareSet> sets;
  for (Unjudged& one : pending) {
    one.set.family = all.size();
    one.set.crossovers = find_crossovers(one.compared, one.set.comparisons, 1 - options.alpha);
    sets.push_back(std::move(one.set));
  }
  return sets;
}

CompareSet compare(std::span<const Record> a, std::span<const Record> b,
                   const CompareOptions& options) {
  const SideRecords sides{.a = a, .b = b};
  return std::move(compare_family({&sides, 1}, options).front());
}

}  // namespace hockney
