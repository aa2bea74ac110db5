#include "health/report/calibration_table.hpp"

#include <iomanip>
#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

std::string or_dash(const std::optional<double>& value, int digits = 3) {
  return value ? significant(*value, digits) : "-";
}

void print_rate(std::ostream& out, const std::string& what, const YearlyRate& rate) {
  out << std::left << std::setw(20) << what << std::right << std::setw(8)
      << or_dash(rate.per_year()) << " a series-year, interval "
      << interval_text(rate.interval(), 1, 3) << " (" << rate.events << " in "
      << significant(rate.series_years, 4) << " simulated)\n";
}

nlohmann::json delay_json(const PlantedDelay& delay) {
  return {{"change", delay.change},
          {"found", delay.found.share()},
          {"found_ci", delay.found.interval()},
          {"median_nights", delay.median_nights}};
}

nlohmann::json rate_json(const YearlyRate& rate) {
  return {{"per_series_year", rate.per_year()},
          {"ci", rate.interval()},
          {"events", rate.events},
          {"series_years", rate.series_years}};
}

}  // namespace

void print_calibration(std::ostream& out, const SiteCalibration& calibration,
                       const CalibrateOptions& options) {
  out << "learnt from " << calibration.series << " series (" << calibration.skipped
      << " too short), blocks of " << calibration.block_nights << " nights; noise "
      << significant(per_cent * calibration.noise, 3) << " %, autocorrelation "
      << significant(calibration.autocorrelation, 3) << "\nthreshold "
      << significant(calibration.threshold, 3) << " for at most "
      << significant(options.false_alarms_per_year, 3) << " false alarms a series-year"
      << (calibration.reached ? "" : ": not reached, these series are too restless") << "\n\n";
  print_rate(out, "false alarms", calibration.false_alarms);
  print_rate(out, "false improvements", calibration.false_improvements);
  out << '\n'
      << std::setw(8) << "change" << std::setw(22)
      << ("found in " + std::to_string(options.within_nights) + " nights") << std::setw(20)
      << "interval [%]" << std::setw(18) << "median [nights]" << '\n';
  for (const PlantedDelay& delay : calibration.delays) {
    const auto share = delay.found.share();
    out << std::setw(6) << significant(per_cent * delay.change, 3) << " %" << std::setw(20)
        << (share ? significant(per_cent * *share, 4) : "-") << " %" << std::setw(20)
        << interval_text(delay.found.interval(), per_cent, 3) << std::setw(18)
        << or_dash(delay.median_nights) << '\n';
  }
}

nlohmann::json calibration_json(const SiteCalibration& calibration,
                                const CalibrateOptions& options) {
  return {{"schema", calibration_schema},
          {"series", calibration.series},
          {"series_too_short", calibration.skipped},
          {"block_nights", calibration.block_nights},
          {"noise", calibration.noise},
          {"autocorrelation", calibration.autocorrelation},
          {"threshold", calibration.threshold},
          {"wanted_false_alarms_per_series_year", options.false_alarms_per_year},
          {"reached", calibration.reached},
          {"false_alarms", rate_json(calibration.false_alarms)},
          {"false_improvements", rate_json(calibration.false_improvements)},
          {"within_nights", options.within_nights},
          {"delays", array_json(calibration.delays, delay_json)}};
}

}  // namespace hockney
