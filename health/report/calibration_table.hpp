#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string_view>

#include "health/detection/calibrate.hpp"

namespace hockney::health {

inline constexpr std::string_view calibration_schema = "hockney.calibration/1";

/// False alarms a series-year and delays of planted changes, each with its interval.
void print_calibration(std::ostream& out, const SiteCalibration& calibration,
                       const CalibrateOptions& options);

/// The same as a document. Changes and rates are fractions of 1.
nlohmann::json calibration_json(const SiteCalibration& calibration,
                                const CalibrateOptions& options);

}  // namespace hockney::health
