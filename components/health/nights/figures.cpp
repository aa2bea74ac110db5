#include "components/health/nights/figures.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "components/health/detection/detector.hpp"
#include "core/faults.hpp"
#include "core/point.hpp"
#include "core/samples.hpp"
#include "core/suite_names.hpp"
#include "models/fit_set.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::health {
namespace {

/// Name of a series' curve; pairs of one hop class share it.
std::string pooled_name(Point point) {
  if (point.hop) point.pair.clear();
  return curve_name(point);
}

std::string sized_name(const Point& point, Bytes size) {
  return fmt::format("{} {}", pooled_name(point), size.value);
}

constexpr double microsecond_digit = 1e-8;  // suites print two decimals of a microsecond
constexpr double bandwidth_digit = 1e4;     // and of a MB/s

/// The value with the rounding of its launches.
std::optional<NightlyValue> rounded(std::optional<NightlyValue> value,
                                    std::optional<double> half_digit) {
  if (!value || !half_digit || *half_digit <= 0) return value;
  value->half_digit = half_digit;
  if (value->interval) {
    value->interval->low = std::max(0.0, value->interval->low - *half_digit);
    value->interval->high += *half_digit;
  }
  return value;
}

/// The figures of one curve.
class CurveFigures {
 public:
  CurveFigures(const models::Curve& curve, const std::string& setting, bool imported)
      : curve_(curve), keys_(series_keys(curve.point)), imported_(imported) {
    if (!setting.empty()) keys_["setting"] = setting;
  }

  void add_times(const std::map<std::string, std::int64_t>& counted_bytes) {
    const bool is_bandwidth = is_windowed() && !counted_bytes.empty();
    if (imported_) half_digit_ = half_digit_of(is_bandwidth ? bandwidths(counted_bytes) : times());
    for (std::size_t i = 0; i < curve_.sizes.size(); ++i) {
      const Bytes size = curve_.sizes[i];
      const auto bytes = counted_bytes.find(sized_name(curve_.point, size));
      if (is_windowed() && bytes != counted_bytes.end() && bytes->second > 0) {
        add_bandwidth(size, static_cast<double>(bytes->second), column(i));
      } else {
        add(at(size), "seconds", "seconds", rounded(over_launches(column(i)), half_digit_));
      }
    }
  }

  void add_model() {
    if (is_floor(curve_.point.operation) || curve_.point.parameters.contains("window")) return;
    const auto outcome = fit_curve(curve_);
    const models::Fit* fit = std::get_if<models::Fit>(&outcome);
    if (fit == nullptr) return;
    add_alpha(keys_, fit->segments.front());
    add_beta(keys_, fit->segments.back());
    if (fit->segments.size() == 1) return;
    for (std::size_t k = 0; k < fit->segments.size(); ++k) {
      auto keys = keys_;
      keys["segment"] = fmt::format("{}of{}", k + 1, fit->segments.size());
      add_alpha(keys, fit->segments[k]);
      add_beta(keys, fit->segments[k]);
    }
  }

  void add_spread() {
    if (is_floor(curve_.point.operation)) return;
    add(keys_, "spread", "ratio",
        rounded(as_value(run_to_run_spread(launch_levels())), rounding_of_levels()));
  }

  void add_undisturbed_fraction(std::span<const LaunchOutliers> launches) {
    if (is_floor(curve_.point.operation)) return;
    std::optional<Figure> rate = outlier_rate(launches);
    if (!rate) return;
    const auto rest = [](const Interval& of) {
      return Interval{.low = 1 - of.high, .high = 1 - of.low, .level = of.level};
    };
    rate->value = 1 - rate->value;
    if (rate->interval) rate->interval = rest(*rate->interval);
    add(keys_, "calm_share", "ratio", as_value(rate), WorseWhen::smaller);
  }

  [[nodiscard]] std::vector<NightFigure> take() { return std::move(figures_); }

 private:
  using Keys = std::map<std::string, std::string>;

