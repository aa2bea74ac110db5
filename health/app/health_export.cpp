#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/atomic_file.hpp"
#include "core/cli/subcommand.hpp"
#include "health/app/health.hpp"
#include "health/app/health_options.hpp"
#include "health/history/export.hpp"

namespace hockney::health {
namespace {

struct ExportCommand {
  HistoryOptions history;
  std::string output;
};

struct ImportCommand {
  HistoryOptions history;
  std::string file;
};

/// Never whole in memory: an export may be too long for that.
void export_to(const HistoryDatabase& database, const std::string& file) {
  OutputFile out(file);
  export_history(database, out.stream());
  out.keep();
}

ExitCode run_export(const ExportCommand& command) {
  const HistoryDatabase database = open_history(command.history, HistoryAccess::read);
  command.output.empty() ? export_history(database, std::cout)
                         : export_to(database, command.output);
  return ExitCode::good;
}

ExitCode run_import(const ImportCommand& command) {
  std::error_code unreadable;
  std::ifstream in(command.file, std::ios::binary);
  const bool folder = std::filesystem::is_directory(command.file, unreadable);
  if (folder || !in) {
    throw InputError({"cannot read '" + command.file + "'",
                      folder ? "it is a folder" : std::strerror(errno), "check the name"});
  }
  const HistoryDatabase database = open_history(command.history, HistoryAccess::create);
  const Imported imported = import_history(database, in, command.file);
  std::cout << imported.nights << " nights, " << imported.figures << " values, " << imported.pairs
            << " pairs of nodes, " << imported.remarks << " remarks";
  if (imported.nights_there > 0) {
    std::cout << "; " << imported.nights_there << " nights were in the history already";
  }
  std::cout << '\n';
  return ExitCode::good;
}

void add_export_options(CLI::App& app, ExportCommand& command) {
  tried_first(app.add_option("-o,--output", command.output, "Write to this file"))
      ->default_str("stdout");
  add_history_option(app, command.history);
}

void add_import_options(CLI::App& app, ImportCommand& command) {
  app.add_option("file", command.file, "What hockney health export wrote")->required();
  add_writing_options(app, command.history);
}

}  // namespace

void add_health_export(CLI::App& health, Action& chosen) {
  add_command<ExportCommand>(
      health, chosen, "export", "The whole history as JSON lines, nothing left out",
      add_export_options, run_export,
      {.examples = {
           {"hockney health export > history.jsonl", "the whole history"},
           {"hockney health export -o history.jsonl", "the same, or no file at all"},
           {"hockney health export --history site.sqlite | head -1", "what a line is like"}}});
}

void add_health_import(CLI::App& health, Action& chosen) {
  add_command<ImportCommand>(
      health, chosen, "import", "Add an export to a history, or make one of it", add_import_options,
      run_import,
      {.examples = {
           {"hockney health import history.jsonl --history copy.sqlite",
            "make a history of an export"},
           {"hockney health import history.jsonl --history site.sqlite", "add one to another"},
           {"hockney health import history.jsonl --history site.sqlite --wait 5m",
            "while others write"}}});
}

}  // namespace hockney::health
