#include "verdicts/strata.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <vector>

#include "core/statistics.hpp"

namespace hockney::verdicts {
namespace {

States states_of(const SideTimes& side) {
  States states;
  for (const LaunchTime& launch : side.launches) states.insert(launch.state);
  return states;
}

std::vector<LaunchLog> logarithms(const SideTimes& side, const States& states) {
  std::vector<LaunchLog> logs;
  std::map<int, std::size_t> numbers;
  for (const LaunchTime& launch : side.launches) {
    if (!states.contains(launch.state)) continue;
    logs.push_back({numbers[launch.state]++, std::log(launch.seconds),
                    static_cast<std::size_t>(launch.state)});
  }
  return logs;
}

/// Subtracts the location of each stratum, so that launches of all strata can be compared. The
/// difference of the sides, the median over all pairs within a stratum, remains.
void align(Contrast& contrast) {
  std::vector<double> differences;
  for (const LaunchLog& a : contrast.a) {
    for (const LaunchLog& b : contrast.b) {
      if (a.stratum == b.stratum) differences.push_back(b.value - a.value);
    }
  }
  const double shift = median(differences).value_or(0);
  std::map<std::size_t, std::vector<double>> values;
  for (const LaunchLog& a : contrast.a) values[a.stratum].push_back(a.value);
  for (const LaunchLog& b : contrast.b) values[b.stratum].push_back(b.value - shift);
  for (std::vector<LaunchLog>* side : {&contrast.a, &contrast.b}) {
    for (LaunchLog& one : *side) one.value -= median_of_some(values[one.stratum]);
  }
}

}  // namespace

bool has_states(const MatchedPoint& point) {
  States states = states_of(point.a);
  states.merge(states_of(point.b));
  return states.size() > 1 && !states.contains(0);
}

States common_states(const MatchedPoint& point) {
  States common;
  if (!has_states(point)) return common;
  std::ranges::set_intersection(states_of(point.a), states_of(point.b),
                                std::inserter(common, common.begin()));
  return common;
}

Contrast stratified(const MatchedPoint& point, const States& states, std::size_t sides) {
  Contrast contrast{
      .a = logarithms(point.a, states), .b = logarithms(point.b, states), .sides = sides};
  align(contrast);
  return contrast;
}

SideTimes in_usual_state(const SideTimes& side, const MatchedPoint& point, const States& states) {
  if (states.empty()) return side;
  std::map<int, std::size_t> counts;
  for (const SideTimes* times : {&point.a, &point.b}) {
    for (const LaunchTime& launch : times->launches) {
      if (states.contains(launch.state)) ++counts[launch.state];
    }
  }
  const int usual =
      std::ranges::max_element(counts, {}, &std::pair<const int, std::size_t>::second)->first;
  SideTimes own = side;
  std::erase_if(own.launches, [&](const LaunchTime& launch) { return launch.state != usual; });
  return own;
}

}  // namespace hockney::verdicts
