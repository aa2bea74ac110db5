#include "verdicts/crossovers.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace hockney {
namespace {

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

}  // namespace hockney
