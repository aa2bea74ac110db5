#include "models/projection/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include "core/error.hpp"
#include "models/collectives/nnls.hpp"

namespace hockney::projection {
namespace {

/// Seconds by ranks.
using Times = std::map<int, double>;

ScalingLaw law_of(const Times& times) {
  std::vector<collectives::Equation> equations;
  equations.reserve(times.size());
  for (const auto& [ranks, seconds] : times) {
    equations.push_back(
        {.row = {1, 1.0 / ranks, std::log2(ranks)}, .value = seconds, .scale = seconds});
  }
  const auto fit = collectives::fit_non_negative(equations);
  if (!fit) return {};
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

}  // namespace

double ScalingLaw::seconds(int ranks) const {
  return constant_seconds + divided_seconds / ranks + doubled_seconds * std::log2(ranks);
}

ScalingStudy study_scaling(std::span<const ScalingTime> times, double efficiency, int doublings) {
  const bool is_share = efficiency > 0 && efficiency <= 1;
  if (!is_share) {
    throw InputError({"bad efficiency", "it is a share of 1 above 0", "write it like 0.7"});
  }
  const Blocks blocks = blocks_of(times);
  ScalingStudy study;
  constexpr std::size_t for_a_law = 3;
  if (blocks.medians.size() >= for_a_law) study.law = law_of(blocks.medians);
  const auto add = [&](int ranks, bool is_measured, const std::vector<double>& seconds) {
    const auto& [fewest, reference] = *blocks.medians.begin();
    const double median = median_of_some(seconds);
    study.points.push_back({.ranks = ranks,
                            .is_measured = is_measured,
                            .seconds = median,
                            .interval_seconds = quantile_interval(seconds),
                            .efficiency = reference * fewest / (median * ranks)});
  };
  for (const int ranks : blocks.medians | std::views::keys) {
    add(ranks, true, blocks.over_blocks([&](const Times& block) { return block.at(ranks); }));
  }
  int ranks = study.points.back().ranks;
  for (int i = 0; study.law && i < doublings; ++i) {
    ranks *= 2;
    add(ranks, false,
        blocks.over_blocks([&](const Times& block) { return law_of(block).seconds(ranks); }));
  }
  if (blocks.medians.size() > for_a_law) {
    Times others = blocks.medians;
    const auto most = std::prev(others.end());
    const auto [left_out, seconds] = *most;
    others.erase(most);
    study.held_out_error = law_of(others).seconds(left_out) / seconds - 1;
  }
  for (const ScalingPoint& point : study.points) {
    if (point.efficiency >= efficiency) study.best = point;
  }
  return study;
}

}  // namespace hockney::projection
