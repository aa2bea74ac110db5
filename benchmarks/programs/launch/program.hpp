#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

/// One of the programs in an executable: "pingpong" is called as hockney-pingpong.
struct NamedProgram {
  std::string name;
  std::string description;                          ///< one line
  std::function<int(int argc, char** argv)> run{};  ///< its main(); argv[0] ends in its name
};

/// A program that measures operations: its name and its defaults.
struct Program {
  std::string procedure;       ///< its name, "pingpong", also that of the experiment in the record
  std::string description;     ///< one line for --help
  std::string operations;      ///< default of --operations
  std::string usual;           ///< a description of these, if they are many
  std::string sizes = "0:4M";  ///< default of --sizes
  std::string slow_downs;      ///< default of --slow-downs; empty for programs without variants
  std::optional<int> clock_checks;   ///< default of --clock-checks; nullopt: no such option
  bool proves_paths = false;         ///< counts how messages are carried, and has --expect-path
  bool holds_to_guidelines = false;  ///< measures both sides of guidelines, and has --guidelines
  bool measures_files = false;       ///< has --path; --cache is about files
  bool is_threaded = false;          ///< its ranks have threads that call MPI, and it has --threads
  bool measures_noise = false;       ///< its operations work alone, and it has --recording
  std::function<void(const LaunchOptions&)> check{};  ///< additional checks, before MPI_Init;
                                                      ///< InputError
  std::function<void(LaunchOptions&)> agree{};        ///< completes the options; collective
  /// Adds further results to rank 0's record, which is then saved again; collective.
  std::function<void(const LaunchOptions&, std::optional<Record>&)> add{};
  std::vector<std::string> once;  ///< further words of --operations: measured once in a launch
  CommandHelp help{};             ///< its common options are added to those of every program
};

/// Removes from the catalogue all operations of other programs: mock-ups, threaded operations and
/// those without messages belong to one program each, all others to every program.
void restrict_catalogue(const Program& program);

/// The main function of such a program: options, launch, record, table; returns the exit code.
/// - Bad input ends all ranks, with one line from rank 0 and exit code 2.
/// - A failure of one rank ends the job with exit code 3.
/// - Wrong data give exit code 3 after all results are written.
/// - Messages on an unexpected path give exit code 1.
int run_program(const Program& program, int argc, char** argv);

/// Lists every operation: what it times, and the bytes that it counts.
void list_operations(std::ostream& out);

/// Prints the results of a launch: its record (--json), its tables (--all, --tails) or its summary.
void print_launch(const Record& record, const LaunchOptions& options);

/// Adds the common options of every program that measures operations.
CommandHelp with_operation_options(CommandHelp help);

/// run_failed if any data were wrong, with one line on stderr for each point, or if the launch
/// ended early.
ExitCode judge_launch(const Record& record);

/// An MPI program behind a command line.
struct MpiProgram {
  /// Checks the options, before MPI_Init; InputError for bad ones. Returns true if a result is
  /// already printed and nothing is to be run.
  std::function<bool()> prepare;
  /// The work between MPI_Init and MPI_Finalize.
  std::function<ExitCode()> run;
  /// Called if the output of run() could not be written completely: returns where the results are.
  std::function<std::string()> keep = [] { return std::string(); };
  bool watches_transport = false;     ///< count copies between processes (preload_transport_watch)
  bool has_leave_out = false;         ///< --leave-out is one of its options
  std::optional<int> thread_level{};  ///< requested from MPI_Init_thread; nullopt: MPI_Init
  /// The time limit, once the options are known; nullopt: none.
  std::function<std::optional<Seconds>()> limit = [] { return std::optional<Seconds>(); };
  /// How MPI is initialised, and where the results of that go; null: `thread_level` alone.
  LibraryStart* start = nullptr;
  /// If set, called after MPI_Finalize with the result of run() and the time of MPI_Finalize [s].
  /// Its result is the exit code.
  std::function<ExitCode(ExitCode, double)> after{};
};

/// All of main. If all ranks have the same error, one prints it; an error of one rank ends the job.
/// Of a repeated option the last value counts. Its usage has the name in argv[0]. Returns the exit
/// code.
int run_mpi_program(CommandLine& app, const MpiProgram& program, int argc, char** argv);

}  // namespace hockney::benchmarks::programs
