#include "health/app/health_check_options.hpp"

#include <algorithm>
#include <sstream>

#include "core/cli/cli11.hpp"
#include "health/history/identities.hpp"

namespace hockney {
namespace {

std::string plain(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

void add_detector_options(CLI::App& app, DetectorWords& words) {
  const DetectorParameters defaults;
  app.add_option("--day", words.day, "The night that is judged")->default_str("the newest");
  app.add_option("--series", words.series, "Judge only these, with * for any text")
      ->capture_default_str();
  app.add_option("--practical", words.practical, "The smallest change that is anyone's business")
      ->default_str(plain(100 * defaults.practical) + "%");
  app.add_option("--baseline-nights", words.baseline, "Nights before anything is judged")
      ->default_str(std::to_string(defaults.baseline.shortest));
  app.add_option("--recent-nights", words.recent,
                 "Nights whose median must have changed for a verdict")
      ->default_str(std::to_string(defaults.recent));
  app.add_flag("--single-night", words.single_night,
               "One night far outside of all before is a verdict by itself");
}

std::string default_threshold() { return plain(DetectorParameters().threshold); }

JudgingOptions judging_options(const DetectorWords& words, const HistoryDatabase& database) {
  JudgingOptions options;
  DetectorParameters& detector = options.check.detector;
  options.series = words.series;
  options.check.today = day_option(words.day);
  options.check.single_night = words.single_night;
  if (!words.practical.empty()) {
    detector.practical = percent_option(words.practical, "--practical");
    options.fleet.practical = detector.practical;
  }
  if (!words.baseline.empty()) {
    detector.baseline.shortest = count_option(words.baseline, "--baseline-nights", 3);
    detector.baseline.window = std::max(detector.baseline.window, detector.baseline.shortest);
    detector.lag = std::min(detector.lag, detector.baseline.shortest / 2);
  }
  if (!words.recent.empty()) detector.recent = count_option(words.recent, "--recent-nights");
  if (!words.threshold.empty()) {
    detector.threshold = number_option(words.threshold, "--threshold");
  } else if (const auto kept = kept_number(database, threshold_name)) {
    detector.threshold = *kept;
  }
  return options;
}

}  // namespace hockney