  [[nodiscard]] Keys at(Bytes size) const {
    Keys keys = keys_;
    keys["bytes"] = std::to_string(size.value);
    return keys;
  }

  [[nodiscard]] bool is_windowed() const { return curve_.point.parameters.contains("window"); }

  /// All times [s].
  [[nodiscard]] std::vector<double> times() const {
    std::vector<double> all;
    for (std::size_t i = 0; i < curve_.sizes.size(); ++i) {
      const std::vector<double> of_size = column(i);
      all.insert(all.end(), of_size.begin(), of_size.end());
    }
    return all;
  }

  /// All bandwidths [B/s].
  [[nodiscard]] std::vector<double> bandwidths(
      const std::map<std::string, std::int64_t>& counted_bytes) const {
    std::vector<double> all;
    for (std::size_t i = 0; i < curve_.sizes.size(); ++i) {
      const auto bytes = counted_bytes.find(sized_name(curve_.point, curve_.sizes[i]));
      if (bytes == counted_bytes.end()) continue;
      for (const double time : column(i)) all.push_back(static_cast<double>(bytes->second) / time);
    }
    return all;
  }

  [[nodiscard]] std::optional<double> half_digit_of(std::span<const double> values) const {
    const auto digit = printed_digit(values, is_windowed() ? bandwidth_digit : microsecond_digit);
    return digit ? std::optional(*digit / 2) : std::nullopt;
  }

  /// The largest change of a launch's level by rounding [ratio].
  [[nodiscard]] std::optional<double> rounding_of_levels() const {
    const std::vector<double> all = times();
    if (!half_digit_ || all.empty() || is_windowed()) return std::nullopt;
    return *half_digit_ / std::ranges::min(all);
  }

  /// The largest change of the slope by rounding [s/B].
  [[nodiscard]] std::optional<double> rounding_of_slope() const {
    const auto [least, most] = std::ranges::minmax(curve_.sizes);
    if (!half_digit_ || least == most) return std::nullopt;
    return 2 * *half_digit_ / static_cast<double>(most.value - least.value);
  }

  [[nodiscard]] std::vector<double> column(std::size_t size) const {
    std::vector<double> times;
    for (const auto& launch : curve_.medians_seconds) {
      const auto& time = launch[size];
      if (time) times.push_back(*time);
    }
    return times;
  }

  /// Factor by which each launch exceeds the others, common to all sizes.
  [[nodiscard]] std::vector<double> launch_levels() const {
    std::vector<double> usual;
    for (std::size_t i = 0; i < curve_.sizes.size(); ++i) {
      usual.push_back(median(column(i)).value_or(1));
    }
    std::vector<double> levels;
    for (const auto& launch : curve_.medians_seconds) {
      std::vector<double> ratios;
      for (std::size_t i = 0; i < launch.size(); ++i) {
        const auto& time = launch[i];
        if (time) ratios.push_back(*time / usual[i]);
      }
      if (const auto level = median(ratios)) levels.push_back(*level);
    }
    return levels;
  }

  static std::optional<NightlyValue> as_value(const std::optional<Figure>& figure) {
    if (!figure || figure->value <= 0) return std::nullopt;
    return NightlyValue{.value = figure->value,
                        .interval = figure->interval,
                        .launches = figure->launches,
                        .environment = {}};
  }

  void add(const Keys& keys, const std::string& figure, const std::string& unit,
           std::optional<NightlyValue> value, WorseWhen worse = WorseWhen::larger) {
    const SeriesName name{.operation = curve_.point.operation, .keys = keys, .figure = figure};
    const SeriesRole role =
        is_floor(curve_.point.operation) ? SeriesRole::control : SeriesRole::subject;
    add_figure(figures_, {.name = name.text(), .unit = unit, .role = role, .worse = worse},
               std::move(value));
  }

