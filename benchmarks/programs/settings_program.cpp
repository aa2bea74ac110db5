#include <mpi.h>

#include <fmt/format.h>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/programs/programs.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "report/library_tables.hpp"

// hockney-settings: the MPI library's control variables with effective and permitted values, as a
// table or as a hockney.settings/1 document.
namespace hockney::benchmarks::programs {
namespace {

struct SettingsOptions {
  std::vector<std::string> parts;
  std::string output;
  bool json = false;
};

bool is_requested(const ControlVariable& variable, const std::string& part) {
  const auto holds = [&](const std::string& name) { return name.find(part) != std::string::npos; };
  return holds(environment_name(variable)) || std::ranges::any_of(variable.aliases, holds);
}

/// The variables whose names contain one of the parts; all without parts. InputError for a part
/// that no name contains.
std::vector<ControlVariable> chosen(const std::vector<ControlVariable>& all,
                                    const std::vector<std::string>& parts) {
  if (parts.empty()) return all;
  for (const std::string& part : parts) {
    if (std::ranges::any_of(all, [&](const auto& each) { return is_requested(each, part); })) {
      continue;
    }
    const auto names = strings_of(all, &ControlVariable::name);
    throw InputError({fmt::format("no setting '{}'", part),
                      mpi_library() + " shows none of that name",
                      suggest(part, names, "hockney-settings")});
  }
  std::vector<ControlVariable> kept;
  std::ranges::copy_if(all, std::back_inserter(kept), [&](const ControlVariable& variable) {
    return std::ranges::any_of(parts,
                               [&](const auto& part) { return is_requested(variable, part); });
  });
  return kept;
}

ExitCode show(const SettingsOptions& options) {
  const auto variables = chosen(control_variables(), options.parts);
  const std::string document = json_text(to_json(variables)) + "\n";
  if (!options.output.empty()) write_atomically(options.output, document);
  if (options.json) {
    std::cout << document;
  } else if (options.output.empty()) {
    report::print_settings_table(std::cout, variables);
  }
  return ExitCode::good;
}

void add_options(CommandLine& app, SettingsOptions& options) {
  app.add_option("names", options.parts, "Parts of names, such as allreduce; without one, all")
      .default_str("all");
  app.add_option("-o,--output", options.output, "File for the JSON document").default_str("none");
  app.add_flag("--json", options.json, "Print the JSON document instead of the table");
  hockney::describe(
      app,
      {.examples = {{"mpirun -n 1 hockney-settings", "everything that can be set"},
                    {"mpirun -n 1 hockney-settings bcast eager", "what has this in its name"},
                    {"mpirun -n 1 hockney-settings --json -o settings.json", "the document"}}});
}

constexpr const char* settings_description =
    "List the settings of the MPI library: effective and possible values";

int run_settings(int argc, char** argv) {
  CommandLine app(settings_description);
  SettingsOptions options;
  add_options(app, options);
  const auto show_once = [&] {
    return rank_in(MPI_COMM_WORLD) == 0 ? show(options) : ExitCode::good;
  };
  return run_mpi_program(app, {.prepare = [] { return false; }, .run = show_once}, argc, argv);
}

}  // namespace

NamedProgram settings_program() { return {"settings", settings_description, run_settings}; }

}  // namespace hockney::benchmarks::programs
