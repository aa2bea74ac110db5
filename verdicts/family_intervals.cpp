#include "verdicts/family_intervals.hpp"

#include <algorithm>
#include <cmath>

#include "verdicts/power.hpp"

namespace hockney::verdicts {
namespace {

std::vector<double> values_in(const std::vector<LaunchLog>& launches) {
  std::vector<double> values;
  values.reserve(launches.size());
  for (const LaunchLog& launch : launches) values.push_back(launch.value);
  return values;
}

double shift_of(const Contrast& contrast) {
  const std::vector<double> b = values_in(contrast.b);
  if (contrast.a.empty()) return hodges_lehmann(b).value_or(0);
  return hodges_lehmann_shift(b, values_in(contrast.a)).value_or(0);
}

/// The launches without the differences found.
std::vector<Contrast> residues(std::span<const Contrast> family) {
  std::vector<Contrast> centred(family.begin(), family.end());
  for (Contrast& contrast : centred) {
    const double shift = shift_of(contrast);
    for (LaunchLog& launch : contrast.b) launch.value -= shift;
  }
  return centred;
}

/// The farthest shift from `centre` in one direction (1 or -1) at which the statistic is at most
/// `critical`; nullopt where it is at every shift.
std::optional<double> farthest(const Contrast& contrast, double centre, double direction,
                               double critical) {
  constexpr int doublings = 60;
  constexpr int halvings = 60;
  constexpr double first_step = 1e-6;
  const auto is_refused = [&](double shift) {
    return -direction * statistic_of(contrast, shift) > critical;
  };
  double inside = centre;
  double outside = centre + direction * first_step;
  for (int i = 0; !is_refused(outside); ++i) {
    if (i == doublings) return std::nullopt;
    inside = outside;
    outside = centre + 2 * (outside - centre);
  }
  for (int i = 0; i < halvings; ++i) {
    const double middle = (inside + outside) / 2;
    (is_refused(middle) ? outside : inside) = middle;
  }
  return inside;
}

}  // namespace

Interval agreeing(Interval shifts, double margin, Shown shown) {
  if (shown == Shown::above) {
    shifts.low = std::max(shifts.low, margin);
    shifts.high = std::max(shifts.high, shifts.low);
  } else if (shown == Shown::below) {
    shifts.high = std::min(shifts.high, -margin);
    shifts.low = std::min(shifts.low, shifts.high);
  } else {
    shifts.low = std::min(shifts.low, margin);
    shifts.high = std::max(shifts.high, -margin);
  }
  return shifts;
}

std::vector<std::optional<Interval>> family_intervals(std::span<const Contrast> family,
                                                      const FamilyTest& test, double alpha,
                                                      Alternative alternative) {
  std::vector<std::optional<Interval>> intervals(family.size());
  const auto critical = critical_value(test, alpha);
  if (!critical) return intervals;
  const std::vector<Contrast> centred = residues(family);
  const double by_chance =
      std::max(*critical, *critical_value(max_t(centred, 0, alternative), alpha));
  for (std::size_t i = 0; i < family.size(); ++i) {
    const double centre = shift_of(family[i]);
    const auto low = farthest(family[i], centre, -1, by_chance);
    const auto high = farthest(family[i], centre, 1, by_chance);
    if (low && high) intervals[i] = Interval{*low, *high, 1 - alpha};
  }
  return intervals;
}

}  // namespace hockney::verdicts
