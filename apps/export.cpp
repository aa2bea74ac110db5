#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/subcommands.hpp"
#include "core/cli/cli11.hpp"
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

}  // namespace

void add_export(CLI::App& driver, Action& chosen) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* app = driver.add_subcommand("export", "Records as tidy rows for other programs");
  app->add_option("format", options->format, "csv: one row for each point of the campaign")
      ->required();
  app->add_option("paths", options->paths, "Record files, or folders of campaigns")->required();
  app->callback([options, &chosen] { chosen = [options] { return run_export(*options); }; });
}

}  // namespace hockney
