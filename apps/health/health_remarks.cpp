#include <iostream>
#include <memory>

#include "apps/health/health_history.hpp"
#include "apps/health/health_subcommands.hpp"
#include "cli/cli11.hpp"
#include "core/days.hpp"
#include "core/names.hpp"
#include "history/reading.hpp"
#include "history/remarks.hpp"
#include "history/wildcard.hpp"

namespace hockney {
namespace {

struct RemarkCommand {
  HistoryOptions history;
  std::string text;  ///< the note, the series, or nothing
  std::string day;
  std::string last_day;
  std::string why;
};

void require_text(const std::string& text, const std::string& what) {
  if (text.find_first_not_of(" \t\n") != std::string::npos) return;
  throw InputError({"empty " + what, "it says nothing", "write what happened"});
}

ExitCode note(const RemarkCommand& command) {
  require_text(command.text, "note");
  const auto day = day_option(command.day);
  const HistoryDatabase database = open_history(command.history, HistoryAccess::create);
  add_note(database, {.day = day.value_or(day_now()), .text = command.text});
  return ExitCode::good;
}

/// InputError when no series has the name, which would accept nothing.
void require_series(const HistoryDatabase& database, const std::string& name) {
  std::vector<std::string> names;
  for (const ListedSeries& series : listed_series(database)) {
    if (matches(series.kind.name, name)) return;
    names.push_back(series.kind.name);
  }
  const std::string nearest = nearest_name(name, names);
  throw InputError({"unknown series '" + name + "'", "the history has no such series",
                    nearest.empty() ? "ingest first" : "did you mean '" + nearest + "'?"});
}

ExitCode accept(const RemarkCommand& command) {
  const std::int64_t day = parse_day(command.day);
  const HistoryDatabase database = open_history(command.history, HistoryAccess::write);
  require_series(database, command.text);
  add_acceptance(database, {.day = day, .series = command.text, .why = command.why});
  return ExitCode::good;
}

ExitCode maintenance(const RemarkCommand& command) {
  const HistoryMaintenance window{.first_day = parse_day(command.day),
                                  .last_day = parse_day(command.last_day),
                                  .why = command.why};
  const HistoryDatabase database = open_history(command.history, HistoryAccess::create);
  add_maintenance(database, window);
  return ExitCode::good;
}

using Run = ExitCode (*)(const RemarkCommand&);

CLI::App* add_command(CLI::App& health, Action& chosen, const std::string& name,
                      const std::string& description, const std::shared_ptr<RemarkCommand>& command,
                      Run run) {
  CLI::App* app = health.add_subcommand(name, description);
  add_writing_options(*app, command->history);
  app->callback([command, run, &chosen] { chosen = [command, run] { return run(*command); }; });
  return app;
}

}  // namespace

void add_health_note(CLI::App& health, Action& chosen) {
  const auto command = std::make_shared<RemarkCommand>();
  CLI::App* app = add_command(health, chosen, "note",
                              "Tell the history what happened; shown beside changes of that time",
                              command, note);
  app->add_option("text", command->text, "Such as \"MPI 5.0.9 installed\"")->required();
  app->add_option("--day", command->day, "When it happened")->default_str("today, UTC");
}

void add_health_accept(CLI::App& health, Action& chosen) {
  const auto command = std::make_shared<RemarkCommand>();
  CLI::App* app = add_command(health, chosen, "accept",
                              "A change is right: from this day on a series has a new baseline",
                              command, accept);
  app->add_option("series", command->text, "Its name, with * for any text")->required();
  app->add_option("--day", command->day, "First night of the new level")->required();
  app->add_option("--why", command->why, "The reason")->default_str("none");
}

void add_health_maintenance(CLI::App& health, Action& chosen) {
  const auto command = std::make_shared<RemarkCommand>();
  CLI::App* app = add_command(health, chosen, "maintenance",
                              "Nights that do not count, because the machine was worked on",
                              command, maintenance);
  app->add_option("--from", command->day, "First day")->required();
  app->add_option("--to", command->last_day, "Last day, inclusive")->required();
  app->add_option("--why", command->why, "What was done")->default_str("none");
}

}  // namespace hockney
