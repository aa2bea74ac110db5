#include "verdicts/compare.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/suite_names.hpp"
#include "verdicts/multiplicity.hpp"
#include "verdicts/rank_tests.hpp"

namespace hockney::verdicts {
namespace {

using Sizes = std::span<const SizeEvidence>;

/// Time by which the winner above the crossing leads in one launch [s]; negative below the
/// crossing.
double lead(const SizeEvidence& size, std::size_t launch, Winner above) {
  const TimePair& times = size.launches[launch];
  const double difference = times.b_seconds - times.a_seconds;
  return above == Winner::a ? difference : -difference;
}

/// The lead as a logarithm of the ratio, so that large messages do not outweigh small ones.
double log_lead(const SizeEvidence& size, std::size_t launch, Winner above) {
  const TimePair& times = size.launches[launch];
  const double ratio = std::log(times.b_seconds / times.a_seconds);
  return above == Winner::a ? ratio : -ratio;
}

double number(Bytes bytes) { return static_cast<double>(bytes.value); }

/// Number of sizes before the crossing of one launch: the split with the largest sum of leads after
/// it minus the sum before it.
std::size_t split(Sizes bracket, std::size_t launch, Winner above) {
  double score = 0;
  double best = 0;
  std::size_t seen = 0;
  std::size_t before = 0;
  for (const SizeEvidence& size : bracket) {
    score -= log_lead(size, launch, above);
    ++seen;
    if (score <= best) continue;
    best = score;
    before = seen;
  }
  return before;
}

/// Size at which the times of one launch are equal [B].
double crossing_of(Sizes bracket, std::size_t launch, Winner above) {
  const std::size_t before = split(bracket, launch, above);
  if (before == 0) return number(bracket.front().bytes);
  if (before == bracket.size()) return number(bracket.back().bytes);
  const SizeEvidence& left = bracket[before - 1];
  const SizeEvidence& right = bracket[before];
  const double from = lead(left, launch, above);
  const double to = lead(right, launch, above);
  const double share = to > from ? -from / (to - from) : 0;
  return number(left.bytes) + share * (number(right.bytes) - number(left.bytes));
}

/// Widens the interval to the measured sizes around its ends.
Interval to_measured(const Interval& interval, Sizes sizes) {
  Interval wide = interval;
  for (const SizeEvidence& size : sizes) {
    if (number(size.bytes) <= interval.low) wide.low = number(size.bytes);
  }
  const auto above = std::ranges::find_if(
      sizes, [&](const SizeEvidence& size) { return number(size.bytes) >= interval.high; });
  if (above != sizes.end()) wide.high = number(above->bytes);
  return wide;
}

Crossing make_crossing(Sizes bracket, double level) {
  Crossing crossing{.above = bracket.back().winner,
                    .from = bracket.front().bytes,
                    .to = bracket.back().bytes,
                    .launches = bracket.front().launches.size()};
  std::vector<double> places;
  for (std::size_t launch = 0; launch < crossing.launches; ++launch) {
    places.push_back(crossing_of(bracket, launch, crossing.above));
  }
  crossing.bytes = median(places).value_or(number(crossing.to));
  if (const auto interval = quantile_interval(places, 0.5, level)) {
    crossing.interval_bytes = to_measured(*interval, bracket);
  }
  return crossing;
}

std::string why_none(Sizes sizes) {
  const auto first = std::ranges::find_if(
      sizes, [](const SizeEvidence& size) { return size.winner != Winner::no_rank; });
  if (first == sizes.end()) return "neither is shown to be faster at any size";
  return fmt::format("only {} is shown to be faster, at {} first",
                     first->winner == Winner::b ? "B" : "A", format_bytes(first->bytes));
}

/// Seconds by round. Empty if a launch belongs to no campaign.
std::map<int, double> seconds_by_block(const SideTimes& side) {
  std::map<int, double> blocks;
  for (const LaunchTime& launch : side.launches) {
    if (launch.place) blocks[launch.place->launch] = launch.seconds;
  }
  return blocks;
}

std::map<int, TimePair> pairs_of(const MatchedPoint& point) {
  const std::map<int, double> of_b = seconds_by_block(point.b);
  std::map<int, TimePair> pairs;
  for (const auto& [block, seconds] : seconds_by_block(point.a)) {
    if (const auto other = of_b.find(block); other != of_b.end()) {
      pairs[block] = {.a_seconds = seconds, .b_seconds = other->second};
    }
  }
  return pairs;
}

Winner winner_of(Verdict verdict) {
  if (verdict == Verdict::no_evidence) return Winner::no_rank;
  return verdict == Verdict::faster ? Winner::b : Winner::a;
}

/// The sizes of one curve, while they are collected.
struct CurveSizes {
  Point curve;
  std::vector<SizeEvidence> sizes;
  std::vector<std::map<int, TimePair>> pairs;  ///< of each size
  bool all_paired = true;
  bool too_few = false;
};

/// Keeps the rounds that have every size; crossings need all sizes of a round.
void keep_common_blocks(CurveSizes& gathered) {
  for (const auto& [block, unused] : gathered.pairs.front()) {
    const auto has_it = [&](const auto& pairs) { return pairs.contains(block); };
    if (!std::ranges::all_of(gathered.pairs, has_it)) continue;
    for (std::size_t i = 0; i < gathered.sizes.size(); ++i) {
      gathered.sizes[i].launches.push_back(gathered.pairs[i].at(block));
    }
  }
}

Crossover finish(CurveSizes gathered, double level) {
  if (!gathered.all_paired) {
    return {.point = gathered.curve,
            .reason = "the launches of A and B are not pairs of one campaign"};
  }
  keep_common_blocks(gathered);
  Crossover found = find_crossings(gathered.curve, gathered.sizes, level);
  if (found.crossings.empty() && gathered.too_few) {
    found.reason = "too few launches to show who is faster";
  }
  return found;
}

/// A crossover for every curve compared at two sizes or more, with intervals at `level`. `points`
/// and `comparisons` have the same order. Unpaired launches give no crossings; the reason states
/// it.
std::vector<Crossover> find_crossovers(std::span<const MatchedPoint> points,
                                       std::span<const Comparison> comparisons, double level) {
  std::vector<CurveSizes> curves;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Comparison& comparison = comparisons[i];
    const auto [place, is_new] = places.try_emplace(curve_name(comparison.point), curves.size());
    if (is_new) curves.push_back({.curve = comparison.point});
    CurveSizes& curve = curves[place->second];
    curve.sizes.push_back(
        {.bytes = comparison.point.bytes, .winner = winner_of(comparison.verdict)});
    curve.pairs.push_back(pairs_of(points[i]));
    curve.all_paired = curve.all_paired && comparison.design == Design::paired;
    curve.too_few = curve.too_few || comparison.reason == NoEvidence::too_few_launches;
  }
  std::vector<Crossover> crossovers;
  for (CurveSizes& curve : curves) {
    if (curve.sizes.size() > 1) crossovers.push_back(finish(std::move(curve), level));
  }
  return crossovers;
}

std::vector<double> seconds_of(const SideTimes& side) {
  std::vector<double> seconds;
  seconds.reserve(side.launches.size());
  for (const LaunchTime& launch : side.launches) seconds.push_back(launch.seconds);
  return seconds;
}

/// Launches by round number; empty unless every launch has a different number.
std::map<int, const LaunchTime*> launches_by_block(const SideTimes& side) {
  std::map<int, const LaunchTime*> blocks;
  for (const LaunchTime& launch : side.launches) {
    if (!launch.place) return {};
    if (!blocks.try_emplace(launch.place->launch, &launch).second) return {};
  }
  return blocks;
}

/// log b - log a of each round, if both sides have times in the same rounds; else empty.
std::vector<LaunchLog> block_differences(const MatchedPoint& point) {
  const std::map<int, const LaunchTime*> of_a = launches_by_block(point.a);
  const std::map<int, const LaunchTime*> of_b = launches_by_block(point.b);
  if (of_a.size() != of_b.size()) return {};
  std::vector<LaunchLog> differences;
  for (const auto& [block, a] : of_a) {
    const auto match = of_b.find(block);
    if (match == of_b.end()) return {};
    differences.push_back(
        {static_cast<std::size_t>(block), std::log(match->second->seconds) - std::log(a->seconds)});
  }
  return differences;
}

std::vector<LaunchLog> logarithms(const SideTimes& side) {
  std::vector<LaunchLog> logs;
  logs.reserve(side.launches.size());
  for (const LaunchTime& launch : side.launches) {
    logs.push_back({launch.record, std::log(launch.seconds)});
  }
  return logs;
}

Contrast contrast_of(const MatchedPoint& point, const CompareOptions& options, std::size_t sides) {
  const bool may_pair =
      options.origin == Origin::one_campaign && options.pairing == Pairing::where_possible;
  if (may_pair) {
    if (auto pairs = block_differences(point); !pairs.empty()) return {.a = {}, .b = pairs};
  }
  return {.a = logarithms(point.a), .b = logarithms(point.b), .sides = sides};
}

Absolute absolute(const SideTimes& side, double level) {
  const std::vector<double> seconds = seconds_of(side);
  return {.launches = seconds.size(),
          .pairs = side.pairs,
          .median_seconds = median(seconds).value_or(0),
          .interval_seconds = quantile_interval(seconds, 0.5, level),
          .path = side.path};
}

/// The comparison of one point, with p by ranks. judge_family() adds the family's results. Both
/// sides have launches, so every estimate and p exists.
Comparison compare_point(const MatchedPoint& point, const CompareOptions& options,
                         std::size_t sides) {
  const double level = 1 - options.alpha;
  const double margin = std::log1p(options.at_least);
  Comparison result{.point = point.point,
                    .a = absolute(point.a, level),
                    .b = absolute(point.b, level),
                    .contrast = contrast_of(point, options, sides)};
  const std::vector<double> a = values_of(result.contrast.a);
  const std::vector<double> b = values_of(result.contrast.b);
  if (a.empty()) {
    result.design = Design::paired;
    result.ratio = std::exp(hodges_lehmann(b).value_or(0));
    result.ratio_interval = ratio_interval(signed_rank_interval(b, level));
    result.p = signed_rank_p(b, margin).value_or(1);
    result.smallest_p = smallest_signed_rank_p(b.size());
    return result;
  }
  result.ratio = std::exp(hodges_lehmann_shift(b, a).value_or(0));
  result.ratio_interval = ratio_interval(rank_sum_interval(b, a, level));
  result.p = rank_sum_p(b, a, margin).value_or(1);
  result.smallest_p = smallest_rank_sum_p(b.size(), a.size());
  return result;
}

/// Prefers the quotient of the medians, which are shown beside it.
void take_quotient(Comparison& comparison) {
  if (comparison.a.median_seconds <= 0) return;
  const double quotient = comparison.b.median_seconds / comparison.a.median_seconds;
  const std::optional<Interval>& interval = comparison.interval();
  if (!interval || (interval->low <= quotient && quotient <= interval->high)) {
    comparison.ratio = quotient;
  }
}

void decide(Comparison& comparison, Shown shown, bool can_be_shown, const FamilyResult& family,
            const CompareOptions& options) {
  if (shown != Shown::nothing) {
    comparison.verdict = shown == Shown::above ? Verdict::slower : Verdict::faster;
  } else if (!can_be_shown) {
    comparison.reason = NoEvidence::too_few_launches;
    comparison.launches_needed = family.launches_for(options.alpha, [&](std::size_t n) {
      return comparison.design == Design::paired ? smallest_signed_rank_p(n)
                                                 : smallest_rank_sum_p(n, n);
    });
  } else {
    comparison.reason = NoEvidence::not_significant;
    if (!family.threshold) return;
    comparison.launches_needed =
        launches_to_show(comparison.contrast, std::log1p(options.at_least), *family.threshold);
  }
}

/// Interval by ranks at Bonferroni's level for one of `tests`.
std::optional<Interval> interval_by_ranks(const Contrast& contrast, double alpha, double tests) {
  const double level = 1 - alpha / tests;
  const std::vector<double> b = values_of(contrast.b);
  auto shifts = contrast.a.empty() ? signed_rank_interval(b, level)
                                   : rank_sum_interval(b, values_of(contrast.a), level);
  if (shifts) shifts->level = 1 - alpha;
  return shifts;
}

/// Intervals of logarithms, before agreeing() adapts them to the verdicts.
std::vector<std::optional<Interval>> shifts_of(std::span<const Contrast> contrasts,
                                               const FamilyResult& family,
                                               const CompareOptions& options) {
  std::vector<std::optional<Interval>> shifts = family.shifts;
  const bool is_by_ranks =
      options.correction == Correction::holm || options.correction == Correction::none;
  for (std::size_t i = 0; is_by_ranks && i < contrasts.size(); ++i) {
    shifts[i] = interval_by_ranks(contrasts[i], options.alpha, family.factor);
  }
  return shifts;
}

ComparedSide side_of(std::span<const Record> records) {
  const LaunchCount count = count_launches(records);
  ComparedSide side{.launches = count.launches,
                    .nodes = count.nodes,
                    .is_imported = std::ranges::any_of(records, is_imported)};
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) {
      ++side.launches_left_out;
      continue;
    }
    if (record.campaign) side.setting = record.campaign->setting;
    side.mpi_library = record.provenance.mpi.library;
  }
  return side;
}

