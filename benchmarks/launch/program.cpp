#include "benchmarks/launch/program.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "benchmarks/harness/build_info.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/launch/early_rank.hpp"
#include "benchmarks/launch/launch.hpp"
#include "benchmarks/launch/option_parser.hpp"
#include "benchmarks/launch/visit_message.hpp"
#include "cli/command_line.hpp"
#include "core/record_file.hpp"
#include "report/record_tables.hpp"

namespace hockney {
namespace {

void list_operations(std::ostream& out) {
  for (const CatalogueEntry& entry : catalogue()) {
    out << entry.descriptor.name << "\n    time of:   " << entry.descriptor.summary
        << "\n    bandwidth: " << entry.descriptor.counts << '\n';
  }
}

/// 3 when any data arrived wrong, with one line for each series.
ExitCode judge_data(const Record& record) {
  ExitCode code = ExitCode::good;
  for (const Series& series : record.series) {
    if (std::ranges::find(series.flags, corrupt_flag) == series.flags.end()) continue;
    std::cerr << to_line({"wrong data received by " + curve_name(series.point) + " at " +
                              std::to_string(series.point.bytes.value) + " bytes",
                          "the receive buffer does not hold what was sent",
                          "suspect the MPI library, the network or the memory"})
              << '\n';
    code = ExitCode::run_failed;
  }
  return code;
}

ExitCode launch(const Program& program, const LaunchOptions& options) {
  const auto record = run_launch(MPI_COMM_WORLD, program.procedure, options);
  if (!record) return ExitCode::good;
  if (options.json) {
    std::cout << to_json(*record).dump(1) << '\n';
  } else {
    print_record_tables(std::cout, {&*record, 1}, {.tails = options.tails});
  }
  return judge_data(*record);
}

/// Input errors are the same on all ranks, so rank 0 speaks for all and everybody leaves in order.
/// Anything else may have hit one rank alone: it speaks, and ends the job.
ExitCode guarded_launch(const Program& program, const LaunchOptions& options) {
  const int rank = rank_in(MPI_COMM_WORLD);
  try {
    return launch(program, options);
  } catch (const InputError& error) {
    if (rank == 0) std::cerr << error.what() << '\n';
    return error.code();
  } catch (const std::exception& error) {
    std::cerr << "rank " << rank << ": " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitCode::run_failed));
    return ExitCode::run_failed;
  }
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
  const bool speaks = speaks_before_mpi();
  silence_others(speaks);
  CLI::App app(program.description, program.name);
  app.set_version_flag("--version", build_info().version);
  bool list = false;
  app.add_flag("--list", list, "List the operations and the bytes they count");
  LaunchOptionParser parser(app, program);
  LaunchOptions options;
  const auto finished = parse_command_line(app, argc, argv);
  // A launcher may kill the job at the first rank that fails: silent ranks must not be that one.
  if (finished) return speaks ? static_cast<int>(*finished) : 0;
  const ExitCode checked = guarded([&] {
    options = parser.options();
    return ExitCode::good;
  });
  if (checked != ExitCode::good) return speaks ? static_cast<int>(checked) : 0;
  if (list) list_operations(std::cout);
  if (list) return 0;
  std::cerr.clear();
  const MpiEnvironment mpi(argc, argv);
  return static_cast<int>(guarded_launch(program, options));
}

}  // namespace hockney
