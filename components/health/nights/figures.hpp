#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "components/health/history/database.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"
#include "models/curves.hpp"

namespace hockney::health {

/// The median of one number per launch, with its interval. nullopt if it is not above 0, since
/// changes of series are ratios.
inline std::optional<NightlyValue> over_launches(const std::vector<double>& of_launches) {
  const std::optional<double> middle = median(of_launches);
  if (!middle || *middle <= 0) return std::nullopt;
  return NightlyValue{.value = *middle,
                      .interval = quantile_interval(of_launches),
                      .launches = of_launches.size(),
                      .environment = {}};
}

/// The last printed digit of values from another suite's output: the largest power of ten of which
/// all are multiples, or halves of multiples (medians of two) [unit of the values]. At most `usual`
/// for one or two different values, whose last digits may all be 0. nullopt for values that were
/// not printed, or with six digits more than the smallest needs.
std::optional<double> printed_digit(std::span<const double> values, double usual);

/// Adds a figure if it has a value.
inline void add_figure(std::vector<NightFigure>& figures, SeriesKind kind,
                       std::optional<NightlyValue> value) {
  if (value) figures.push_back({.series = std::move(kind), .value = std::move(*value)});
}

/// Figures of one setting's curves in one night, by operation and point:
///   seconds                 median over launches, one series for each size
///   bytes_per_second        instead of seconds, for windows of messages
///   alpha_seconds           startup of the first fitted segment (small messages)
///   beta_seconds_per_byte   of the last fitted segment (large messages);
///                           alpha and beta of each segment, if there are several
///   spread                  run to run: differences of launches common to all sizes [ratio]
///   calm_share              samples that are no outliers / counted samples [ratio]
/// Intervals are over launches, and contain the rounding of imported values (half_digit). Pairs of
/// one hop class are one series. Operations without MPI
/// (floors) are controls. `curves` are those of the launches, by hop class.
std::vector<NightFigure> curve_figures(std::span<const Record> launches,
                                       const models::Curves& curves, const std::string& setting);

/// The planned series of one setting that have no value among `figures`, with the reason of the
/// first launch: points that launches died at or did not reach, void ones, and unknown limits.
std::vector<Absence> absences(std::span<const Record> launches, const std::string& setting,
                              std::span<const NightFigure> figures);

// Operations of series of machine probes, bandwidths of a host beside MPI.
inline constexpr const char* memory_figure = "memory-bandwidth";   // key `cores`
inline constexpr const char* to_device_figure = "host-to-device";  // key `device`
inline constexpr const char* from_device_figure = "device-to-host";

/// Whether the operation is one of the machine's floors, which do not involve MPI.
bool is_floor(const std::string& operation);

/// One figure for each node at each point: the ratio of its pairs' times to those of a usual node
/// that night (`node_ratio`). So a node that degrades slowly is found like any other change. Points
/// whose pairs do not determine node effects give none.
std::vector<NightFigure> node_figures(std::span<const fleet::NightPair> pairs);

/// The series of a node in node_figures(): "pingpong/bytes=8 host=hx2/node_ratio".
std::string node_series_name(const std::string& point, const std::string& host);

/// Figures of one setting besides its curves: eager limits by hop class, and memory of ranks by
/// moment. Controls are the time of the noise probe, the cost of reading the clock, and the cache
/// lines and copies of the machine probes.
std::vector<NightFigure> other_figures(std::span<const Record> launches,
                                       const std::string& setting);

/// Ratio of a loaded setting's times to those of an idle one, by point [ratio]. The figures are
/// series of the loaded setting.
std::vector<NightFigure> congestion_figures(const models::Curves& loaded,
                                            const models::Curves& idle,
                                            const std::string& loaded_setting);

}  // namespace hockney::health
