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
/// what is not known is null. `nodes` and `links` are those that are named; `fleet` has all.
nlohmann::json to_json(const Report& report);

/// One line for each series that was measured on the day that was judged, for a file that grows by
/// them night after night.
void write_health_lines(std::ostream& out, const Report& report);

inline constexpr std::string_view calibration_schema = "hockney.calibration/1";

/// A row for each size of change that was planted: how often and how soon it is found.
report::View view_of(const std::vector<PlantedDelay>& delays);

/// False alarms a series-year and delays of planted changes, each with its interval.
void print_calibration(std::ostream& out, const SiteCalibration& calibration,
                       const CalibrateOptions& options);

/// The same as a document. Changes and rates are fractions of 1.
nlohmann::json calibration_json(const SiteCalibration& calibration,
                                const CalibrateOptions& options);

}  // namespace hockney::health
