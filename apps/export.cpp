#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "apps/export_simgrid.hpp"
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
  std::optional<double> speed;
};

const std::vector<std::string> export_formats{"csv", "simgrid"};

ExitCode export_trace(const ExportOptions& options) {
  if (options.launches) {
    throw InputError({"--launches with simgrid", "it says which rows csv has", "leave it out"});
  }
  if (options.paths.size() != 1) {
    throw InputError({std::to_string(options.paths.size()) + " files for simgrid",
                      "a trace is of one run", "name one profile with a log of events"});
  }
  if (options.output.empty()) {
    throw InputError({"simgrid without --output", "a trace is a folder with a file for each rank",
                      "name a new folder with -o"});
  }
  SimGridExport request{options.paths.front(), options.output};
  request.flops_per_second = options.speed.value_or(request.flops_per_second);
  export_simgrid(request);
  return ExitCode::good;
}

ExitCode export_rows(const ExportOptions& options) {
  if (options.speed) {
    throw InputError({"--speed with csv", "rows have no processors", "leave it out"});
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

ExitCode run_export(const ExportOptions& options) {
  if (options.format == "csv") return export_rows(options);
  if (options.format == "simgrid") return export_trace(options);
  throw InputError({"unknown format '" + options.format + "'", "nothing writes it",
                    suggest(options.format, export_formats)});
}

void add_options(CLI::App& app, ExportOptions& options) {
  app.add_option("kind", options.format,
                 "csv: one row for each point of the campaign; simgrid: a logged program, for "
                 "smpirun -replay")
      ->required()
      ->type_name(type_of_choice(export_formats));
  app.add_option("paths", options.paths,
                 "Record files, or folders of campaigns; for simgrid a profile with a log")
      ->required();
  app.add_flag("--launches", options.launches,
               "A row for each launch of a point, in place of one with the medians over launches");
  app.add_option("--speed", options.speed,
                 "What a processor as fast as those of the run computes, for simgrid [flop/s]")
      ->check(CLI::PositiveNumber)
      ->default_str("1e9");
  app.add_option("-o,--output", options.output, "Write to this file; for simgrid a new folder")
      ->default_str("stdout");
}

}  // namespace

void add_export(CLI::App& driver, Action& chosen) {
  add_command<ExportOptions>(
      driver, chosen, "export",
      "Records as tidy rows, logged programs as traces, for other programs", add_options,
      run_export,
      {.examples = {
           {"hockney export csv results/x > x.csv", "a row for each point"},
           {"hockney export csv results/x --launches -o launches.csv",
            "a row for each launch of it"},
           {"hockney export simgrid run.json -o trace", "a logged program, for smpirun -replay"}}});
}

}  // namespace hockney::apps
