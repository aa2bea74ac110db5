#include "components/health/report/calibration_tables.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>

#include "core/json_values.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

using report::significant;

/// Sentences of the calibration.
namespace words {

constexpr std::string_view rate = "a series-year, interval {} ({} in {} simulated)";
constexpr std::string_view learnt_from =
    "learnt from {} series ({} too short), blocks of {} nights; noise {} %, autocorrelation {}";
constexpr std::string_view threshold = "threshold {} for at most {} false alarms a series-year{}";
constexpr std::string_view not_reached = ": not reached, these series are too restless";
constexpr std::string_view planted = "planted changes, found within {} nights";

}  // namespace words

std::string rate_text(const YearlyRate& rate) {
  return fmt::format(words::rate, report::interval_text(rate.interval(), 1, 3), rate.events,
                     significant(rate.series_years, 4));
}

nlohmann::json rate_json(const YearlyRate& rate) {
  return {{"per_series_year", rate.per_year()},
          {"ci", rate.interval()},
          {"events", rate.events},
          {"series_years", rate.series_years}};
}

}  // namespace

report::View view_of(const std::vector<PlantedDelay>& delays) {
  using report::Form;
  using report::Unit;
  using Row = PlantedDelay;
  const auto found = [](const Row& row) { return row.found.share(); };
  const report::Columns<Row> columns{
      {{"change", "change", Unit::share}, &Row::change},
      {{"found_share", "found", Unit::share, Form::terminal | Form::csv}, found},
      {{"found", "", Unit::share, Form::json}, found},
      {{"found_ci", "interval", Unit::share, {}, "", true},
       [](const Row& row) { return row.found.interval(); }},
      {{"median_nights", "median [nights]", Unit::number}, &Row::median_nights}};
  return report::make_view(columns, delays);
}

void print_calibration(std::ostream& out, const SiteCalibration& calibration,
                       const CalibrateOptions& options) {
  out << fmt::format(words::learnt_from, calibration.series, calibration.skipped,
                     calibration.block_nights, significant(report::per_cent * calibration.noise, 3),
                     significant(calibration.autocorrelation, 3))
      << '\n'
      << fmt::format(words::threshold, significant(calibration.threshold, 3),
                     significant(options.false_alarms_per_year, 3),
                     calibration.reached ? "" : words::not_reached)
      << "\n\n";
  report::View rates{.headings = {{"what", ""}, {"per_year", "", report::Unit::number}, {"of", ""}},
                     .rows = {}};
  const auto add_rate = [&](const char* what, const YearlyRate& rate) {
    rates.rows.push_back({what, rate.per_year(), rate_text(rate)});
  };
  add_rate("false alarms", calibration.false_alarms);
  add_rate("false improvements", calibration.false_improvements);
  print_view(out, "", rates);
  print_view(out, fmt::format(words::planted, options.within_nights), view_of(calibration.delays));
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
          {"delays", report::to_json(view_of(calibration.delays))}};
}

}  // namespace hockney::health
