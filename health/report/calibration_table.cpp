#include "health/report/calibration_table.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "report/table.hpp"

namespace hockney::health {

using report::significant;
namespace {

std::string rate_text(const YearlyRate& rate) {
  return " a series-year, interval " + report::interval_text(rate.interval(), 1, 3) + " (" +
         std::to_string(rate.events) + " in " + significant(rate.series_years, 4) + " simulated)";
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
      << significant(report::per_cent * calibration.noise, 3) << " %, autocorrelation "
      << significant(calibration.autocorrelation, 3) << "\nthreshold "
      << significant(calibration.threshold, 3) << " for at most "
      << significant(options.false_alarms_per_year, 3) << " false alarms a series-year"
      << (calibration.reached ? "" : ": not reached, these series are too restless") << "\n\n";
  report::Table rates({{"", 20, report::Align::left}, {"", 8}, {"", 0, report::Align::left}});
  const auto add_rate = [&](const std::string& what, const YearlyRate& rate) {
    rates.row({what, significant(rate.per_year(), 1, 3), rate_text(rate)});
  };
  add_rate("false alarms", calibration.false_alarms);
  add_rate("false improvements", calibration.false_improvements);
  report::Table delays({{"change", 8},
                        {"found in " + std::to_string(options.within_nights) + " nights", 22},
                        {"interval [%]", 20},
                        {"median [nights]", 18}});
  delays.header();
  for (const PlantedDelay& delay : calibration.delays) {
    delays.row({significant(report::per_cent * delay.change, 3) + " %",
                significant(delay.found.share(), report::per_cent, 4) + " %",
                report::interval_text(delay.found.interval(), report::per_cent, 3),
                significant(delay.median_nights, 1, 3)});
  }
  out << rates << '\n' << delays;
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

}  // namespace hockney::health
