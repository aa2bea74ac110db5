#include <iomanip>
#include <iostream>

#include "core/cli/subcommand.hpp"
#include "core/series_name.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "health/app/health.hpp"
#include "health/app/health_options.hpp"
#include "health/history/reading.hpp"
#include "health/history/remarks.hpp"
#include "health/report/health_report.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

struct ListCommand {
  HistoryOptions history;
  std::string what = "nights";
  std::string series = "*";
};

void list_nights(const HistoryDatabase& database) {
  const std::vector<ListedNight> nights = listed_nights(database);
  std::cout << std::left << std::setw(12) << "day" << std::right << std::setw(8) << "records"
            << "  campaign\n";
  for (const ListedNight& night : nights) {
    std::cout << std::left << std::setw(12) << day_text(night.day) << std::right << std::setw(8)
              << night.records << "  " << inert(night.campaign) << '\n';
  }
}

/// The series of that name; InputError naming the nearest when there is none.
std::vector<ListedSeries> named_series(const HistoryDatabase& database,
                                       const std::string& pattern) {
  std::vector<ListedSeries> series = listed_series(database);
  const auto names = strings_of(series, [](const ListedSeries& one) { return one.kind.name; });
  std::erase_if(series, [&](const ListedSeries& one) { return !matches(one.kind.name, pattern); });
  if (!series.empty()) return series;
  const std::string nearest = suggest(pattern, names, "hockney health list series");
  throw InputError({"unknown series '" + pattern + "'", "the history has no such series",
                    nearest.empty() ? "ingest first" : nearest});
}

std::vector<ListedSeries> wanted_series(const HistoryDatabase& database,
                                        const std::string& pattern) {
  return pattern == "*" ? listed_series(database) : named_series(database, pattern);
}

void list_series(const HistoryDatabase& database, const std::string& pattern) {
  for (const ListedSeries& series : wanted_series(database, pattern)) {
    std::cout << inert(series.kind.name + "  [" + series.kind.unit + "]")
              << (series.kind.role == SeriesRole::control ? " control" : "") << '\n';
  }
}

void list_values(const HistoryDatabase& database, const std::string& pattern) {
  for (const ListedSeries& series : wanted_series(database, pattern)) {
    const NightlySeries values = read_series(database, {series}).front();
    std::cout << inert(values.name + "  [" + values.unit + "]") << '\n';
    for (const NightlyValue& night : values.nights) {
      std::cout << "  " << day_text(night.day) << "  "
                << figure_text(night.value, night.interval, values.unit) << "  ("
                << report::count_text(night.launches, "launch") << ")\n";
    }
  }
}

std::string because(const std::string& why) { return why.empty() ? "" : "  " + why; }

void list_remarks(const HistoryDatabase& database) {
  for (const Note& note : read_notes(database)) {
    std::cout << day_text(note.day) << "  note         " << inert(note.text) << '\n';
  }
  for (const Acceptance& accepted : read_acceptances(database)) {
    std::cout << day_text(accepted.day) << "  accepted     "
              << inert(accepted.series + because(accepted.why)) << '\n';
  }
  for (const Maintenance& window : read_maintenances(database)) {
    std::cout << day_text(window.first_day) << "  maintenance  to " << day_text(window.last_day)
              << inert(because(window.why)) << '\n';
  }
}

ExitCode run(const ListCommand& command) {
  const HistoryDatabase database = open_history(command.history, HistoryAccess::read);
  if (command.what == "nights") {
    list_nights(database);
  } else if (command.what == "series") {
    list_series(database, command.series);
  } else if (command.what == "values") {
    list_values(database, command.series);
  } else if (command.what == "remarks") {
    list_remarks(database);
  } else {
    throw InputError({"unknown list '" + command.what + "'", "a history has no such thing",
                      suggest(command.what, {"nights", "series", "values", "remarks"})});
  }
  return ExitCode::good;
}

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

