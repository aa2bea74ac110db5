#include <fmt/format.h>
#include <filesystem>
#include <iostream>

#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/operation_campaign.hpp"
#include "driver/fit.hpp"
#include "driver/output/output.hpp"
#include "driver/screens/answers.hpp"
#include "driver/screens/nodes.hpp"
#include "driver/subcommands.hpp"
#include "driver/suite_layout.hpp"
#include "report/size_table.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/disturbance.hpp"

namespace hockney::driver {
namespace {

struct ReportOptions {
  std::vector<std::string> paths;
  std::string axis;
  std::string layout;
  bool in_bytes = false;
  campaign::OutputOptions output;
};

/// Whether the only path is the folder of a campaign of operations, with a manifest that can be
/// read: the reading of its records has named a damaged one.
bool is_of_operations(const std::vector<std::string>& paths) {
  const std::string file = campaign::campaign_folder(paths.front()).manifest();
  std::error_code unreachable;
  if (paths.size() > 1 || !std::filesystem::exists(file, unreachable)) return false;
  try {
    return campaign::is_of_operations(campaign::load_manifest(file).config);
  } catch (const InputError&) {
    return false;
  }
}

/// Makes launches that died count, and returns a line for each.
std::vector<std::string> count_unfinished(std::vector<Record>& records) {
  std::vector<std::string> lines;
  for (Record& record : records) {
    if (record.status != LaunchStatus::interrupted || record.series.empty()) continue;
    record.status = LaunchStatus::complete;
    lines.push_back(fmt::format(
        "{}{}: figures are of what it measured until then", escaped(record.stopped_because),
        record.under_way.empty() ? "" : " at " + escaped(record.under_way)));
  }
  return lines;
}

/// Records of each folder separately. Files that are named one by one are launches of one campaign.
struct LoadedFolders {
  std::vector<report::NamedRecords> folders;
  std::vector<std::string> unfinished;  ///< a line for each named launch that died
};

/// Launches that died count if their file is named, as its journal is; those in a folder do not.
LoadedFolders load_folders(const std::vector<std::string>& paths) {
  std::vector<report::NamedRecords> folders;
  std::vector<std::string> unfinished;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code unreachable;
    if (!std::filesystem::is_directory(path, unreachable)) {
      files.push_back(path);
    } else {
      folders.push_back({.name = path, .records = usable_records({path})});
    }
  }
  if (!files.empty()) {
    folders.push_back({.name = join(files, " "), .records = usable_records(files)});
    unfinished = count_unfinished(folders.back().records);
  }
  std::vector<Record*> all;
  for (report::NamedRecords& folder : folders) {
    for (Record& record : folder.records) all.push_back(&record);
  }
  verdicts::judge_launches(all);
  return {std::move(folders), std::move(unfinished)};
}

report::Screen screen_for(report::Results& results, const std::vector<std::string>& paths,
                          const std::vector<std::string>& unfinished) {
  const report::ScreenStyle style = campaign::style_of_terminal();
  report::Screen screen = screen_of(results, style);
  screen.reliability.insert(screen.reliability.begin(), unfinished.begin(), unfinished.end());
  const std::string names = escaped(shell_words(paths));
  screen.next = {{fmt::format("hockney report {} -o page.html", names), "pictures"},
                 {fmt::format("hockney report {} --all", names), "all tables"}};
  if (unfinished.empty()) {  // other commands leave them out
    screen.next.push_back({"hockney fit " + names, "models with intervals"});
    screen.next.push_back({fmt::format("hockney report {} --csv", names), "for a spreadsheet"});
  }
  const bool is_of_nodes = report::are_of_several_nodes(results.records());
  if (is_of_nodes) screen.next[1] = {fmt::format("hockney report {} --csv", names), "every node"};
  if (!is_of_nodes && is_of_operations(paths)) put_sizes(screen, results.shown_rows());
  return screen;
}

/// Writes the page if requested. Then prints tables by one axis, all tables, or the summary.
ExitCode report(const ReportOptions& options) {
  campaign::OutputOptions forms = options.output;
  const std::optional<report::SuiteLayout> layout = layout_of(options.layout);
  const bool wants_tables = !options.axis.empty() || options.in_bytes || layout;
  forms.all = forms.all || (wants_tables && !forms.json && !forms.csv && !forms.quiet);
  const campaign::Output output(forms, options.paths);
  LoadedFolders loaded = load_folders(options.paths);
  if (forms.all || forms.json || forms.csv || forms.quiet) {
    for (const std::string& line : loaded.unfinished) std::cerr << line << '\n';
  }
  report::Results results(std::move(loaded.folders));
  const std::vector<std::string> axes = options.axis.empty()
                                            ? verdicts::axes_of(results.records())
                                            : std::vector<std::string>{options.axis};
  campaign::Result result =
      result_of(results, [&] { return screen_for(results, options.paths, loaded.unfinished); },
                axes, {.in_bytes = options.in_bytes});
  if (layout) use_layout(result, *layout, results.rows());
  output.show(result);
  return ExitCode::good;
}

void add_options(CommandLine& app, ReportOptions& options) {
  app.add_option("paths", options.paths, "Record files, or the folder of a campaign").required();
  app.add_option("--by", options.axis, "Only the table by this axis of a sweep")
      .default_str("a table by each axis there is");
  add_output_options(app, options.output, {.page = true});
  add_layout_option(app, options.layout);
  app.add_flag("--bytes", options.in_bytes, "All tables, with sizes as plain numbers, for awk")
      .excludes(app.option("--quiet"))
      .excludes(app.option("--json"))
      .excludes(app.option("--csv"));
}

}  // namespace

void add_report(CommandLine& driver, Action& chosen) {
  add_command<ReportOptions>(
      driver, chosen, "report",
      "Summarise a campaign: what it measured, as text, tables, JSON, CSV or a page with pictures",
      add_options, report,
      {.examples = {{"hockney report results/x", "the summary"},
                    {"hockney report results/x -o page.html", "a page with pictures"},
                    {"hockney report results/x --by algorithm", "only the table by this axis"}}});
}

}  // namespace hockney::driver
