#include <iomanip>
#include <iostream>
#include <memory>

#include "apps/health/health_history.hpp"
#include "apps/health/health_subcommands.hpp"
#include "cli/cli11.hpp"
#include "core/days.hpp"
#include "core/inert_text.hpp"
#include "core/names.hpp"
#include "history/reading.hpp"
#include "history/remarks.hpp"
#include "history/wildcard.hpp"

namespace hockney {
namespace {

struct ListCommand {
  HistoryOptions history;
  std::string what = "nights";
  std::string series = "*";
};

void list_nights(const HistoryDatabase& database) {
  std::cout << std::left << std::setw(12) << "day" << std::right << std::setw(8) << "records"
            << "  campaign\n";
  for (const ListedNight& night : listed_nights(database)) {
    std::cout << std::left << std::setw(12) << day_text(night.day) << std::right << std::setw(8)
              << night.records << "  " << inert(night.campaign) << '\n';
  }
}

std::vector<ListedSeries> wanted_series(const HistoryDatabase& database,
                                        const std::string& pattern) {
  std::vector<ListedSeries> series = listed_series(database);
  const auto names = strings_of(series, [](const ListedSeries& one) { return one.kind.name; });
  std::erase_if(series, [&](const ListedSeries& one) { return !matches(one.kind.name, pattern); });
  if (!series.empty() || pattern == "*") return series;
  const std::string nearest = nearest_name(pattern, names);
  throw InputError({"unknown series '" + pattern + "'", "the history has no such series",
                    nearest.empty() ? "ingest first" : "did you mean '" + nearest + "'?"});
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
      std::cout << "  " << day_text(night.day) << "  " << std::setw(12) << night.value;
      if (night.interval) {
        std::cout << "  " << night.interval->low << " .. " << night.interval->high;
      }
      std::cout << "  (" << night.launches << " launches)\n";
    }
  }
}

std::string because(const std::string& why) { return why.empty() ? "" : "  " + why; }

void list_remarks(const HistoryDatabase& database) {
  for (const HistoryNote& note : read_notes(database)) {
    std::cout << day_text(note.day) << "  note         " << inert(note.text) << '\n';
  }
  for (const HistoryAcceptance& accepted : read_acceptances(database)) {
    std::cout << day_text(accepted.day) << "  accepted     "
              << inert(accepted.series + because(accepted.why)) << '\n';
  }
  for (const HistoryMaintenance& window : read_maintenances(database)) {
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

}  // namespace

void add_health_list(CLI::App& health, Action& chosen) {
  const auto command = std::make_shared<ListCommand>();
  CLI::App* app = health.add_subcommand("list", "What the history holds");
  app->add_option("what", command->what, "nights, series, values or remarks")
      ->capture_default_str();
  app->add_option("--series", command->series, "Of these series and values, with * for any text")
      ->capture_default_str();
  add_history_option(*app, command->history);
  app->callback([command, &chosen] { chosen = [command] { return run(*command); }; });
}

}  // namespace hockney
