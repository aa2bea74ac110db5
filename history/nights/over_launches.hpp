#pragma once

#include <optional>
#include <vector>

#include "core/statistics.hpp"
#include "history/night.hpp"

namespace hockney {

/// The median of one number per launch with its interval; nullopt where it is not above 0, since
/// changes of series are ratios.
inline std::optional<NightlyValue> over_launches(const std::vector<double>& of_launches) {
  const std::optional<double> middle = median(of_launches);
  if (!middle || *middle <= 0) return std::nullopt;
  return NightlyValue{.value = *middle,
                      .interval = quantile_interval(of_launches),
                      .launches = of_launches.size(),
                      .environment = {}};
}

/// Adds the figure where there is a value.
inline void add_figure(std::vector<NightFigure>& figures, SeriesKind kind,
                       std::optional<NightlyValue> value) {
  if (value) figures.push_back({.series = std::move(kind), .value = std::move(*value)});
}

}  // namespace hockney
