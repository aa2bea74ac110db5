#include <iostream>

#include "apps/subcommands.hpp"
#include "core/cli/subcommand.hpp"
#include "core/record_file.hpp"
#include "report/algorithm_table.hpp"
#include "report/axis_table.hpp"
#include "report/record_tables.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney {
namespace {

struct ReportOptions {
  std::vector<std::string> paths;
  std::string axis;
};

/// By one axis or by all there are; settings side by side where there is none.
ExitCode report(const ReportOptions& options) {
  const std::vector<Record> records = load_records(options.paths, Kept::times);
  const std::vector<std::string> axes =
      options.axis.empty() ? axes_of(records) : std::vector<std::string>{options.axis};
  for (const std::string& axis : axes) print_axis_table(std::cout, by_axis(records, axis));
  print_algorithm_tables(std::cout, records);
  if (axes.empty()) print_record_tables(std::cout, records);
  return ExitCode::good;
}

void add_options(CLI::App& app, ReportOptions& options) {
  app.add_option("paths", options.paths, "Record files, or the folder of a campaign")->required();
  app.add_option("--by", options.axis, "Only the table by this axis of a sweep")
      ->default_str("a table by each axis there is");
}

}  // namespace

void add_report(CLI::App& driver, Action& chosen) {
  add_command<ReportOptions>(driver, chosen, "report",
                             "Tables of a campaign; of a sweep by its axes", add_options, report);
}

}  // namespace hockney