ExitCode accept(const RemarkCommand& command) {
  const std::int64_t day = parse_day(command.day);
  const HistoryDatabase database = open_history(command.history, HistoryAccess::write);
  named_series(database, command.text);  // what no series has would accept nothing
  add_acceptance(database, {.day = day, .series = command.text, .why = command.why});
  return ExitCode::good;
}

ExitCode maintenance(const RemarkCommand& command) {
  const Maintenance window{.first_day = parse_day(command.day),
                           .last_day = parse_day(command.last_day),
                           .why = command.why};
  const HistoryDatabase database = open_history(command.history, HistoryAccess::create);
  add_maintenance(database, window);
  return ExitCode::good;
}

void add_list_options(CLI::App& app, ListCommand& command) {
  app.add_option("what", command.what, "What to list")
      ->type_name("nights|series|values|remarks")
      ->capture_default_str();
  app.add_option("--series", command.series, "Of these series and values, with * for any text")
      ->capture_default_str();
  add_history_option(app, command.history);
}

void add_note_options(CLI::App& app, RemarkCommand& command) {
  add_writing_options(app, command.history);
  app.add_option("text", command.text, "Such as \"MPI 5.0.9 installed\"")->required();
  app.add_option("--day", command.day, "When it happened")->default_str("today, UTC");
}

void add_accept_options(CLI::App& app, RemarkCommand& command) {
  add_writing_options(app, command.history);
  app.add_option("series", command.text, "Its name, with * for any text")->required();
  app.add_option("--day", command.day, "First night of the new level")->required();
  app.add_option("--why", command.why, "The reason")->default_str("none");
}

void add_maintenance_options(CLI::App& app, RemarkCommand& command) {
  add_writing_options(app, command.history);
  app.add_option("--from", command.day, "First day")->required();
  app.add_option("--to", command.last_day, "Last day, inclusive")->required();
  app.add_option("--why", command.why, "What was done")->default_str("none");
}

}  // namespace

void add_health_list(CLI::App& health, Action& chosen) {
  add_command<ListCommand>(
      health, chosen, "list", "What the history holds", add_list_options, run,
      {.examples = {
           {"hockney health list", "the nights"},
           {"hockney health list series --series 'pingpong/*'", "names of series"},
           {"hockney health list values --history site.sqlite", "every value of every night"}}});
}

void add_health_note(CLI::App& health, Action& chosen) {
  add_command<RemarkCommand>(
      health, chosen, "note", "Tell the history what happened; shown beside changes of that time",
      add_note_options, note,
      {.examples = {
           {"hockney health note 'MPI 5.0.9 installed'", "today"},
           {"hockney health note 'new switch' --day 2026-11-03", "on a day"},
           {"hockney health note 'kernel 6.1.119' --history site.sqlite", "in another history"}}});
}

void add_health_accept(CLI::App& health, Action& chosen) {
  add_command<RemarkCommand>(
      health, chosen, "accept", "A change is right: from this day on a series has a new baseline",
      add_accept_options, accept,
      {.examples = {
           {"hockney health accept 'pingpong/*' --day 2026-11-03", "the new level of all of them"},
           {"hockney health accept '*/seconds' --day 2026-11-03 --why 'MPI 5.0.9'",
            "with the reason"},
           {"hockney health accept 'pingpong/*bytes=8*/seconds' --day 2026-11-03",
            "of one size"}}});
}

void add_health_maintenance(CLI::App& health, Action& chosen) {
  add_command<RemarkCommand>(
      health, chosen, "maintenance", "Nights that do not count, because the machine was worked on",
      add_maintenance_options, maintenance,
      {.examples = {
           {"hockney health maintenance --from 2026-11-03 --to 2026-11-03",
            "a night that does not count"},
           {"hockney health maintenance --from 2026-11-03 --to 2026-11-05 --why 'new switch'",
            "and why"},
           {"hockney health maintenance --from 2026-11-03 --to 2026-11-03 --history site.sqlite",
            "elsewhere"}}});
}

}  // namespace hockney::health
