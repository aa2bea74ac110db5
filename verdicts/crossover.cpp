#include "verdicts/crossover.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "core/quantities.hpp"
#include "verdicts/compare.hpp"

namespace hockney::verdicts {
namespace {

using Sizes = std::span<const SizeEvidence>;

/// How much longer the loser above takes, in one launch [s]: negative below the crossing.
double lead(const SizeEvidence& size, std::size_t launch, Winner above) {
  const TimePair& times = size.launches[launch];
  const double difference = times.b_seconds - times.a_seconds;
  return above == Winner::a ? difference : -difference;
}

/// The same as a share, so that large messages do not outweigh small ones.
double log_lead(const SizeEvidence& size, std::size_t launch, Winner above) {
  const TimePair& times = size.launches[launch];
  const double ratio = std::log(times.b_seconds / times.a_seconds);
  return above == Winner::a ? ratio : -ratio;
}

double number(Bytes bytes) { return static_cast<double>(bytes.value); }

/// How many of the sizes come before the crossing of one launch: with so many, the sum of leads
/// after it, less the sum before it, is largest.
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

/// Where the times of one launch are equal [B].
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

/// As wide as the measured sizes around its ends.
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
      sizes, [](const SizeEvidence& size) { return size.winner != Winner::nobody; });
  if (first == sizes.end()) return "neither is shown to be faster at any size";
  const std::string winner = first->winner == Winner::b ? "B" : "A";
  return "only " + winner + " is shown to be faster, at " + format_bytes(first->bytes) + " first";
}

/// By block; empty where a launch has no place in a campaign.
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
  if (verdict == Verdict::no_evidence) return Winner::nobody;
  return verdict == Verdict::faster ? Winner::b : Winner::a;
}

/// The sizes of one curve under way.
struct Gathered {
  Point curve;
  std::vector<SizeEvidence> sizes;
  std::vector<std::map<int, TimePair>> pairs;  ///< of each size
  bool all_paired = true;
  bool too_few = false;
};

/// Only blocks that have every size say where in them the curves cross.
void keep_common_blocks(Gathered& gathered) {
  for (const auto& [block, unused] : gathered.pairs.front()) {
    const auto has_it = [&](const auto& pairs) { return pairs.contains(block); };
    if (!std::ranges::all_of(gathered.pairs, has_it)) continue;
    for (std::size_t i = 0; i < gathered.sizes.size(); ++i) {
      gathered.sizes[i].launches.push_back(gathered.pairs[i].at(block));
    }
  }
}

Crossover finish(Gathered gathered, double level) {
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

}  // namespace

Crossover find_crossings(const Point& curve, std::span<const SizeEvidence> sizes, double level) {
  Crossover found{.point = curve};
  std::optional<std::size_t> last;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].winner == Winner::nobody) continue;
    if (last && sizes[*last].winner != sizes[i].winner) {
      found.crossings.push_back(make_crossing(sizes.subspan(*last, i - *last + 1), level));
    }
    last = i;
  }
  if (found.crossings.empty()) found.reason = why_none(sizes);
  if (found.crossings.size() > 1) {
    found.reason = "they cross " + std::to_string(found.crossings.size()) + " times";
  }
  return found;
}

std::vector<Crossover> find_crossovers(std::span<const MatchedPoint> points,
                                       std::span<const Comparison> comparisons, double level) {
  std::vector<Gathered> curves;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Comparison& comparison = comparisons[i];
    const auto [place, is_new] = places.try_emplace(curve_name(comparison.point), curves.size());
    if (is_new) curves.push_back({.curve = comparison.point});
    Gathered& curve = curves[place->second];
    curve.sizes.push_back(
        {.bytes = comparison.point.bytes, .winner = winner_of(comparison.verdict)});
    curve.pairs.push_back(pairs_of(points[i]));
    curve.all_paired = curve.all_paired && comparison.design == Design::paired;
    curve.too_few = curve.too_few || comparison.reason == NoEvidence::too_few_launches;
  }
  std::vector<Crossover> crossovers;
  for (Gathered& curve : curves) {
    if (curve.sizes.size() > 1) crossovers.push_back(finish(std::move(curve), level));
  }
  return crossovers;
}

}  // namespace hockney::verdicts
