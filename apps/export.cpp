#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "apps/subcommands.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/subcommand.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/csv.hpp"

namespace hockney::apps {
namespace {

struct ExportOptions {
  std::string format;
  std::vector<std::string> paths;
  std::string output;
  bool launches = false;
};

ExitCode run_export(const ExportOptions& options) {
  if (options.format != "csv") {
    throw InputError({"unknown format '" + options.format + "'", "nothing writes it",
                      suggest(options.format, {"csv"})});
  }
  const std::vector<Record> records = load_records(options.paths, Kept::times);
  const std::vector<report::Row> rows =
      options.launches ? report::launch_rows(records) : report::campaign_rows(records);
  if (options.output.empty()) {
    write_csv(std::cout, rows, records);
    return ExitCode::good;
  }
  std::ostringstream text;
  write_csv(text, rows, records);
  write_atomically(options.output, text.str());
  return ExitCode::good;
}

void add_options(CLI::App& app, ExportOptions& options) {
  app.add_option("format", options.format, "csv: one row for each point of the campaign")
      ->required()
      ->type_name(type_of_choice({"csv"}));
  app.add_option("paths", options.paths, "Record files, or folders of campaigns")->required();
  app.add_flag("--launches", options.launches,
               "A row for each launch of a point, in place of one with the medians over launches");
  app.add_option("-o,--output", options.output, "Write to this file")->default_str("stdout");
}

}  // namespace

void add_export(CLI::App& driver, Action& chosen) {
  add_command<ExportOptions>(
      driver, chosen, "export", "Records as tidy rows for other programs", add_options, run_export,
      {.examples = {
           {"hockney export csv results/x > x.csv", "a row for each point"},
           {"hockney export csv results/x --launches -o launches.csv",
            "a row for each launch of it"},
           {"hockney export csv results/hops-* | cut -d, -f1-9", "the first columns of several"}}});
}

}  // namespace hockney::apps
