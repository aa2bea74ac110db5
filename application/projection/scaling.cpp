#include "application/projection/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <utility>

#include "core/error.hpp"
#include "models/collectives/nnls.hpp"

namespace hockney::projection {
namespace {

/// Seconds by ranks.
using Times = std::map<int, double>;

ScalingLaw law_of(const Times& times, Problem problem) {
  std::vector<collectives::Equation> equations;
  equations.reserve(times.size());
  for (const auto& [ranks, seconds] : times) {
    collectives::Equation equation{
        .row = {1, std::log2(ranks)}, .value = seconds, .scale = seconds};
    if (problem == Problem::same) equation.row.insert(equation.row.begin() + 1, 1.0 / ranks);
    equations.push_back(std::move(equation));
  }
  const auto fit = collectives::fit_non_negative(equations);
  if (!fit) return {};
  if (problem == Problem::grows) return {fit->solution[0], 0, fit->solution[1]};
  return {fit->solution[0], fit->solution[1], fit->solution[2]};
}

/// Times of each block, and their medians.
struct Blocks {
  std::map<int, Times> by_block;
  Times medians;

  /// Values of one number of ranks in all blocks.
  template <class Value>
  [[nodiscard]] std::vector<double> over_blocks(Value value) const {
    std::vector<double> values;
    values.reserve(by_block.size());
    for (const auto& [number, times] : by_block) values.push_back(value(times));
    return values;
  }
};

Blocks blocks_of(std::span<const ScalingTime> times) {
  Blocks blocks;
  for (const ScalingTime& time : times) {
    blocks.by_block[time.block][time.ranks] = time.seconds;
    blocks.medians[time.ranks] = 0;
  }
  if (blocks.medians.size() < 2) {
    throw InputError({"nothing scales", "the program ran at one number of ranks",
                      "name two or more with --ranks"});
  }
  for (const auto& [number, block] : blocks.by_block) {
    if (block.size() == blocks.medians.size()) continue;
    throw InputError({"block " + std::to_string(number) + " is not whole",
                      "it lacks a number of ranks", "leave it out"});
  }
  for (auto& [ranks, seconds] : blocks.medians) {
    seconds = median_of_some(
        blocks.over_blocks([&ranks = ranks](const Times& block) { return block.at(ranks); }));
  }
  return blocks;
}

ScalingPoint point_of(const Blocks& blocks, int ranks, const std::vector<double>& seconds,
                      Problem problem) {
  const auto& [fewest, reference] = *blocks.medians.begin();
  const double median = median_of_some(seconds);
  const double share = problem == Problem::same ? static_cast<double>(fewest) / ranks : 1;
  return {.ranks = ranks,
          .is_measured = blocks.medians.contains(ranks),
          .seconds = median,
          .interval_seconds = quantile_interval(seconds),
          .efficiency = reference * share / median};
}

/// Those that were measured, and so many doublings of the most ranks.
std::vector<ScalingPoint> points_of(const Blocks& blocks, int doublings, Problem problem) {
  std::vector<ScalingPoint> points;
  int ranks = 0;
  for (const int measured : blocks.medians | std::views::keys) {
    ranks = measured;
    const auto seconds = blocks.over_blocks([&](const Times& block) { return block.at(measured); });
    points.push_back(point_of(blocks, measured, seconds, problem));
  }
  for (int i = 0; i < doublings; ++i) {
    ranks *= 2;
    const auto seconds = blocks.over_blocks(
        [&](const Times& block) { return law_of(block, problem).seconds(ranks); });
    points.push_back(point_of(blocks, ranks, seconds, problem));
  }
  return points;
}

/// Of the law of all others.
double error_at_most_ranks(Times times, Problem problem) {
  const auto most = std::prev(times.end());
  const auto [ranks, seconds] = *most;
  times.erase(most);
  return law_of(times, problem).seconds(ranks) / seconds - 1;
}

}  // namespace

double ScalingLaw::seconds(int ranks) const {
  return constant_seconds + divided_seconds / ranks + doubled_seconds * std::log2(ranks);
}

ScalingStudy study_scaling(std::span<const ScalingTime> times, double efficiency, int doublings,
                           Problem problem) {
  const bool is_share = efficiency > 0 && efficiency <= 1;
  if (!is_share) {
    throw InputError({"bad efficiency", "it is a share of 1 above 0", "write it like 0.7"});
  }
  const Blocks blocks = blocks_of(times);
  constexpr std::size_t for_a_law = 3;
  const bool has_law = blocks.medians.size() >= for_a_law;
  ScalingStudy study;
  study.points = points_of(blocks, has_law ? doublings : 0, problem);
  if (has_law) study.law = law_of(blocks.medians, problem);
  if (blocks.medians.size() > for_a_law)
    study.held_out_error = error_at_most_ranks(blocks.medians, problem);
  const auto best =
      std::find_if(study.points.rbegin(), study.points.rend(),
                   [&](const ScalingPoint& point) { return point.efficiency >= efficiency; });
  if (best != study.points.rend()) study.best = *best;
  return study;
}

}  // namespace hockney::projection
