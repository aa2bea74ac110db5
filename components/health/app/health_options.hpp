#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "components/health/app/judging_options.hpp"
#include "components/health/history/database.hpp"
#include "core/cli/command_line.hpp"

namespace hockney::health {

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
