#pragma once

#include <string>

namespace hockney {

/// What makes one MPI executable: its names and what it measures unless told otherwise.
struct Program {
  std::string name;            ///< of the executable, such as "hockney-pingpong"
  std::string procedure;       ///< of the experiment, for the record
  std::string description;     ///< one line for --help
  std::string operations;      ///< default of --operations
  std::string sizes = "0:4M";  ///< default of --sizes
  std::string slow_downs;      ///< default of --slow-downs; empty for programs without variants
  std::string clock_checks;    ///< default of --clock-checks; empty for programs without them
  bool proves_paths = false;   ///< counts what carries messages, and takes --expect-path
  bool holds_to_guidelines = false;  ///< measures both sides of guidelines, and takes --guidelines
};

/// The main function of an MPI executable: options, launch, record, table; returns the exit code.
/// Bad input ends all ranks alike, with one line from rank 0 and exit code 2. A failure of one rank
/// ends the job with exit code 3. Wrong data received end in exit code 3 after all is written,
/// messages that went another way than expected in 1.
int run_program(const Program& program, int argc, char** argv);

}  // namespace hockney