LonePoint lone(const Point& point, const SideTimes& lacking) {
  return {point, lacking.absence, lacking.detail};
}

/// Two sides in work: comparisons without verdicts, and their points.
struct Unjudged {
  CompareSet set;
  std::vector<MatchedPoint> compared;
};

Unjudged compare_points(const SideRecords& sides, const CompareOptions& options,
                        std::size_t number) {
  Unjudged result{.set = {.options = options,
                          .a = side_of(sides.a),
                          .b = side_of(sides.b),
                          .of_means = compares_means(sides.a, sides.b)},
                  .compared = {}};
  CompareSet& set = result.set;
  for (const MatchedPoint& point : match_points(sides.a, sides.b)) {
    const bool in_a = !point.a.launches.empty();
    const bool in_b = !point.b.launches.empty();
    if (in_a && in_b) {
      set.comparisons.push_back(compare_point(point, options, number));
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

Crossover find_crossings(const Point& curve, std::span<const SizeEvidence> sizes, double level) {
  Crossover found{.point = curve};
  std::optional<std::size_t> last;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].winner == Winner::no_rank) continue;
    if (last && sizes[*last].winner != sizes[i].winner) {
      found.crossings.push_back(make_crossing(sizes.subspan(*last, i - *last + 1), level));
    }
    last = i;
  }
  if (found.crossings.empty()) found.reason = why_none(sizes);
  if (found.crossings.size() > 1) {
    found.reason = fmt::format("they cross {} times", found.crossings.size());
  }
  return found;
}

