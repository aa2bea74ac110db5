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
  std::function<int(int argc, char** argv)> run{};  ///< its main; the file in argv[0] is its name
};

/// What makes one program that measures operations: its name, and what it measures unless told
/// otherwise.
struct Program {
  std::string procedure;       ///< its name, "pingpong", and that of the experiment in the record
  std::string description;     ///< one line for --help
  std::string operations;      ///< default of --operations
  std::string usual;           ///< these in words, where their names are many
  std::string sizes = "0:4M";  ///< default of --sizes
  std::string slow_downs;      ///< default of --slow-downs; empty for programs without variants
  std::optional<int> clock_checks;   ///< default of --clock-checks; nullopt for programs without
  bool proves_paths = false;         ///< counts what carries messages, and takes --expect-path
  bool holds_to_guidelines = false;  ///< measures both sides of guidelines, and takes --guidelines
  bool measures_files = false;       ///< takes --path; --cache is about files
  bool is_threaded = false;          ///< its ranks have threads that call MPI, and takes --threads
  bool measures_noise = false;       ///< its operations work alone, and takes --recording
  std::function<void(const LaunchOptions&)> check{};  ///< of its own, before MPI; InputError
  std::function<void(LaunchOptions&)> agree{};        ///< completes the options; collective
  /// Adds what is measured besides to the record of rank 0, which is then saved again; collective.
  std::function<void(const LaunchOptions&, std::optional<Record>&)> add{};
  std::vector<std::string> once;  ///< what else --operations takes: measured once in a launch
  CommandHelp help{};             ///< its common options are those beside every program's
};

/// Leaves in the catalogue what the program measures: mock-ups, operations by threads and those
/// without messages are of one program each, all others of every program.
void restrict_catalogue(const Program& program);

/// The main function of such a program: options, launch, record, table; returns the exit code.
/// Bad input ends all ranks alike, with one line from rank 0 and exit code 2. A failure of one rank
/// ends the job with exit code 3. Wrong data received end in exit code 3 after all is written,
/// messages that went another way than expected in 1.
int run_program(const Program& program, int argc, char** argv);

/// Every operation: what it times, and the bytes that it counts.
void list_operations(std::ostream& out);

/// Prints what a launch found: its record (--json), its tables (--all, --tails) or its summary.
void print_launch(const Record& record, const LaunchOptions& options);

/// What is common in every program that measures operations.
CommandHelp with_operation_options(CommandHelp help);

/// 3 when any data arrived wrong, with one line on stderr for each point, and when the launch ended
/// before its time.
ExitCode judge_launch(const Record& record);

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
  bool watches_transport = false;     ///< counts copies between processes (preload_transport_watch)
  std::optional<int> thread_level{};  ///< to be asked of MPI_Init_thread; nullopt: MPI_Init
  /// How long all may take, once the options are known; nullopt: without end.
  std::function<std::optional<Seconds>()> limit = [] { return std::optional<Seconds>(); };
  /// How MPI is to begin in its place, and where it is noted how it did; null: nowhere.
  LibraryStart* start = nullptr;
  /// Called, where there is one, when MPI_Finalize has returned: with what run() returned and the
  /// time of MPI_Finalize [s]. What it returns counts.
  std::function<ExitCode(ExitCode, double)> after{};
};

/// The whole of main: one rank answers for all as long as all would say the same, an error of one
/// rank ends the job. Of an option that is given twice the last value holds. Its usage has the name
/// in argv[0]. Returns the exit code.
int run_mpi_program(CommandLine& app, const MpiProgram& program, int argc, char** argv);

}  // namespace hockney::benchmarks::programs
