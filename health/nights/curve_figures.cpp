#include "health/nights/curve_figures.hpp"

#include <map>

#include "core/faults.hpp"
#include "core/samples.hpp"
#include "core/series_name.hpp"
#include "health/detection/variability.hpp"
#include "models/fit_set.hpp"

namespace hockney::health {
namespace {

/// Of the curve that a series falls into.
std::string pooled_name(Point point) {
  if (point.hop) point.pair.clear();
  return curve_name(point);
}

std::string sized_name(const Point& point, Bytes size) {
  return pooled_name(point) + " " + std::to_string(size.value);
}

/// The figures of one curve.
class CurveFigures {
 public:
  CurveFigures(const models::Curve& curve, const std::string& setting)
      : curve_(curve), keys_(series_keys(curve.point)) {
    if (!setting.empty()) keys_["setting"] = setting;
  }

  void add_times(const std::map<std::string, std::int64_t>& counted_bytes) {
    for (std::size_t i = 0; i < curve_.sizes.size(); ++i) {
      const Bytes size = curve_.sizes[i];
      const auto bytes = counted_bytes.find(sized_name(curve_.point, size));
      const bool windowed = curve_.point.parameters.contains("window");
      if (windowed && bytes != counted_bytes.end() && bytes->second > 0) {
        add_bandwidth(size, static_cast<double>(bytes->second), column(i));
      } else {
        add(at(size), "seconds", "seconds", over_launches(column(i)));
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
      keys["segment"] = std::to_string(k + 1) + "of" + std::to_string(fit->segments.size());
      add_alpha(keys, fit->segments[k]);
      add_beta(keys, fit->segments[k]);
    }
  }

  void add_spread() {
    if (is_floor(curve_.point.operation)) return;
    add(keys_, "spread", "ratio", as_value(run_to_run_spread(launch_levels())));
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

  [[nodiscard]] std::vector<double> column(std::size_t size) const {
    std::vector<double> times;
    for (const auto& launch : curve_.medians_seconds) {
      const auto& time = launch[size];
      if (time) times.push_back(*time);
    }
    return times;
  }

  /// How far each launch lies above the others in all sizes alike, as a factor.
  [[nodiscard]] std::vector<double> launch_levels() const {
    std::vector<double> levels;
    for (const auto& launch : curve_.medians_seconds) {
      std::vector<double> ratios;
      for (std::size_t i = 0; i < launch.size(); ++i) {
        const auto& time = launch[i];
        if (time) ratios.push_back(*time / median_of_some(column(i)));
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
    add(at(size), "bytes_per_second", "bytes_per_second", over_launches(times), WorseWhen::smaller);
  }

  void add_alpha(const Keys& keys, const models::Segment& segment) {
    add_fitted(keys, "alpha_seconds", "seconds", segment.line.alpha_seconds, segment.alpha_seconds);
  }

  void add_beta(const Keys& keys, const models::Segment& segment) {
    add_fitted(keys, "beta_seconds_per_byte", "seconds_per_byte",
               segment.line.beta_seconds_per_byte, segment.beta_seconds_per_byte);
  }

  void add_fitted(const Keys& keys, const std::string& figure, const std::string& unit,
                  double value, const std::optional<Interval>& interval) {
    if (value <= 0) return;
    add(keys, figure, unit,
        NightlyValue{.value = value,
                     .interval = interval,
                     .launches = curve_.medians_seconds.size(),
                     .environment = {}});
  }

  const models::Curve& curve_;
  Keys keys_;
  std::vector<NightFigure> figures_;
};

/// By curve and size; and by curve, launch by launch.
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

}  // namespace

bool is_floor(const std::string& operation) { return operation.starts_with("floor-"); }

std::vector<NightFigure> curve_figures(std::span<const Record> launches,
                                       const models::Curves& curves, const std::string& setting) {
  const Counts counts = count(launches);
  std::vector<NightFigure> figures;
  for (const models::Curve& curve : curves.curves) {
    CurveFigures of_curve(curve, setting);
    of_curve.add_times(counts.bytes);
    of_curve.add_model();
    of_curve.add_spread();
    const auto outliers = counts.outliers.find(pooled_name(curve.point));
    if (outliers != counts.outliers.end()) of_curve.add_undisturbed_fraction(outliers->second);
    for (NightFigure& figure : of_curve.take()) figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace hockney::health
