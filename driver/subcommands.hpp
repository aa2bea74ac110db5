#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/cli/command_line.hpp"
#include "core/record_file.hpp"
#include "driver/output/output.hpp"
#include "driver/screens/results.hpp"
#include "report/record_tables.hpp"

namespace hockney::driver {

// Each function adds its subcommand with its options to the driver, and sets `chosen` if the user
// names it.
void add_topo(CommandLine& driver, Action& chosen);
void add_run(CommandLine& driver, Action& chosen);
void add_fit(CommandLine& driver, Action& chosen);
void add_report(CommandLine& driver, Action& chosen);
void add_import(CommandLine& driver, Action& chosen);
void add_compare(CommandLine& driver, Action& chosen);
void add_self_test(CommandLine& driver, Action& chosen);
void add_guidelines(CommandLine& driver, Action& chosen);
void add_completion(CommandLine& driver, Action& chosen);

/// The usable records of some paths, for their times. Prints a line for each wrong file of a
/// folder.
std::vector<Record> usable_records(const std::vector<std::string>& paths);

/// Measured records in every form. `summary` makes the screen; tables are by `axes`.
campaign::Result result_of(report::Results& results, std::function<report::Screen()> summary,
                           std::vector<std::string> axes, report::TableStyle style = {});

/// A component of hockney: subcommands in a program beside the driver, which a build may leave out.
struct Component {
  const char* program;
  const char* option;  ///< CMake option that includes it
};

inline constexpr Component application_component{"hockney-application", "-DHOCKNEY_APPLICATION=ON"};
inline constexpr Component tune_component{"hockney-tune", "-DHOCKNEY_TUNE=ON"};
inline constexpr Component health_component{
    "hockney-health", "-DHOCKNEY_HEALTH=ON and SQLite and SQLiteCpp, or -DHOCKNEY_FETCH=ON,"};

/// A subcommand of a component.
struct BesideProgram {
  const char* name;
  const char* summary;
  Component component;
};

inline constexpr BesideProgram predict_beside{
    "predict", "Predict the time of a collective, a kernel, or a program under other settings",
    application_component};
inline constexpr BesideProgram profile_beside{
    "profile", "Profile a program: its MPI calls, messages, and why it waits",
    application_component};
inline constexpr BesideProgram map_beside{
    "map", "Place ranks by the program's communication matrix", application_component};
inline constexpr BesideProgram where_beside{
    "where", "Show where a program's ranks and threads run, and how to fix that",
    application_component};
inline constexpr BesideProgram scale_beside{
    "scale", "Measure speed-up and efficiency of a program over numbers of ranks",
    application_component};
inline constexpr BesideProgram advise_beside{
    "advise", "List settings that make a program faster, and verify them", application_component};
inline constexpr BesideProgram export_beside{
    "export", "Export records as CSV, sampled programs as stacks", application_component};
inline constexpr BesideProgram tune_beside{
    "tune", "Choose the best algorithm for each size, as a file for the MPI library",
    tune_component};
inline constexpr BesideProgram health_beside{
    "health", "Track nightly records: what changed, since when, by how much, where",
    health_component};

/// Adds a component's subcommand to the driver. If the user names it, `chosen` runs the component's
/// program, from the driver's folder, with all words after the name. RunError if the program is
/// missing.
void add_beside(CommandLine& driver, Action& chosen, const BesideProgram& command);

}  // namespace hockney::driver
