#include <iostream>

#include "apps/screens.hpp"
#include "apps/subcommands.hpp"
#include "core/cli/subcommand.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::apps {
namespace {

struct ReportOptions {
  std::vector<std::string> paths;
  std::string axis;
  bool in_bytes = false;
  ScreenChoice screen;
};

report::Screen screen_for(const std::vector<Record>& records,
                          const std::vector<std::string>& paths) {
  report::Screen screen = screen_of(records, style_of_terminal());
  const std::string names = inert(join(paths, " "));
  screen.next = {{"hockney report " + names + " --all", "all tables"},
                 {"hockney fit " + names, "models with intervals"},
                 {"hockney export csv " + names, "for a spreadsheet"}};
  return screen;
}

/// By one axis, the tables of all, or the answer.
ExitCode report(const ReportOptions& options) {
  const std::vector<Record> records = load_records(options.paths, Kept::times);
  ScreenChoice choice = options.screen;
  choice.all = choice.all || !options.axis.empty() || options.in_bytes;
  const std::vector<std::string> axes =
      options.axis.empty() ? verdicts::axes_of(records) : std::vector<std::string>{options.axis};
  show_screen(
      std::cout, choice, [&] { return screen_for(records, options.paths); },
      [&](std::ostream& out) {
        print_all_tables(out, records, axes, {.in_bytes = options.in_bytes});
      });
  return ExitCode::good;
}

void add_options(CLI::App& app, ReportOptions& options) {
  app.add_option("paths", options.paths, "Record files, or the folder of a campaign")->required();
  app.add_option("--by", options.axis, "Only the table by this axis of a sweep")
      ->default_str("a table by each axis there is");
  add_screen_options(app, options.screen);
  app.add_flag("--bytes", options.in_bytes, "All tables, with sizes as plain numbers, for awk");
}

}  // namespace

void add_report(CLI::App& driver, Action& chosen) {
  add_command<ReportOptions>(
      driver, chosen, "report", "The answer of a campaign; with --all its tables", add_options,
      report,
      {.examples = {{"hockney report results/x", "the answer"},
                    {"hockney report results/x --all", "a table by each axis, or of each curve"},
                    {"hockney report results/x --by algorithm", "only the table by this axis"}}});
}

}  // namespace hockney::apps
