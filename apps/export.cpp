#include <iostream>
#include <string>
#include <vector>

#include "apps/subcommands.hpp"
#include "core/cli/subcommand.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/csv.hpp"

namespace hockney {
namespace {

struct ExportOptions {
  std::string format;
  std::vector<std::string> paths;
};

ExitCode run_export(const ExportOptions& options) {
  if (options.format != "csv") {
    throw InputError({"unknown format '" + options.format + "'", "nothing writes it",
                      suggest(options.format, {"csv"})});
  }
  write_csv(std::cout, campaign_rows(load_records(options.paths, Kept::times)));
  return ExitCode::good;
}

void add_options(CLI::App& app, ExportOptions& options) {
  app.add_option("format", options.format, "csv: one row for each point of the campaign")
      ->required();
  app.add_option("paths", options.paths, "Record files, or folders of campaigns")->required();
}

}  // namespace

void add_export(CLI::App& driver, Action& chosen) {
  add_command<ExportOptions>(driver, chosen, "export", "Records as tidy rows for other programs",
                             add_options, run_export);
}

}  // namespace hockney
