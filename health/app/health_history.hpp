#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/cli/command_line.hpp"
#include "health/history/database.hpp"

namespace hockney {

/// Which history a command of `hockney health` is about, and how long it waits for a writer.
struct HistoryOptions {
  std::string file;
  std::string wait = "10s";
};

/// The variable that names the history where --history does not.
inline constexpr const char* history_variable = "HOCKNEY_HISTORY";

/// Adds --history, whose default is the file of HOCKNEY_HISTORY or hockney-history.sqlite.
void add_history_option(CLI::App& app, HistoryOptions& options);

/// The same with --wait, for commands that write.
void add_writing_options(CLI::App& app, HistoryOptions& options);

/// InputError for a bad --wait, and whatever opening throws.
HistoryDatabase open_history(const HistoryOptions& options, HistoryAccess access);

/// The day of an option; nullopt when it was not given; InputError for what is no day.
std::optional<std::int64_t> day_option(const std::string& text);

/// "5%" as 0.05; InputError naming the option for anything else and for what is not above 0.
double percent_option(const std::string& text, const std::string& name);

/// A text as a number above 0; InputError naming the option otherwise.
double number_option(const std::string& text, const std::string& name);

/// A text as a whole number of at least `least`; InputError naming the option otherwise.
std::size_t count_option(const std::string& text, const std::string& name, std::size_t least = 1);

}  // namespace hockney
