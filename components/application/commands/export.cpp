#include <fmt/format.h>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "components/application/commands/commands.hpp"
#include "components/application/profile/profile_file.hpp"
#include "components/application/screens/function_views.hpp"
#include "components/application/symbols/frame_names.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "driver/subcommands.hpp"
#include "report/curve_tables.hpp"
#include "report/exports.hpp"
#include "verdicts/disturbance.hpp"

namespace hockney::driver {
namespace {

struct ExportOptions {
  std::string format;
  std::vector<std::string> paths;
  std::string output;
  bool launches = false;
};

const std::vector<std::string> export_formats{"csv", "folded"};

/// The stacks of a profile's samples, a line each.
ExitCode export_stacks(const ExportOptions& options) {
  if (options.launches) {
    throw InputError({"--launches with folded", "stacks have no launches", "leave it out"});
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
  if (options.format == "folded") return export_stacks(options);
  throw InputError({fmt::format("unknown format '{}'", options.format), "nothing writes it",
                    suggest(options.format, export_formats)});
}

void add_options(CommandLine& app, ExportOptions& options) {
  app.add_option("kind", options.format,
                 "csv: the rows of hockney report --csv; folded: the stacks of a sampled program, "
                 "for flame graphs")
      .required()
      .type_name(type_of_choice(export_formats));
  app.add_option("paths", options.paths,
                 "Record files, or folders of campaigns; for folded a profile with samples")
      .required();
  app.add_flag("--launches", options.launches,
               "A row for each launch of a point, in place of one with the medians over launches");
  app.add_option("-o,--output", options.output, "Write to this file").default_str("stdout");
}

}  // namespace

void add_export(CommandLine& driver, Action& chosen) {
  add_command<ExportOptions>(
      driver, chosen, export_beside.name, export_beside.summary, add_options, run_export,
      {.examples = {{"hockney export csv results/x > x.csv", "a row for each point"},
                    {"hockney export csv results/x --launches -o x.csv", "a row for each launch"},
                    {"hockney export folded s4.json > s4.folded", "stacks with their samples"}}});
}

}  // namespace hockney::driver
