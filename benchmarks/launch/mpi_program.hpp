#pragma once

#include <functional>
#include <string>

#include "cli/cli11.hpp"
#include "core/error.hpp"

namespace hockney {

/// What an MPI program does with its command line.
struct MpiProgram {
  /// Checks the options, before MPI; InputError for bad ones. True: the command line is answered,
  /// and nothing is to be run.
  std::function<bool()> prepare;
  /// The work, between MPI_Init and MPI_Finalize.
  std::function<ExitCode()> run;
  /// Called when not all that run() printed is written: the words for where what it measured is
  /// now.
  std::function<std::string()> keep = [] { return std::string(); };
};

/// The whole of main: one rank answers for all as long as all would say the same, an error of one
/// rank ends the job. Of an option that is given twice the last value holds. Returns the exit code.
int run_mpi_program(CLI::App& app, const MpiProgram& program, int argc, char** argv);

}  // namespace hockney
