#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/command_line.hpp"
#include "health/detection/check.hpp"
#include "health/history/database.hpp"
#include "health/report/health_report.hpp"
#include "verdicts/fleet/fleet.hpp"
#include "verdicts/fleet/links.hpp"

namespace hockney::health {

// Each adds one command to `hockney health`: health/app/health_<name>.cpp.
void add_health_ingest(CommandLine& health, Action& chosen);
void add_health_forget(CommandLine& health, Action& chosen);
void add_health_check(CommandLine& health, Action& chosen);
void add_health_calibrate(CommandLine& health, Action& chosen);
void add_health_note(CommandLine& health, Action& chosen);
void add_health_accept(CommandLine& health, Action& chosen);
void add_health_maintenance(CommandLine& health, Action& chosen);
void add_health_list(CommandLine& health, Action& chosen);
void add_health_export(CommandLine& health, Action& chosen);
void add_health_import(CommandLine& health, Action& chosen);

struct JudgingOptions {
  CheckOptions check;  ///< what was accepted and when was maintenance: of the history
  fleet::FleetOptions fleet;
  std::size_t nights_back = 730;      ///< of the history that are read for series
  std::size_t link_nights_back = 31;  ///< of a point, for nodes and links that stay slow
  std::string series = "*";           ///< that are judged; controls are read in any case
};

/// Judges the newest night of the history that does not lie in the future, or the one of
/// `check.today`. InputError for a history without such nights, or without that one. Series are
/// read in portions, so memory does not grow with their number.
Report judge(const HistoryDatabase& database, JudgingOptions options);

/// The day that is judged: the wanted one, or the newest that does not lie in the future.
/// InputError when the history has no such night.
std::int64_t judged_day(const HistoryDatabase& database, std::optional<std::int64_t> wanted);

/// The options of a check of that day, with the history's accepted shifts and maintenance.
CheckOptions with_remarks(const HistoryDatabase& database, CheckOptions options,
                          std::int64_t today);

/// Which history a command of `hockney health` is about, and how long it waits for a writer.
struct HistoryOptions {
  std::string file;
  std::string wait = "10s";
};

/// The variable that names the history where --history does not.
inline constexpr const char* history_variable = "HOCKNEY_HISTORY";

/// Adds --history, whose default is the file of HOCKNEY_HISTORY or hockney-history.sqlite.
void add_history_option(CommandLine& app, HistoryOptions& options);

/// The same with --wait, for commands that write.
void add_writing_options(CommandLine& app, HistoryOptions& options);

/// InputError for a bad --wait, and whatever opening throws.
HistoryDatabase open_history(const HistoryOptions& options, HistoryAccess access);

/// The day of an option; nullopt when it was not given; InputError for what is no day.
std::optional<std::int64_t> day_option(const std::string& text);

/// "5%" as 0.05; InputError naming the option for anything else and for what is not above 0.
double percent_option(const std::string& text, const std::string& name);

/// A text as a number above 0; InputError naming the option otherwise.
double number_option(const std::string& text, const std::string& name);

/// What the user said of how to judge, as texts.
struct DetectorWords {
  std::string threshold;
  std::string practical;
  std::string baseline;
  std::string recent;
  std::string series = "*";
  std::string day;
  bool single_night = false;
};

/// Adds the options that `check` and `calibrate` have in common, with their real defaults.
void add_detector_options(CommandLine& app, DetectorWords& words);

/// The threshold that is taken where none is given, as a text.
std::string default_threshold();

/// InputError for a word that makes no sense. Where no threshold is given it is the one that
/// `calibrate --keep` left in the history, or else the default.
JudgingOptions judging_options(const DetectorWords& words, const HistoryDatabase& database);

}  // namespace hockney::health
