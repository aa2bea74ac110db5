#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "health/history/database.hpp"
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

/// One figure for each node at each point: how many times longer its pairs take than those of a
/// usual node that night (`node_ratio`), so that a node which degrades slowly is found like any
/// other change. Points whose pairs cannot be told apart into nodes give none.
std::vector<NightFigure> node_figures(std::span<const fleet::NightPair> pairs);

/// The series of a node among those figures: "pingpong/bytes=8 host=hx2/node_ratio".
std::string node_series_name(const std::string& point, const std::string& host);

/// What one setting says beside its curves: eager limits by hop class, memory of ranks by moment,
/// and as controls the time of the spin beside every block and the cost of reading the clock.
std::vector<NightFigure> other_figures(std::span<const Record> launches,
                                       const std::string& setting);

/// How many times longer the points of a loaded setting take than those of an idle one [ratio], as
/// series of the loaded one.
std::vector<NightFigure> congestion_figures(const models::Curves& loaded,
                                            const models::Curves& idle,
                                            const std::string& loaded_setting);

}  // namespace hockney::health
