#include "health/app/health_history.hpp"

#include <cmath>
#include <cstdlib>

#include "core/cli/cli11.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney {
namespace {

constexpr const char* default_file = "hockney-history.sqlite";
constexpr double longest_wait_seconds = 86'400;

std::string bad(const std::string& text, const std::string& name) {
  return "bad value '" + text + "' for " + name;
}

std::chrono::milliseconds parse_wait(const std::string& text) {
  const double seconds = parse_duration(text).value;
  if (seconds > longest_wait_seconds) {
    throw InputError({bad(text, "--wait"), "it is more than a day", "write it like 10s"});
  }
  return std::chrono::milliseconds(std::llround(1000 * seconds));
}

}  // namespace

void add_history_option(CLI::App& app, HistoryOptions& options) {
  const char* const named = std::getenv(history_variable);
  options.file = named != nullptr && *named != '\0' ? named : default_file;
  app.add_option("--history", options.file,
                 "The history; " + std::string(history_variable) + " names another default")
      ->capture_default_str();
}

void add_writing_options(CLI::App& app, HistoryOptions& options) {
  add_history_option(app, options);
  app.add_option("--wait", options.wait, "How long to wait for another writer")
      ->capture_default_str();
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

std::size_t count_option(const std::string& text, const std::string& name, std::size_t least) {
  const auto number = as_number<std::size_t>(text);
  if (number && *number >= least) return *number;
  throw InputError({bad(text, name), "it is no whole number of at least " + std::to_string(least),
                    "write it like " + std::to_string(least + 29)});
}

}  // namespace hockney
