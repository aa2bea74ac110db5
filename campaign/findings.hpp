#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/units.hpp"

namespace hockney::campaign {

/// What one complete launch found at one point.
struct PointFinding {
  std::string point;  ///< curve and size
  double median_seconds = 0;
  std::optional<double> error;  ///< standard error of the median inside the launch, relative to it
};

struct LaunchFindings {
  std::vector<PointFinding> points;  ///< those with a launch median (core/launch_medians.hpp)
  Seconds measuring{};               ///< time it measured for, all points together
  int left_out = 0;                  ///< points, to keep to its slot
};

/// Of hockney's own numbers: those of other suites (core/point.hpp) need not be precise.
LaunchFindings findings_of(const Record& record);

/// How well a campaign knows its medians.
struct Precision {
  int points = 0;         ///< of all settings
  int within = 0;         ///< with an interval whose half-width is within what was asked for
  double widest = 0;      ///< largest half-width, as a share of its median; of those that have one
  std::string widest_at;  ///< setting, curve and size of it; empty when no point has an interval
  double level = 0;       ///< asked of every interval

  [[nodiscard]] bool reached() const { return points > 0 && within == points; }
  friend bool operator==(const Precision&, const Precision&) = default;
};

/// The findings of all complete launches of a campaign.
class Findings {
 public:
  void add(const std::string& setting, const LaunchFindings& launch);

  /// The intervals of the medians over launches at a level, against the half-width that was asked
  /// for.
  [[nodiscard]] Precision precision(double requested, double level) const;

  /// The measuring time at which the noise inside a launch is as large as that between launches:
  /// ratio of the variance inside, which falls as one over the time, to that between, both of the
  /// logarithm of a launch median, both medians over points. Infinite when launches differ by no
  /// more than their own noise. nullopt before three launches of a setting tell.
  [[nodiscard]] std::optional<Seconds> balance() const;

 private:
  struct Point {
    std::vector<double> medians_seconds;
    std::vector<double> variances_times_seconds;  ///< of the median in a launch, times measuring
    std::vector<double> measuring_seconds;
  };

  std::map<std::string, Point> points_;  ///< by setting, curve and size
};

}  // namespace hockney::campaign