void judge_family(std::span<Comparison* const> comparisons, const CompareOptions& options) {
  std::vector<Contrast> contrasts;
  std::vector<double> by_ranks;
  std::vector<double> smallest;
  for (const Comparison* comparison : comparisons) {
    contrasts.push_back(comparison->contrast);
    by_ranks.push_back(comparison->p);
    smallest.push_back(comparison->smallest_p);
  }
  const double margin = std::log1p(options.at_least);
  const FamilyResult family =
      judge(contrasts, by_ranks, options.correction, options.alpha, margin, Alternative::either);
  // Corrections are monotone in every p. With every p at its smallest value, they show which
  // comparisons could never become significant.
  const std::vector<double> at_best = adjust(smallest, options.correction);
  const auto shifts = shifts_of(contrasts, family, options);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    Comparison& comparison = *comparisons[i];
    comparison.p = family.test.p[i];
    comparison.p_adjusted = family.test.p_adjusted[i];
    comparison.family = comparisons.size();
    const Shown shown =
        shown_by(comparison.p_adjusted, options.alpha, comparison.ratio, options.at_least);
    decide(comparison, shown, at_best[i] <= options.alpha, family, options);
    if (shifts[i]) {
      comparison.family_interval = ratio_interval(agreeing(*shifts[i], margin, shown));
    }
    take_quotient(comparison);
  }
}

std::vector<CompareSet> compare_family(std::span<const SideRecords> family,
                                       const CompareOptions& options) {
  check_family_options(options.alpha, "the least difference", options.at_least);
  std::vector<Unjudged> pending;
  for (const SideRecords& sides : family) {
    pending.push_back(compare_points(sides, options, pending.size()));
  }
  std::vector<Comparison*> all;
  for (Unjudged& one : pending) {
    for (Comparison& comparison : one.set.comparisons) all.push_back(&comparison);
  }
  judge_family(all, options);
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
  CompareSet set = std::move(compare_family({&sides, 1}, options).front());
  set.faults = find_faults(a, b);
  set.oversubscribed = oversubscription_text(a, b);
  set.cores = find_different_cores(a, b);
  return set;
}

}  // namespace hockney::verdicts
