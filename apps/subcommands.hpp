#pragma once

#include <string>

#include "core/cli/command_line.hpp"

namespace hockney::apps {

// Each adds its own subcommand with its options to the driver and sets `chosen` when the user
// names it. One file per subcommand: apps/<name>.cpp, or apps/application/<name>.cpp.
void add_topo(CLI::App& driver, Action& chosen);
void add_run(CLI::App& driver, Action& chosen);
void add_fit(CLI::App& driver, Action& chosen);
void add_predict(CLI::App& driver, Action& chosen);
void add_report(CLI::App& driver, Action& chosen);
void add_export(CLI::App& driver, Action& chosen);
void add_import(CLI::App& driver, Action& chosen);
void add_compare(CLI::App& driver, Action& chosen);
void add_profile(CLI::App& driver, Action& chosen);
void add_map(CLI::App& driver, Action& chosen);
void add_where(CLI::App& driver, Action& chosen);
void add_advise(CLI::App& driver, Action& chosen);
void add_scale(CLI::App& driver, Action& chosen);
void add_self_test(CLI::App& driver, Action& chosen);
void add_guidelines(CLI::App& driver, Action& chosen);
void add_completion(CLI::App& driver, Action& chosen);

/// A subcommand that another program has, so that measuring does not wait until it is built.
struct BesideProgram {
  const char* name;  ///< of the subcommand
  const char* summary;
  const char* program;
};

// What hockney-application has: what programs do with MPI, and what would help them.
inline constexpr const char* application_program = "hockney-application";
inline constexpr BesideProgram predict_beside{
    "predict", "Time of a collective, a kernel, or a program with other settings or elsewhere",
    application_program};
inline constexpr BesideProgram profile_beside{
    "profile", "What a program does with MPI, and where its time goes", application_program};
inline constexpr BesideProgram map_beside{
    "map", "Where the ranks of a program had better be, by who sends to whom", application_program};
inline constexpr BesideProgram where_beside{
    "where", "Where the ranks and threads of a program run, before it has run",
    application_program};
inline constexpr BesideProgram scale_beside{
    "scale", "How a program gains by more ranks, and how many are worth it", application_program};
inline constexpr BesideProgram advise_beside{
    "advise", "The settings worth changing for a program, and the proof", application_program};
inline constexpr BesideProgram export_beside{
    "export", "Records as tidy rows, logged programs as traces, for other programs",
    application_program};

/// Lists it among the driver's subcommands. When the user names it, `chosen` becomes that program,
/// which is looked for beside this one, with all that was written after the name; RunError when it
/// is not there.
void add_beside(CLI::App& driver, Action& chosen, const BesideProgram& command);

/// Lists a program that this build is without among the driver's subcommands. When the user names
/// it, `chosen` throws the RunError that says why it is not there.
void add_left_out(CLI::App& driver, Action& chosen, const BesideProgram& command,
                  const std::string& why, const std::string& suggestion);

}  // namespace hockney::apps
