#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string_view>

#include "health/detection/calibrate.hpp"
#include "health/report/health_report.hpp"
#include "report/view.hpp"

namespace hockney::health {

inline constexpr std::string_view health_schema = "hockney.health/1";

/// The document of `hockney health check --json`. Changes, effects and noise are fractions of 1;
/// unknown values are null. `nodes` and `links` are the named ones; `fleet` has all.
nlohmann::json to_json(const Report& report);

/// Writes one line for each series measured on the judged day, for a file that grows every night.
void write_health_lines(std::ostream& out, const Report& report);

inline constexpr std::string_view calibration_schema = "hockney.calibration/1";

/// A row for each size of planted change: detection rate and delay.
report::View view_of(const std::vector<PlantedDelay>& delays);

/// Prints false alarms per series-year and delays of planted changes, with intervals.
void print_calibration(std::ostream& out, const SiteCalibration& calibration,
                       const CalibrateOptions& options);

/// The calibration as a document. Changes and rates are fractions of 1.
nlohmann::json calibration_json(const SiteCalibration& calibration,
                                const CalibrateOptions& options);

}  // namespace hockney::health
