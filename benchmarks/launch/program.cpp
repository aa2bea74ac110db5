#include "benchmarks/launch/program.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/launch/launch.hpp"
#include "benchmarks/launch/mpi_program.hpp"
#include "benchmarks/launch/option_parser.hpp"
#include "benchmarks/launch/path_check.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/record_flags.hpp"
#include "report/record_tables.hpp"

namespace hockney {
namespace {

void list_operations(std::ostream& out) {
  for (const CatalogueEntry& entry : catalogue()) {
    out << entry.descriptor.name << "\n    time of:   " << entry.descriptor.summary
        << "\n    bytes of:  " << entry.descriptor.sizes
        << "\n    bandwidth: " << entry.descriptor.counts << '\n';
  }
}

void list_guidelines(std::ostream& out) {
  out << "\nguidelines\n";
  for (const Guideline& guideline : guidelines()) out << guideline.name << '\n';
}

/// What the bytes of the collectives are that were measured.
void print_conventions(std::ostream& out, const LaunchOptions& options) {
  bool any = false;
  for (const std::string& name : options.operations) {
    const Descriptor& descriptor = find_operation(name).descriptor;
    if (!descriptor.single || !descriptor.sized) continue;
    out << name << ": bytes are those of " << descriptor.sizes << '\n';
    any = true;
  }
  if (any) out << '\n';
}

/// 3 when any data arrived wrong, with one line for each point.
ExitCode judge_data(const Record& record) {
  std::vector<Point> wrong;
  for (const Series& series : record.series) {
    const bool is_flagged = std::ranges::find(series.flags, corrupt_flag) != series.flags.end();
    if (is_flagged) wrong.push_back(series.point);
  }
  for (const PlannedPoint& planned : record.points) {
    if (planned.reason == wrong_data_reason) wrong.push_back(planned.point);
  }
  for (const Point& point : wrong) {
    std::cerr << to_line({"wrong data received by " + curve_name(point) + " at " +
                              std::to_string(point.bytes.value) + " bytes",
                          "the receive buffer does not hold what was sent",
                          "suspect the MPI library, the network or the memory"})
              << '\n';
  }
  return wrong.empty() ? ExitCode::good : ExitCode::run_failed;
}

/// 1 when messages went another way than expected, with one line.
ExitCode judge_paths(const Record& record, const LaunchOptions& options) {
  const auto difference = path_difference(record, options.expected_path);
  if (!difference) return ExitCode::good;
  std::cerr << to_line(*difference) << '\n';
  return ExitCode::verdict_failed;
}

/// Leaves the record of rank 0 in `record`.
ExitCode launch(const Program& program, const LaunchOptions& options,
                std::optional<Record>& record) {
  record = run_launch(MPI_COMM_WORLD, program.procedure, options);
  if (!record) return ExitCode::good;
  if (options.json) {
    std::cout << json_text(to_json(*record)) << '\n';
  } else {
    print_conventions(std::cout, options);
    print_record_tables(std::cout, {&*record, 1}, {.tails = options.tails});
  }
  const ExitCode paths = judge_paths(*record, options);
  const ExitCode data = judge_data(*record);
  return data == ExitCode::good ? paths : data;
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
  CLI::App app(program.description, program.name);
  bool list = false;
  app.add_flag("--list", list, "List the operations and the bytes they count");
  LaunchOptionParser parser(app, program);
  LaunchOptions options;
  const auto prepare = [&] {
    options = parser.options();
    if (list) list_operations(std::cout);
    if (list && program.holds_to_guidelines) list_guidelines(std::cout);
    return list;
  };
  std::optional<Record> record;
  return run_mpi_program(app,
                         {.prepare = prepare,
                          .run = [&] { return launch(program, options, record); },
                          .keep = [&] { return place_of(record, options.output); }},
                         argc, argv);
}

}  // namespace hockney
