#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "health/history/night.hpp"
#include "models/curves.hpp"

namespace hockney::health {

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

/// What the curves of one setting say in one night, by operation and point:
///   seconds              median over launches, one series for each size
///   bytes_per_second     in its place where a window of messages is timed
///   alpha_seconds        startup of the first segment of the fitted model, the small messages'
///   beta_seconds_per_byte  of its last segment, the large messages'
///                        and both of every segment, where there are several
///   spread               run to run: how far launches differ in all sizes alike [ratio]
///   undisturbed_fraction           samples that are no outliers, of all that count [ratio]
/// Intervals are those over launches. Pairs of one hop class are one series. Operations without MPI
/// (floors) are controls. `curves` are those of the launches, by hop class.
std::vector<NightFigure> curve_figures(std::span<const Record> launches,
                                       const models::Curves& curves, const std::string& setting);

/// Is it one of the machine's floors, which MPI has no part in?
bool is_floor(const std::string& operation);

}  // namespace hockney::health
