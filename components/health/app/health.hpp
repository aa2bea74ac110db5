#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "components/health/detection/check.hpp"
#include "components/health/history/database.hpp"
#include "components/health/report/health_report.hpp"
#include "core/cli/command_line.hpp"
#include "core/site_file.hpp"
#include "verdicts/fleet/fleet.hpp"
#include "verdicts/fleet/links.hpp"

namespace hockney::health {

// Each function adds one command to `hockney health`: components/health/app/health_<name>.cpp.
void add_health_ingest(CommandLine& health, Action& chosen);
void add_health_forget(CommandLine& health, Action& chosen);
void add_health_check(CommandLine& health, Action& chosen);
void add_health_calibrate(CommandLine& health, Action& chosen);
void add_health_note(CommandLine& health, Action& chosen);
void add_health_accept(CommandLine& health, Action& chosen);
void add_health_maintenance(CommandLine& health, Action& chosen);
void add_health_rename(CommandLine& health, Action& chosen);
void add_health_list(CommandLine& health, Action& chosen);
void add_health_reference(CommandLine& health, Action& chosen);
void add_health_node(CommandLine& health, Action& chosen);

/// Whether a pattern of series is about single hosts.
inline bool names_hosts(const std::string& pattern) {
  return pattern.find("host=") != std::string::npos;
}

struct JudgingOptions {
  CheckOptions check;  ///< accepted shifts and maintenance are those of the history
  fleet::FleetOptions fleet;
  std::size_t nights_back = 730;      ///< number of nights read for series
  std::size_t link_nights_back = 31;  ///< number of a point's nights read for nodes and links
  /// Judged series; controls are always read. Series of hosts are judged if it names the key.
  std::string series = "*";
  std::optional<SiteFile> sites{};  ///< racks and switches of the nodes
};

/// Judges the newest night of the history up to now, or the night of `check.today`. InputError for
/// a history without such nights, or without that one. Series are read in portions, so memory does
/// not grow with their number.
Report judge(const HistoryDatabase& database, JudgingOptions options);

/// The judged day: `wanted`, or the newest up to now. InputError if the history has no such night.
std::int64_t judged_day(const HistoryDatabase& database, std::optional<std::int64_t> wanted);

/// Adds the history's accepted shifts and maintenance to the options of a check of `today`.
CheckOptions with_remarks(const HistoryDatabase& database, CheckOptions options,
                          std::int64_t today);

/// The history of a `hockney health` command, and the time to wait for a writer.
struct HistoryOptions {
  std::string file;
  std::string wait = "10s";
};

/// Environment variable with the history's file, if --history is not given.
inline constexpr const char* history_variable = "HOCKNEY_HISTORY";

/// Adds --history, whose default is the file of HOCKNEY_HISTORY or hockney-history.sqlite.
void add_history_option(CommandLine& app, HistoryOptions& options);

/// Adds --history and --wait, for commands that write.
void add_writing_options(CommandLine& app, HistoryOptions& options);

/// InputError for a bad --wait; also the errors of HistoryDatabase.
HistoryDatabase open_history(const HistoryOptions& options, HistoryAccess access);

/// The day of an option; nullopt if it was not given; InputError for an invalid day.
std::optional<std::int64_t> day_option(const std::string& text);

/// "5%" as 0.05; InputError with the option's name for other texts and for values <= 0.
double percent_option(const std::string& text, const std::string& name);

/// A number above 0; InputError with the option's name for other texts.
double number_option(const std::string& text, const std::string& name);

/// The detector options as given on the command line.
struct DetectorWords {
  std::string threshold;
  std::string practical;
  std::string baseline;
  std::string recent;
  std::string series = "*";
  std::string day;
  bool single_night = false;
};

/// Adds the common options of `check` and `calibrate`, with their real defaults.
void add_detector_options(CommandLine& app, DetectorWords& words);

/// The default threshold, as a text.
std::string default_threshold();

/// InputError for an invalid value. Without a threshold, uses the one stored by `calibrate --keep`,
/// or else the default.
JudgingOptions judging_options(const DetectorWords& words, const HistoryDatabase& database);

}  // namespace hockney::health
