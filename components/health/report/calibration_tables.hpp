#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string_view>
#include <vector>

#include "components/health/detection/calibrate.hpp"
#include "report/view.hpp"

namespace hockney::health {

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
