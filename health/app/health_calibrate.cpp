#include <nlohmann/json.hpp>

#include "core/cli/subcommand.hpp"
#include "core/quantities.hpp"
#include "core/series_name.hpp"
#include "health/app/health.hpp"
#include "health/app/health_options.hpp"
#include "health/detection/calibrate.hpp"
#include "health/history/identities.hpp"
#include "health/history/reading.hpp"
#include "health/history/remarks.hpp"
#include "health/report/calibration_table.hpp"

namespace hockney::health {
namespace {

struct CalibrateCommand {
  HistoryOptions history;
  DetectorWords detector;
  std::string false_alarms;
  std::string series_years;
  bool keep = false;
  DocumentOptions document;
};

/// More series than these teach nothing more, and cost memory.
constexpr std::size_t most_series = 1000;

/// Subjects of the pattern, every so many of them when there are more than enough.
std::vector<NightlySeries> series_to_learn_from(const HistoryDatabase& database,
                                                const JudgingOptions& options, std::int64_t today) {
  std::vector<ListedSeries> wanted = listed_series(database);
  std::erase_if(wanted, [&](const ListedSeries& series) {
    return series.kind.role == SeriesRole::control || !matches(series.kind.name, options.series);
  });
  std::vector<ListedSeries> chosen;
  chosen.reserve(most_series);
  const std::size_t step = (wanted.size() + most_series - 1) / most_series;
  for (std::size_t i = 0; i < wanted.size(); i += step) chosen.push_back(wanted[i]);
  const std::int64_t first = first_of_last(database, {.last = today, .most = options.nights_back});
  return read_series(database, chosen, {.first = first, .last = today});
}

CalibrateOptions calibrate_options(const CalibrateCommand& command) {
  CalibrateOptions options;
  if (!command.false_alarms.empty()) {
    options.false_alarms_per_year = number_option(command.false_alarms, "--false-alarms");
  }
  if (!command.series_years.empty()) {
    options.series_years = parse_count<std::size_t>("--series-years", command.series_years, 1);
  }
  return options;
}

ExitCode run(const CalibrateCommand& command) {
  const CalibrateOptions options = calibrate_options(command);
  const HistoryDatabase database =
      open_history(command.history, command.keep ? HistoryAccess::write : HistoryAccess::read);
  JudgingOptions judging = judging_options(command.detector, database);
  const std::int64_t today = judged_day(database, judging.check.today);
  judging.check = with_remarks(database, std::move(judging.check), today);
  const auto calibration =
      calibrate_detector(series_to_learn_from(database, judging, today), judging.check, options);
  if (!calibration) {
    throw InputError({"nothing to calibrate with",
                      "no series has the " +
                          std::to_string(judging.check.detector.baseline.shortest) +
                          " nights of a baseline and two blocks more",
                      "wait for more nights, or give fewer --baseline-nights"});
  }
  if (command.keep) {
    keep_number(database, {.name = threshold_name, .value = calibration->threshold});
  }
  show_document(calibration_json(*calibration, options), command.document,
                [&](std::ostream& out) { print_calibration(out, *calibration, options); });
  return ExitCode::good;
}

void add_options(CLI::App& app, CalibrateCommand& command) {
  const CalibrateOptions defaults;
  add_detector_options(app, command.detector);
  app.add_option("--false-alarms", command.false_alarms,
                 "False alarms that are allowed a series-year")
      ->default_str("0.3");
  app.add_option("--series-years", command.series_years, "Simulated for each figure")
      ->default_str(std::to_string(defaults.series_years));
  app.add_flag("--keep", command.keep, "Leave the threshold in the history for check");
  add_json_flag(app, command.document.json);
  add_writing_options(app, command.history);
}

}  // namespace

void add_health_calibrate(CLI::App& health, Action& chosen) {
  add_command<CalibrateCommand>(
      health, chosen, "calibrate",
      "False alarms and delays to expect, learnt from this site's own history", add_options, run,
      {.examples = {
           {"hockney health calibrate", "what to expect at this site"},
           {"hockney health calibrate --false-alarms 0.1 --keep", "the threshold for check, kept"},
           {"hockney health calibrate --json", "the document"}}});
}

}  // namespace hockney::health