  void add_bandwidth(Bytes size, double bytes, std::vector<double> times) {
    for (double& time : times) time = bytes / time;
    add(at(size), "bytes_per_second", "bytes_per_second",
        rounded(over_launches(times), half_digit_), WorseWhen::smaller);
  }

  void add_alpha(const Keys& keys, const models::Segment& segment) {
    add_fitted(keys, "alpha_seconds", "seconds", segment.line.alpha_seconds, segment.alpha_seconds,
               half_digit_);
  }

  void add_beta(const Keys& keys, const models::Segment& segment) {
    add_fitted(keys, "beta_seconds_per_byte", "seconds_per_byte",
               segment.line.beta_seconds_per_byte, segment.beta_seconds_per_byte,
               rounding_of_slope());
  }

  void add_fitted(const Keys& keys, const std::string& figure, const std::string& unit,
                  double value, const std::optional<Interval>& interval,
                  std::optional<double> half_digit) {
    if (value <= 0) return;
    add(keys, figure, unit,
        rounded(NightlyValue{.value = value,
                             .interval = interval,
                             .launches = curve_.medians_seconds.size(),
                             .environment = {}},
                half_digit));
  }

  const models::Curve& curve_;
  Keys keys_;
  bool imported_;                     ///< from printed values
  std::optional<double> half_digit_;  ///< of times [s], or of bandwidths [B/s]
  std::vector<NightFigure> figures_;
};

/// Bytes by curve and size; outliers by curve, launch by launch.
struct Counts {
  std::map<std::string, std::int64_t> bytes;
  std::map<std::string, std::vector<LaunchOutliers>> outliers;
};

Counts count(std::span<const Record> launches) {
  Counts counts;
  for (const Record& record : launches) {
    std::map<std::string, LaunchOutliers> of_launch;
    for (const Series& series : record.series) {
      if (fault_of(record, series)) continue;
      const std::string curve = pooled_name(series.point);
      counts.bytes[sized_name(series.point, series.point.bytes)] = series.bytes_per_sample;
      if (!series.summary.outliers) continue;
      of_launch[curve].outliers += static_cast<std::size_t>(series.summary.outliers->count);
      of_launch[curve].samples += counted(series).number;
    }
    for (const auto& [curve, outliers] : of_launch) counts.outliers[curve].push_back(outliers);
  }
  return counts;
}

using Reasons = std::map<std::string, std::string>;  ///< by name of the series

/// A point's series, as CurveFigures names them.
std::string name_of_series(Point point, const std::string& setting, const std::string& figure) {
  if (point.hop) point.pair.clear();
  point.algorithm.reset();
  SeriesName name{.operation = point.operation, .keys = series_keys(point), .figure = figure};
  name.keys["bytes"] = std::to_string(point.bytes.value);
  if (!setting.empty()) name.keys["setting"] = setting;
  return name.text();
}

void add_reason(Reasons& reasons, const Point& point, const std::string& setting,
                std::string_view reason) {
  reasons.try_emplace(name_of_series(point, setting, "seconds"), reason);
  if (!point.parameters.contains("window")) return;
  reasons.try_emplace(name_of_series(point, setting, "bytes_per_second"), reason);
}

void add_reasons(Reasons& reasons, const Record& record, const std::string& setting) {
  for (const PlannedPoint& planned : record.points) {
    if (!planned.reason.empty()) add_reason(reasons, planned.point, setting, planned.reason);
  }
  for (const Series& series : record.series) {
    if (const auto fault = fault_of(record, series)) {
      add_reason(reasons, series.point, setting, cause_of(*fault));
    }
  }
  for (const Protocol& protocol : record.protocols) {
    if (protocol.reason.empty()) continue;
    SeriesName name{.operation = "protocol",
                    .keys = {{"hop", protocol.hop.value_or("unknown")}},
                    .figure = "eager_limit_bytes"};
    if (!setting.empty()) name.keys["setting"] = setting;
    reasons.try_emplace(name.text(), protocol.reason);
  }
}

NightFigure figure_of(const fleet::NodeEffect& node, const std::string& point,
                      std::size_t launches) {
  NightFigure figure{.series = {.name = node_series_name(point, node.host), .unit = "ratio"},
                     .value = {.value = 1 + node.effect, .launches = launches, .environment = {}}};
  if (node.interval) {
    figure.value.interval = Interval{.low = 1 + node.interval->low,
                                     .high = 1 + node.interval->high,
                                     .level = node.interval->level};
  }
  return figure;
}

/// The times of one size, by launch [s].
std::vector<double> times_of(const models::Curve& curve, Bytes size) {
  std::vector<double> times;
  const auto place = std::ranges::find(curve.sizes, size);
  if (place == curve.sizes.end()) return times;
  for (const auto& launch : curve.medians_seconds) {
    const auto& cell = launch[static_cast<std::size_t>(place - curve.sizes.begin())];
    if (cell) times.push_back(*cell);
  }
  return times;
}

using Keys = std::map<std::string, std::string>;

/// One number per launch for several series, by the key that distinguishes them.
using ByKey = std::map<std::string, std::vector<double>>;

/// Properties common to a family of series.
struct SeriesFamily {
  std::string operation;
  std::string key;  ///< distinguishes the series
  std::string figure;
  std::string unit;
  SeriesRole role = SeriesRole::subject;
  WorseWhen worse = WorseWhen::larger;
};

void add(std::vector<NightFigure>& figures, const SeriesFamily& family, const ByKey& values,
         const std::string& setting) {
  for (const auto& [name, of_launches] : values) {
    Keys keys;
    if (!family.key.empty()) keys[family.key] = name;
    if (!setting.empty()) keys["setting"] = setting;
    const SeriesName series{.operation = family.operation, .keys = keys, .figure = family.figure};
    add_figure(
        figures,
        {.name = series.text(), .unit = family.unit, .role = family.role, .worse = family.worse},
        over_launches(of_launches));
  }
}

/// Adds the median of one launch's values to each series.
void add_launch(ByKey& series, const ByKey& of_launch) {
  for (const auto& [name, values] : of_launch) {
    if (const auto middle = median(values)) series[name].push_back(*middle);
  }
}

ByKey limits_of(const Record& record) {
  ByKey limits;
  for (const Protocol& protocol : record.protocols) {
    const bool is_corrupt = std::ranges::count(protocol.flags, corrupt_flag) > 0;
    if (!protocol.eager_limit_bytes || is_corrupt) continue;
    limits[protocol.hop.value_or("unknown")].push_back(
        static_cast<double>(*protocol.eager_limit_bytes));
  }
  return limits;
}

ByKey memory_of(const Record& record) {
  ByKey memory;
  for (const MemoryUse& use : record.memory) {
    memory[use.moment].push_back(static_cast<double>(use.pss_bytes));
  }
  return memory;
}

/// Cache lines of all pairs, or copies of all ranks, at all moments of a launch.
ByKey lines_of(const Record& record) {
  ByKey lines;
  for (const MachineProbe& probe : record.machine) {
    for (const LineProbe& line : probe.lines) lines[""].push_back(line.seconds);
  }
  return lines;
}

ByKey copies_of(const Record& record) {
  ByKey copies;
  for (const MachineProbe& probe : record.machine) {
    for (const RankProbe& rank : probe.ranks) {
      if (rank.copy_bytes_per_second) copies[""].push_back(*rank.copy_bytes_per_second);
    }
  }
  return copies;
}

/// By number of cores.
ByKey memory_rates_of(const Record& record) {
  ByKey rates;
  for (const MachineProbe& probe : record.machine) {
    for (const MemoryProbe& memory : probe.memory) {
      rates[std::to_string(memory.cores)].push_back(memory.bytes_per_second);
    }
  }
  return rates;
}

/// By number of the device.
ByKey device_rates_of(const Record& record, double DeviceProbe::*rate) {
  ByKey rates;
  for (const MachineProbe& probe : record.machine) {
    for (const DeviceProbe& device : probe.devices) {
      rates[std::to_string(device.device)].push_back(device.*rate);
    }
  }
  return rates;
}

ByKey spins_of(const Record& record) {
  ByKey spins;
  for (const Series& series : record.series) {
    auto& all = spins[""];
    all.insert(all.end(), series.noise_probes_seconds.begin(), series.noise_probes_seconds.end());
  }
  return spins;
}

/// Bandwidths of memory and of GPUs.
void add_node_rates(std::vector<NightFigure>& figures, std::span<const Record> launches,
                    const std::string& setting) {
  ByKey memory;
  ByKey to_devices;
  ByKey from_devices;
  for (const Record& record : launches) {
    add_launch(memory, memory_rates_of(record));
    add_launch(to_devices, device_rates_of(record, &DeviceProbe::to_device_bytes_per_second));
    add_launch(from_devices, device_rates_of(record, &DeviceProbe::from_device_bytes_per_second));
  }
  const auto add_rates = [&](const char* operation, const char* key, const ByKey& rates) {
    add(figures,
        {.operation = operation,
         .key = key,
         .figure = "bytes_per_second",
         .unit = "bytes_per_second",
         .worse = WorseWhen::smaller},
        rates, setting);
  };
  add_rates(memory_figure, "cores", memory);
  add_rates(to_device_figure, "device", to_devices);
  add_rates(from_device_figure, "device", from_devices);
}

}  // namespace

