#include "selection/fewest_rules.hpp"

#include <algorithm>
#include <compare>

namespace hockney {
namespace {

/// What a sequence of options costs.
struct Cost {
  int changes = 0;
  double regret = 0;

  friend auto operator<=>(const Cost&, const Cost&) = default;
};

/// The cheapest way to end in one option of a point.
struct Path {
  Option option;
  Choice choice;
  Cost cost;
  std::size_t before = 0;  ///< index among the options of the point before
};

Choice choice_of(const TunedPoint& point, const Option& option) {
  return option.candidate == nullptr ? point.base : option.candidate->choice;
}

Path extended(const std::vector<Path>& before, const TunedPoint& point, const Option& option) {
  Path best{.option = option, .choice = choice_of(point, option)};
  bool is_first = true;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const int change = before[i].choice == best.choice ? 0 : 1;
    const Cost cost{before[i].cost.changes + change, before[i].cost.regret + option.regret};
    if (!is_first && best.cost <= cost) continue;
    best.cost = cost;
    best.before = i;
    is_first = false;
  }
  if (before.empty()) best.cost.regret = option.regret;
  return best;
}

std::size_t cheapest(const std::vector<Path>& paths) {
  const auto best =
      std::ranges::min_element(paths, [](const Path& a, const Path& b) { return a.cost < b.cost; });
  return static_cast<std::size_t>(best - paths.begin());
}

}  // namespace

std::vector<Option> options_at(const TunedPoint& point, double most_regret) {
  std::vector<Option> options{{nullptr, 1}};
  double best = 1;
  for (const Candidate& candidate : point.candidates) {
    if (!candidate.shown) continue;
    options.push_back({&candidate, candidate.ratio});
    best = std::min(best, candidate.ratio);
  }
  for (Option& option : options) option.regret = option.regret / best - 1;
  std::erase_if(options, [&](const Option& option) { return option.regret > most_regret; });
  return options;
}

std::vector<Option> fewest_rules(std::span<const TunedPoint> curve, double most_regret) {
  std::vector<std::vector<Path>> steps;
  for (const TunedPoint& point : curve) {
    const std::vector<Path> before = steps.empty() ? std::vector<Path>() : steps.back();
    std::vector<Path>& here = steps.emplace_back();
    for (const Option& option : options_at(point, most_regret)) {
      here.push_back(extended(before, point, option));
    }
  }
  std::vector<Option> chosen(curve.size());
  std::size_t index = steps.empty() ? 0 : cheapest(steps.back());
  for (std::size_t i = steps.size(); i > 0; --i) {
    const Path& path = steps[i - 1][index];
    chosen[i - 1] = path.option;
    index = path.before;
  }
  return chosen;
}

}  // namespace hockney
