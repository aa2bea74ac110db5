#include <chrono>
#include <iostream>
#include <memory>
#include <set>

#include "apps/health/health_history.hpp"
#include "apps/health/health_subcommands.hpp"
#include "cli/cli11.hpp"
#include "core/days.hpp"
#include "core/inert_text.hpp"
#include "history/nights/ingest.hpp"
#include "report/health/folder_progress.hpp"

namespace hockney {
namespace {

struct IngestCommand {
  HistoryOptions history;
  std::vector<std::string> paths;
  std::string day;
};

std::string text_of(const Ingested& outcome, Stored stored) {
  const std::string night =
      day_text(outcome.day) +
      (outcome.campaign.empty() ? "" : " campaign '" + inert(outcome.campaign) + "'");
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

ExitCode run(const IngestCommand& command) {
  const auto day = day_option(command.day);
  const std::vector<RecordFolder> folders = record_folders(command.paths);
  const HistoryDatabase database = open_history(command.history, HistoryAccess::create);
  NightWriter writer(database);
  FolderProgress progress(std::cerr, style_of_stderr(), folders.size());
  std::size_t nights = 0;
  std::size_t left_out = 0;
  for (const RecordFolder& folder : folders) {
    progress.begin(folder.folder);
    const Ingested outcome = ingest_folder(database, writer, folder, day);
    progress.end();
    left_out += left_out_text(outcome, folder.folder);
    if (!outcome.stored) continue;
    ++nights;
    std::cout << text_of(outcome, *outcome.stored) << '\n';
  }
  progress.finish();
  if (nights > 0) return ExitCode::good;
  throw InputError({"no complete record",
                    left_out > 0 ? std::to_string(left_out) + " launches were interrupted or failed"
                                 : "none of the documents is a record of a launch",
                    "name the folder of a campaign that has complete launches"});
}

}  // namespace

void add_health_ingest(CLI::App& health, Action& chosen) {
  const auto command = std::make_shared<IngestCommand>();
  CLI::App* app = health.add_subcommand(
      "ingest", "Take the records of campaigns into the history; again and again does no harm");
  app->add_option("paths", command->paths, "Folders of campaigns, or record files")->required();
  app->add_option("--day", command->day, "The night that they belong to, such as 2026-11-22")
      ->default_str("that of the first launch, UTC");
  add_writing_options(*app, command->history);
  app->callback([command, &chosen] { chosen = [command] { return run(*command); }; });
}

}  // namespace hockney
