#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "components/health/detection/check.hpp"

namespace hockney::health {

inline constexpr std::int64_t first_day = 20000;

/// +-1 %, in a fixed order without dependence.
inline double quiet_deviation(std::size_t night) {
  constexpr double pattern[] = {1, -1, -1, 1, 0, 1, 0, -1, -1, 0, 1};
  return 0.01 * pattern[night % std::size(pattern)];
}

/// `nights` quiet nights about `level`, one a day.
inline NightlySeries quiet_series(const std::string& name, std::size_t nights,
                                  double level = 1e-6) {
  NightlySeries series;
  series.name = name;
  series.unit = "seconds";
  for (std::size_t i = 0; i < nights; ++i) {
    NightlyValue night;
    night.day = first_day + static_cast<std::int64_t>(i);
    night.value = level * (1 + quiet_deviation(i));
    night.launches = 8;
    night.environment = "same";
    series.nights.push_back(night);
  }
  return series;
}

/// Multiplies the nights from `night` up to `end`.
inline NightlySeries shifted(NightlySeries series, std::size_t night, double ratio,
                             std::size_t end = 100000) {
  for (std::size_t i = night; i < series.nights.size() && i < end; ++i) {
    series.nights[i].value *= ratio;
  }
  return series;
}

inline SeriesHealth check_one(const NightlySeries& series, const CheckOptions& options = {}) {
  return check_series(std::vector<NightlySeries>{series}, options).front();
}

}  // namespace hockney::health