std::optional<double> printed_digit(std::span<const double> values, double usual) {
  const std::set<double> different(values.begin(), values.end());
  if (different.empty() || *different.begin() <= 0) return std::nullopt;
  constexpr int most_digits = 6;
  constexpr double tolerance = 1e-4;  // of doubles that were divided by a million
  constexpr std::size_t few = 3;
  const int first = static_cast<int>(std::floor(std::log10(*different.begin()))) + 1;
  for (int exponent = first; exponent > first - most_digits; --exponent) {
    const double digit = std::pow(10.0, exponent);
    if (different.size() < few && digit > usual * (1 + tolerance)) continue;
    const bool is_printed = std::ranges::all_of(different, [&](double value) {
      const double halves = 2 * value / digit;
      return std::abs(halves - std::round(halves)) < tolerance;
    });
    if (is_printed) return digit;
  }
  return std::nullopt;
}

std::vector<Absence> absences(std::span<const Record> launches, const std::string& setting,
                              std::span<const NightFigure> figures) {
  Reasons reasons;
  for (const Record& record : launches) add_reasons(reasons, record, setting);
  for (const NightFigure& figure : figures) reasons.erase(figure.series.name);
  std::vector<Absence> absences;
  for (const auto& [series, reason] : reasons) absences.push_back({series, reason});
  return absences;
}

