#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>

#include "core/cli/subcommand.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "health/app/health.hpp"
#include "health/app/health_options.hpp"
#include "health/history/reading.hpp"
#include "health/nights/ingest.hpp"
#include "health/report/health_report.hpp"
#include "report/fault_lines.hpp"
#include "report/progress.hpp"

namespace hockney::health {
namespace {

struct IngestCommand {
  HistoryOptions history;
  std::vector<std::string> paths;
  std::string day;
};

struct ForgetCommand {
  HistoryOptions history;
  std::string night;
  std::optional<std::string> campaign;
  bool dry_run = false;
};

std::string night_text(std::int64_t day, const std::string& campaign) {
  return day_text(day) + (campaign.empty() ? "" : " campaign '" + inert(campaign) + "'");
}

std::string text_of(const Ingested& outcome, Stored stored) {
  const std::string night = night_text(outcome.day, outcome.campaign);
  if (stored == Stored::unchanged) return night + ": in the history already";
  return night + ": " + std::to_string(outcome.records) + " records, " +
         std::to_string(outcome.series) + " series" +
         (outcome.pairs > 0 ? ", " + std::to_string(outcome.pairs) + " pairs of nodes" : "") +
         (stored == Stored::replaced ? ", night made anew" : "");
}

std::size_t left_out_text(const Ingested& outcome, const std::string& folder) {
  if (outcome.left_out > 0) {
    std::cerr << inert(folder) << ": " << outcome.left_out
              << " interrupted or failed launches are left out\n";
  }
  return outcome.left_out;
}

ExitCode ingest(const IngestCommand& command) {
  const auto day = day_option(command.day);
  const std::vector<RecordFolder> folders = record_folders(command.paths);
  const HistoryDatabase database = open_history(command.history, HistoryAccess::create);
  NightWriter writer(database);
  report::FolderProgress progress(std::cerr, report::style_of_stderr(), folders.size());
  std::size_t nights = 0;
  std::size_t left_out = 0;
  bool has_faults = false;
  for (const RecordFolder& folder : folders) {
    progress.begin(folder.folder);
    const Ingested outcome = ingest_folder(database, writer, folder, day);
    progress.end();
    left_out += left_out_text(outcome, folder.folder);
    if (!outcome.stored) continue;
    ++nights;
    for (const std::string& line : report::fault_lines(outcome.faults)) {
      std::cout << word(State::corrupt) << "   " << line << '\n';
      has_faults = true;
    }
    std::cout << text_of(outcome, *outcome.stored) << '\n';
  }
  progress.finish();
  if (nights > 0) return has_faults ? ExitCode::verdict_failed : ExitCode::good;
  throw InputError({"no complete record",
                    left_out > 0 ? std::to_string(left_out) + " launches were interrupted or failed"
                                 : "none of the documents is a record of a launch",
                    "name the folder of a campaign that has complete launches"});
}

/// InputError naming the night that is nearest in time.
[[noreturn]] void reject_night(const HistoryDatabase& database, std::int64_t day) {
  const std::vector<std::int64_t> days = history_days(database);
  if (days.empty()) {
    throw InputError({"no night of " + day_text(day),
                      "the history '" + database.file() + "' has no night",
                      "nothing is to forget"});
  }
  const std::int64_t nearest =
      *std::ranges::min_element(days, {}, [&](std::int64_t one) { return std::abs(one - day); });
  throw InputError(
      {"no night of " + day_text(day),
       "the history has those from " + day_text(days.front()) + " to " + day_text(days.back()),
       "did you mean '" + day_text(nearest) + "'?"});
}

/// The nights that are to go: all of the day, or that of one campaign.
std::vector<NightContent> chosen_nights(const HistoryDatabase& database, std::int64_t day,
                                        const std::optional<std::string>& campaign) {
  std::vector<NightContent> nights = nights_of_day(database, day);
  if (nights.empty()) reject_night(database, day);
  if (!campaign) return nights;
  const auto names = strings_of(nights, [](const NightContent& one) { return one.campaign; });
  std::erase_if(nights, [&](const NightContent& one) { return one.campaign != *campaign; });
  if (!nights.empty()) return nights;
  throw InputError({"no campaign '" + *campaign + "' on " + day_text(day),
                    "the history has others of that night", suggest(*campaign, names)});
}

ExitCode forget(const ForgetCommand& command) {
  const std::int64_t day = parse_day(command.night);
  const HistoryDatabase database =
      open_history(command.history, command.dry_run ? HistoryAccess::read : HistoryAccess::write);
  const auto nights = chosen_nights(database, day, command.campaign);
  if (!command.dry_run) {
    forget_nights(database, day,
                  strings_of(nights, [](const NightContent& one) { return one.campaign; }));
  }
  for (const NightContent& night : nights) {
    std::cout << (command.dry_run ? "would forget night " : "forgot night ")
              << night_text(day, night.campaign) << ": " << night.figures << " figures";
    if (night.pairs > 0) std::cout << ", " << night.pairs << " pairs of nodes";
    std::cout << " of " << night.records << " records\n";
  }
  return ExitCode::good;
}

void add_ingest_options(CLI::App& app, IngestCommand& command) {
  app.add_option("paths", command.paths, "Folders of campaigns, or record files")->required();
  app.add_option("--day", command.day, "The night that they belong to, such as 2026-11-22")
      ->default_str("that of the first launch, UTC");
  add_writing_options(app, command.history);
}

void add_forget_options(CLI::App& app, ForgetCommand& command) {
  app.add_option("night", command.night, "Its day, as health list names it, such as 2026-11-22")
      ->required();
  app.add_option("--campaign", command.campaign, "Only that of this campaign")
      ->default_str("all of the night");
  app.add_flag("--dry-run", command.dry_run, "Say what would go, and change nothing");
  add_writing_options(app, command.history);
}

}  // namespace

void add_health_ingest(CLI::App& health, Action& chosen) {
  add_command<IngestCommand>(
      health, chosen, "ingest",
      "Take the records of campaigns into the history; again and again does no harm",
      add_ingest_options, ingest,
      {.examples = {{"hockney health ingest results/tonight", "the campaign of a night"},
                    {"hockney health ingest nights/*", "all nights there are"},
                    {"hockney health ingest results/before --day 2026-11-01 --history site.sqlite",
                     "elsewhere"}}});
}

void add_health_forget(CLI::App& health, Action& chosen) {
  add_command<ForgetCommand>(
      health, chosen, "forget",
      "Take a night out of the history; its records can be ingested again", add_forget_options,
      forget,
      {.examples = {
           {"hockney health forget 2026-11-01 --history site.sqlite --dry-run",
            "say what would go"},
           {"hockney health forget 2026-11-01 --history site.sqlite", "take the night out"},
           {"hockney health forget 2026-11-22 --campaign nightly", "one campaign of several"}}});
}

}  // namespace hockney::health
