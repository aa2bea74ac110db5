#include <filesystem>
#include <iostream>

#include "apps/fit.hpp"
#include "apps/subcommands.hpp"
#include "campaign/app/page_output.hpp"
#include "core/cli/command_line.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/record_tables.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/variability.hpp"

namespace hockney::apps {
namespace {

struct ReportOptions {
  std::vector<std::string> paths;
  std::string axis;
  bool in_bytes = false;
  bool spread = false;
  campaign::PageOutput page;
  ScreenChoice screen;
};

/// Each folder separately; files that are named one by one are launches of one campaign.
std::vector<report::NamedRecords> load_folders(const std::vector<std::string>& paths) {
  std::vector<report::NamedRecords> folders;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code unreachable;
    if (!std::filesystem::is_directory(path, unreachable)) {
      files.push_back(path);
    } else {
      folders.push_back({.name = path, .records = load_records({path}, Kept::times)});
    }
  }
  if (files.empty()) return folders;
  folders.push_back({.name = join(files, " "), .records = load_records(files, Kept::times)});
  return folders;
}

report::Screen screen_for(report::RecordFolders& folders, const std::vector<std::string>& paths) {
  report::Screen screen = screen_of(folders, style_of_terminal());
  const std::string names = inert(join(paths, " "));
  screen.next = {{"hockney report " + names + " -o page.html", "pictures"},
                 {"hockney report " + names + " --all", "all tables"},
                 {"hockney fit " + names, "models with intervals"},
                 {"hockney export csv " + names, "for a spreadsheet"}};
  return screen;
}

/// Needs the samples, which tables do not.
ExitCode report_spread(const ReportOptions& options) {
  if (!options.axis.empty() || options.in_bytes || options.page.is_wanted()) {
    throw InputError({"--spread with --by, --bytes or a page", "it is a table of its own",
                      "ask for one after the other"});
  }
  const std::vector<Record> records = load_records(options.paths);
  report::print_faults(std::cout, find_faults(records));
  report::print_variability(std::cout, verdicts::split_variance(records));
  return ExitCode::good;
}

/// Writes the page if requested. Then prints tables by one axis, all tables, or the summary.
ExitCode report(const ReportOptions& options) {
  if (options.spread) return report_spread(options);
  const report::PageScripts scripts = scripts_for(options.page, options.paths);
  report::RecordFolders folders(load_folders(options.paths));
  if (options.page.is_wanted())
    campaign::save_page(options.page.file, page_with_fit(folders), scripts);
  ScreenChoice choice = options.screen;
  choice.all = choice.all || !options.axis.empty() || options.in_bytes;
  const std::vector<std::string> axes = options.axis.empty()
                                            ? verdicts::axes_of(folders.all().records())
                                            : std::vector<std::string>{options.axis};
  show_screen(
      std::cout, choice, [&] { return screen_for(folders, options.paths); },
      [&](std::ostream& out) {
        print_all_tables(out, folders.all(), axes, {.in_bytes = options.in_bytes});
      });
  return ExitCode::good;
}

void add_options(CommandLine& app, ReportOptions& options) {
  app.add_option("paths", options.paths, "Record files, or the folder of a campaign").required();
  app.add_option("--by", options.axis, "Only the table by this axis of a sweep")
      .default_str("a table by each axis there is");
  campaign::add_page_options(app, "-o,--output",
                             "Also write all of it, with pictures, as one HTML page to this file",
                             options.page);
  add_screen_options(app, options.screen);
  app.add_flag("--spread", options.spread,
               "Where the spread of times comes from: repetitions, blocks, launches, places, jobs, "
               "days")
      .excludes(app.option("--all"))
      .excludes(app.option("--quiet"));
  app.add_flag("--bytes", options.in_bytes, "All tables, with sizes as plain numbers, for awk");
}

}  // namespace

void add_report(CommandLine& driver, Action& chosen) {
  add_command<ReportOptions>(
      driver, chosen, "report", "The answer of a campaign, its tables, or a page with pictures",
      add_options, report,
      {.examples = {{"hockney report results/x", "the answer"},
                    {"hockney report results/x -o page.html", "a page with pictures"},
                    {"hockney report results/x --by algorithm", "only the table by this axis"}}});
}

}  // namespace hockney::apps