bool is_floor(const std::string& operation) { return operation.starts_with("floor-"); }

std::vector<NightFigure> curve_figures(std::span<const Record> launches,
                                       const models::Curves& curves, const std::string& setting) {
  const Counts counts = count(launches);
  const bool imported = !launches.empty() && is_imported(launches.front());
  std::vector<NightFigure> figures;
  for (const models::Curve& curve : curves.curves) {
    CurveFigures of_curve(curve, setting, imported);
    of_curve.add_times(counts.bytes);
    of_curve.add_model();
    of_curve.add_spread();
    const auto outliers = counts.outliers.find(pooled_name(curve.point));
    if (outliers != counts.outliers.end()) of_curve.add_undisturbed_fraction(outliers->second);
    for (NightFigure& figure : of_curve.take()) figures.push_back(std::move(figure));
  }
  return figures;
}

std::string node_series_name(const std::string& point, const std::string& host) {
  SeriesName name = parse_series_name(point);
  name.keys["host"] = host;
  name.figure = "node_ratio";
  return name.text();
}

std::vector<NightFigure> node_figures(std::span<const fleet::NightPair> pairs) {
  std::map<std::string, std::vector<fleet::NightlyPair>> points;
  for (const fleet::NightPair& pair : pairs) points[pair.point].push_back(pair.pair);
  std::vector<NightFigure> figures;
  for (const auto& [point, of_point] : points) {
    const fleet::FleetNight night = fleet::judge_fleet(of_point);
    if (night.undecided != fleet::FleetUndecided::none) continue;
    const std::size_t launches =
        std::ranges::min(of_point, {}, &fleet::NightlyPair::launches).launches;
    for (const fleet::NodeEffect& node : night.nodes)
      figures.push_back(figure_of(node, point, launches));
  }
  return figures;
}

