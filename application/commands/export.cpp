#include <fmt/format.h>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "application/commands/commands.hpp"
#include "application/commands/predict.hpp"
#include "application/profile/profile_file.hpp"
#include "application/screens/function_views.hpp"
#include "application/screens/profile_exports.hpp"
#include "application/symbols/frame_names.hpp"
#include "apps/subcommands.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/exports.hpp"
#include "verdicts/disturbance.hpp"

namespace hockney::apps {
namespace {

struct ExportOptions {
  std::string format;
  std::vector<std::string> paths;
  std::string output;
  bool launches = false;
  std::optional<double> speed;
};

const std::vector<std::string> export_formats{"csv", "simgrid", "folded"};

std::string new_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  if (fs::exists(folder)) {
    throw InputError({fmt::format("'{}' is there already", folder),
                      "a trace is a folder of its own", "name another with -o"});
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw RunError({fmt::format("cannot make '{}'", folder), error.message(), ""});
  return fs::absolute(folder).string();
}

std::string lines_of(const std::vector<std::string>& lines) { return join(lines, "\n") + "\n"; }

/// Writes to the folder: the actions of each rank (rank-0.txt, ...), their list (ranks), and a host
/// for each rank (hosts).
void write_trace(const ExportOptions& options) {
  const std::string& file = options.paths.front();
  const applications::TraceAnalysis run(applications::load_trace(load_logged(file), file));
  const report::SimGridTrace actions(run.program(), options.speed.value_or(1e9));
  const std::string folder = new_folder(options.output);
  std::vector<std::string> files;
  for (std::size_t rank = 0; rank < actions.ranks(); ++rank) {
    files.push_back(fmt::format("{}/rank-{}.txt", folder, rank));
    OutputFile output(files.back());
    actions.write(output.stream(), rank);
    output.keep();
  }
  write_atomically(folder + "/hosts", lines_of(run.trace().hosts()));
  write_atomically(folder + "/ranks", lines_of(files));
  for (const std::string& note : actions.notes()) std::cerr << "note: " << note << '\n';
  std::cerr << fmt::format(
      "replay it: smpirun -np {0} -hostfile {1}/hosts -platform PLATFORM.xml -replay {1}/ranks\n",
      actions.ranks(), options.output);
}

ExitCode export_trace(const ExportOptions& options) {
  if (options.launches) {
    throw InputError({"--launches with simgrid", "it says which rows csv has", "leave it out"});
  }
  if (options.paths.size() != 1) {
    throw InputError({fmt::format("{} files for simgrid", options.paths.size()),
                      "a trace is of one run", "name one profile with a log of events"});
  }
  if (options.output.empty()) {
    throw InputError({"simgrid without --output", "a trace is a folder with a file for each rank",
                      "name a new folder with -o"});
  }
  write_trace(options);
  return ExitCode::good;
}

/// The stacks of a profile's samples, a line each.
ExitCode export_stacks(const ExportOptions& options) {
  if (options.launches || options.speed) {
    throw InputError({fmt::format("{} with folded", options.launches ? "--launches" : "--speed"),
                      "stacks have neither launches nor processors", "leave it out"});
  }
  if (options.paths.size() != 1) {
    throw InputError({fmt::format("{} files for folded", options.paths.size()),
                      "stacks are of one run", "name one profile with samples"});
  }
  if (!options.output.empty()) check_writable(options.output);
  const profile::Profile profile = profile::load_profile(options.paths.front());
  const symbols::NamedFrames named = symbols::name_frames(profile);
  const auto sampled = applications::sampled_functions(profile, named.names);
  if (!sampled) {
    throw InputError({fmt::format("'{}' has no samples", options.paths.front()),
                      "it was recorded without --sample",
                      "record some: hockney profile --sample -- COMMAND"});
  }
  for (const std::string& doubt : named.doubts) std::cerr << "note: " << doubt << '\n';
  if (options.output.empty()) {
    report::write_folded(std::cout, *sampled);
    return ExitCode::good;
  }
  std::ostringstream text;
  report::write_folded(text, *sampled);
  write_atomically(options.output, text.str());
  return ExitCode::good;
}

ExitCode export_rows(const ExportOptions& options) {
  if (options.speed) {
    throw InputError({"--speed with csv", "rows have no processors", "leave it out"});
  }
  if (!options.output.empty()) check_writable(options.output);
  std::vector<Record> records = load_records(options.paths, Kept::times);
  verdicts::judge_launches(records);
  report::print_faults(std::cerr, find_faults(records));
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
  if (options.format == "folded") return export_stacks(options);
  throw InputError({fmt::format("unknown format '{}'", options.format), "nothing writes it",
                    suggest(options.format, export_formats)});
}

void add_options(CommandLine& app, ExportOptions& options) {
  app.add_option("kind", options.format,
                 "csv: one row for each point of the campaign; simgrid: a logged program, for "
                 "smpirun -replay; folded: the stacks of a sampled program, for flame graphs")
      .required()
      .type_name(type_of_choice(export_formats));
  app.add_option(
         "paths", options.paths,
         "Record files, or folders of campaigns; for simgrid a profile with a log, for folded "
         "one with samples")
      .required();
  app.add_flag("--launches", options.launches,
               "A row for each launch of a point, in place of one with the medians over launches");
  app.add_option("--speed", options.speed,
                 "What a processor as fast as those of the run computes, for simgrid [flop/s]")
      .positive()
      .default_str("1e9");
  app.add_option("-o,--output", options.output, "Write to this file; for simgrid a new folder")
      .default_str("stdout");
}

}  // namespace

void add_export(CommandLine& driver, Action& chosen) {
  add_command<ExportOptions>(
      driver, chosen, export_beside.name, export_beside.summary, add_options, run_export,
      {.examples = {
           {"hockney export csv results/x > x.csv", "a row for each point"},
           {"hockney export simgrid run.json -o trace", "a logged program, for smpirun -replay"},
           {"hockney export folded s4.json > s4.folded", "stacks with their samples"}}});
}

}  // namespace hockney::apps
