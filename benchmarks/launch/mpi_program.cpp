#include "benchmarks/launch/mpi_program.hpp"

#include <mpi.h>

#include <iostream>

#include "benchmarks/harness/build_info.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/launch/early_rank.hpp"
#include "cli/command_line.hpp"

namespace hockney {
namespace {

/// Input errors are the same on all ranks, so rank 0 speaks for all and everybody leaves in order.
/// Anything else may have hit one rank alone: it speaks, and ends the job.
ExitCode guarded_run(const MpiProgram& program) {
  const int rank = rank_in(MPI_COMM_WORLD);
  try {
    return program.run();
  } catch (const InputError& error) {
    if (rank == 0) std::cerr << error.what() << '\n';
    return error.code();
  } catch (const std::exception& error) {
    std::cerr << "rank " << rank << ": " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitCode::run_failed));
    return ExitCode::run_failed;
  }
}

/// Whoever adds options to those of a config means them: of an option given twice the last value
/// holds.
void let_last_value_win(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) option->take_last();
  }
}

}  // namespace

int run_mpi_program(CLI::App& app, const MpiProgram& program, int argc, char** argv) {
  const bool speaks = speaks_before_mpi();
  silence_others(speaks);
  app.set_version_flag("--version", build_info().version);
  let_last_value_win(app);
  const auto finished = parse_command_line(app, argc, argv);
  // A launcher may kill the job at the first rank that fails: silent ranks must not be that one.
  if (finished) return speaks ? static_cast<int>(*finished) : 0;
  bool is_answered = false;
  const ExitCode checked = guarded([&] {
    is_answered = program.prepare();
    return ExitCode::good;
  });
  if (checked != ExitCode::good) return speaks ? static_cast<int>(checked) : 0;
  if (is_answered) return 0;
  const MpiEnvironment mpi(argc, argv);
  if (const auto foreign = foreign_launcher(size_of(MPI_COMM_WORLD), mpi_library())) {
    std::cerr << to_line(*foreign) << '\n';
    return speaks ? static_cast<int>(ExitCode::bad_input) : 0;
  }
  std::cerr.clear();
  return static_cast<int>(guarded_run(program));
}

}  // namespace hockney
