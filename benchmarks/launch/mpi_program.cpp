#include "benchmarks/launch/mpi_program.hpp"

#include <mpi.h>

#include <iostream>
#include <optional>

#include "benchmarks/harness/build_info.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/launch/early_rank.hpp"
#include "cli/command_line.hpp"
#include "cli/standard_output.hpp"

namespace hockney {
namespace {

#ifdef SMPI_H  // ranks of the simulator are threads of one process
constexpr StdoutOwner stdout_owner = StdoutOwner::several;
#else
constexpr StdoutOwner stdout_owner = StdoutOwner::program;
#endif

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
    std::cout.flush();
    std::cerr << "rank " << rank << ": " << to_line(words_for(error)) << std::endl;
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

/// How the program ends when its command line is all there is to it; nullopt when it is to run.
std::optional<ExitCode> answer_command_line(CLI::App& app, const MpiProgram& program, int argc,
                                            char** argv) {
  app.set_version_flag("--version", build_info().version);
  let_last_value_win(app);
  if (const auto finished = parse_command_line(app, argc, argv)) return finished;
  bool is_answered = false;
  const ExitCode checked = guarded([&] {
    is_answered = program.prepare();
    return ExitCode::good;
  });
  return checked != ExitCode::good || is_answered ? std::optional(checked) : std::nullopt;
}

/// Of several jobs that a foreign launcher made of one, one that speaks is enough.
ExitCode run_within_mpi(const MpiProgram& program, int argc, char** argv, bool speaks) {
  const MpiEnvironment mpi(argc, argv);
  if (const auto foreign = foreign_launcher(size_of(MPI_COMM_WORLD), mpi_library())) {
    std::cerr << to_line(*foreign) << '\n';
    return speaks ? ExitCode::bad_input : ExitCode::good;
  }
  std::cerr.clear();
  return guarded_run(program);
}

/// What keep() says, on one line of its own when it fails.
std::string kept_words(const MpiProgram& program) {
  std::string words;
  guarded([&] {
    words = program.keep();
    return ExitCode::good;
  });
  return words;
}

}  // namespace

int run_mpi_program(CLI::App& app, const MpiProgram& program, int argc, char** argv) {
  const bool speaks = speaks_before_mpi();
  silence_others(speaks);
  StandardOutput output(stdout_owner);
  const auto answered = answer_command_line(app, program, argc, argv);
  // A launcher may kill the job at the first rank that fails: silent ranks must not be that one.
  if (answered) return speaks ? output.finish(*answered) : 0;
  const ExitCode code = run_within_mpi(program, argc, argv, speaks);
  return output.finish(code, output.failure() ? kept_words(program) : "");
}

}  // namespace hockney