std::vector<NightFigure> congestion_figures(const models::Curves& loaded,
                                            const models::Curves& idle,
                                            const std::string& loaded_setting) {
  std::map<std::map<std::string, std::string>, const models::Curve*> by_keys;
  const auto identity = [](const models::Curve& curve) {
    auto keys = series_keys(curve.point);
    keys["operation"] = curve.point.operation;
    return keys;
  };
  for (const models::Curve& curve : idle.curves) by_keys[identity(curve)] = &curve;
  std::vector<NightFigure> figures;
  for (const models::Curve& curve : loaded.curves) {
    const auto same = by_keys.find(identity(curve));
    if (same == by_keys.end() || is_floor(curve.point.operation)) continue;
    for (const Bytes size : curve.sizes) {
      const auto factor = congestion_factor(times_of(curve, size), times_of(*same->second, size));
      if (!factor || factor->value <= 0) continue;
      auto keys = series_keys(curve.point);
      keys["bytes"] = std::to_string(size.value);
      keys["setting"] = loaded_setting;
      const SeriesName name{
          .operation = curve.point.operation, .keys = keys, .figure = "congestion"};
      figures.push_back({.series = {.name = name.text(), .unit = "ratio"},
                         .value = {.value = factor->value,
                                   .interval = factor->interval,
                                   .launches = factor->launches,
                                   .environment = {}}});
    }
  }
  return figures;
}

std::vector<NightFigure> other_figures(std::span<const Record> launches,
                                       const std::string& setting) {
  ByKey limits;
  ByKey memory;
  ByKey spins;
  ByKey readings;
  ByKey lines;
  ByKey copies;
  for (const Record& record : launches) {
    add_launch(limits, limits_of(record));
    add_launch(memory, memory_of(record));
    add_launch(spins, spins_of(record));
    add_launch(lines, lines_of(record));
    add_launch(copies, copies_of(record));
    readings[""].push_back(record.clock.cost_seconds);
  }
  std::vector<NightFigure> figures;
  add(figures,
      {.operation = "protocol",
       .key = "hop",
       .figure = "eager_limit_bytes",
       .unit = "bytes",
       .worse = WorseWhen::smaller},
      limits, setting);
  add(figures, {.operation = "memory", .key = "moment", .figure = "pss_bytes", .unit = "bytes"},
      memory, setting);
  add(figures,
      {.operation = "spin",
       .key = "",
       .figure = "seconds",
       .unit = "seconds",
       .role = SeriesRole::control},
      spins, setting);
  add(figures,
      {.operation = "clock",
       .key = "",
       .figure = "read_seconds",
       .unit = "seconds",
       .role = SeriesRole::control},
      readings, setting);
  add(figures,
      {.operation = "cache-line",
       .key = "",
       .figure = "seconds",
       .unit = "seconds",
       .role = SeriesRole::control},
      lines, setting);
  add(figures,
      {.operation = "copy",
       .key = "",
       .figure = "bytes_per_second",
       .unit = "bytes_per_second",
       .role = SeriesRole::control,
       .worse = WorseWhen::smaller},
      copies, setting);
  add_node_rates(figures, launches, setting);
  return figures;
}

}  // namespace hockney::health
