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

/// How the program ends when its command line is all there is to it; nullopt when it is to run.
std::optional<ExitCode> answer_command_line(CLI::App& app, const MpiProgram& program, int argc,
                                            char** argv) {
  app.set_version_flag("--version", build_info().version);
  if (const auto finished = parse_command_line(app, argc, argv)) return finished;
  bool is_answered = false;
  const ExitCode checked = guarded([&] {
    is_answered = program.prepare();
    return ExitCode::good;
  });
  return checked != ExitCode::good || is_answered ? std::optional(checked) : std::nullopt;
}

ExitCode run_within_mpi(const MpiProgram& program, int argc, char** argv) {
  const MpiEnvironment mpi(argc, argv);
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
  std::cerr.clear();
  const ExitCode code = run_within_mpi(program, argc, argv);
  return output.finish(code, output.failure() ? kept_words(program) : "");
}

}  // namespace hockney
