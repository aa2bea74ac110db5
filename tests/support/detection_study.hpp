#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "components/health/detection/calibrate.hpp"
#include "tests/support/night_detectors.hpp"
#include "tests/support/nightly_noise.hpp"
#include "verdicts/self_test.hpp"

namespace hockney {

using AlarmsOf = std::function<Alarms(std::span<const double>)>;

struct FalseAlarms {
  health::YearlyRate up;
  health::YearlyRate down;
};

/// Alarms of series in which nothing happens: a year each, after 30 nights.
inline FalseAlarms study_false_alarms(const AlarmsOf& detector, NightlyTruth truth, int years,
                                      std::uint64_t seed) {
  std::mt19937_64 random(seed);
  FalseAlarms found;
  for (int year = 0; year < years; ++year) {
    const Alarms alarms = detector(synthetic_nights(truth, random));
    found.up.events += alarms.up.size();
    found.down.events += alarms.down.size();
  }
  found.up.series_years = found.down.series_years = years;
  return found;
}

/// How a planted rise was found.
struct Found {
  verdicts::Rate within_14;
  std::optional<double> median_nights;  ///< until known, 1 = the first night; nullopt: most never
};

/// A rise on a random night of the year. Found is the first alarm from that night on; where a false
/// alarm is still open then, nothing is found any more.
inline Found study_rise(const AlarmsOf& detector, NightlyTruth truth, int years,
                        std::uint64_t seed) {
  constexpr std::size_t followed = 60;
  constexpr double never = std::numeric_limits<double>::max();
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::size_t> night(31, 330);
  Found found;
  std::vector<double> delays;
  for (int year = 0; year < years; ++year) {
    truth.change_from = night(random);
    truth.nights = truth.change_from + followed;
    const Alarms alarms = detector(synthetic_nights(truth, random));
    const auto first = std::ranges::lower_bound(alarms.up, truth.change_from);
    const double delay =
        first == alarms.up.end() ? never : static_cast<double>(*first - truth.change_from + 1);
    delays.push_back(delay);
    found.within_14.hits += delay <= 14;
    ++found.within_14.trials;
  }
  std::ranges::nth_element(delays, delays.begin() + years / 2);
  const double median = delays[static_cast<std::size_t>(years / 2)];
  if (median < never) found.median_nights = median;
  return found;
}

}  // namespace hockney
