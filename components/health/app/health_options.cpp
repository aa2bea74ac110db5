#include "components/health/app/health_options.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "components/health/detection/calibrate.hpp"
#include "components/health/history/night_writer.hpp"
#include "components/health/nights/ingest.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney::health {
namespace {

constexpr const char* default_file = "hockney-history.sqlite";
constexpr double longest_wait_seconds = 86'400;

std::string bad(const std::string& text, const std::string& name) {
  return fmt::format("bad value '{}' for {}", text, name);
}

std::chrono::milliseconds parse_wait(const std::string& text) {
  const double seconds = parse_duration(text).value;
  if (seconds > longest_wait_seconds) {
    throw InputError({bad(text, "--wait"), "it is more than a day", "write it like 10s"});
  }
  return std::chrono::milliseconds(whole_number<std::int64_t>(1000 * seconds));
}

std::string plain(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

void add_history_option(CommandLine& app, HistoryOptions& options) {
  const char* const named = std::getenv(history_variable);
  options.file = named != nullptr && *named != '\0' ? named : default_file;
  app.add_option("--history", options.file,
                 fmt::format("The history; {} names another default", history_variable))
      .capture_default_str();
}

void add_writing_options(CommandLine& app, HistoryOptions& options) {
  add_history_option(app, options);
  app.add_option("--wait", options.wait, "How long to wait for another writer")
      .capture_default_str();
}

HistoryDatabase open_history(const HistoryOptions& options, HistoryAccess access) {
  return {options.file, access, parse_wait(options.wait)};
}

std::optional<std::int64_t> day_option(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(parse_day(text));
}

double percent_option(const std::string& text, const std::string& name) {
  const auto percent =
      text.ends_with('%') ? as_number<double>({text.data(), text.size() - 1}) : std::nullopt;
  if (percent && std::isfinite(*percent) && *percent > 0) return *percent / 100;
  throw InputError({bad(text, name), "it is a share above 0%", "write it like 5%"});
}

double number_option(const std::string& text, const std::string& name) {
  const auto number = as_number<double>(text);
  if (number && std::isfinite(*number) && *number > 0) return *number;
  throw InputError({bad(text, name), "it is no number above 0", "write it like 0.5"});
}

void add_detector_options(CommandLine& app, DetectorWords& words) {
  const DetectorParameters defaults;
  app.add_option("--day", words.day, "The night that is judged").default_str("the newest");
  app.add_option("--series", words.series, "Judge only these, with * for any text")
      .capture_default_str();
  app.add_option("--practical", words.practical, "The smallest change that is anyone's business")
      .default_str(plain(100 * defaults.practical) + "%");
  app.add_option("--baseline-nights", words.baseline, "Nights before anything is judged")
      .default_str(std::to_string(defaults.baseline.shortest));
  app.add_option("--recent-nights", words.recent,
                 "Nights whose median must have changed for a verdict")
      .default_str(std::to_string(defaults.recent));
  app.add_flag("--single-night", words.single_night,
               "One night far outside all earlier ones is a verdict alone");
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
    detector.baseline.shortest = parse_count<std::size_t>("--baseline-nights", words.baseline, 3);
    detector.baseline.window = std::max(detector.baseline.window, detector.baseline.shortest);
    detector.lag = std::min(detector.lag, detector.baseline.shortest / 2);
  }
  if (!words.recent.empty())
    detector.recent = parse_count<std::size_t>("--recent-nights", words.recent, 1);
  if (!words.threshold.empty()) {
    detector.threshold = number_option(words.threshold, "--threshold");
  } else if (const auto kept = kept_number(database, threshold_name)) {
    detector.threshold = *kept;
  }
  return options;
}

}  // namespace hockney::health
