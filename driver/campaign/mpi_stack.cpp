#include "driver/campaign/mpi_stack.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"
#include "driver/campaign/failure_cause.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/scratch_folder.hpp"
#include "driver/campaign/subprocess.hpp"
#include "driver/campaign/varied_axes.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_of(Dialect dialect) {
  switch (dialect) {
    case Dialect::openmpi:
      return {"mpirun.openmpi", "mpirun", "mpiexec"};
    case Dialect::hydra:
      return {"mpiexec.hydra", "mpiexec.mpich", "mpirun.mpich", "mpiexec", "mpirun"};
    case Dialect::srun:
      return {"srun"};
    case Dialect::smpirun:
      break;
  }
  return {"smpirun"};
}

/// Program, MPI library and family, for messages.
struct Linked {
  std::string program;
  std::string library;
  std::optional<MpiFamily> family;
};

Linked read_linked(const std::string& program, const ElfNeeds& needs) {
  return {program, mpi_library(needs), mpi_family(needs)};
}

Dialect choose_dialect(const LauncherConfig& config, const Linked& linked) {
  if (config.dialect) return *config.dialect;
  if (linked.family) return natural_dialect(*linked.family);
  throw InputError({fmt::format("unknown launcher of '{}'", linked.program),
                    "it is linked with no MPI library hockney knows",
                    "name the launcher with --launcher openmpi, hydra, srun or smpirun"});
}

/// Whether a launcher of `kind` starts this program and accepts the options of `dialect`.
bool fits(LauncherKind kind, Dialect dialect, const Linked& linked) {
  const auto family = family_of(kind);
  return dialect_of(kind) == dialect && (!family || !linked.family || family == linked.family);
}

std::string owner(LauncherKind kind) {
  const auto family = family_of(kind);
  return family ? std::string(title(*family)) : "Slurm";
}

/// The required launcher, for messages.
std::string wish(Dialect dialect, const Linked& linked) {
  if (!linked.family) return fmt::format("the dialect is {}", word(dialect));
  return fmt::format("'{}' needs {} ({})", fs::path(linked.program).filename().string(),
                     title(*linked.family), linked.library);
}

Launcher named_command(const std::string& name, Dialect dialect, const Linked& linked,
                       const std::vector<std::string>& folders, const VersionProbe& version_of) {
  const auto command = find_executable(name, folders);
  if (!command) {
    throw InputError({fmt::format("launcher '{}' not found", name),
                      "there is no such executable file", "check --launcher-command and PATH"});
  }
  const auto kind = recognise_launcher(version_of(*command)).value_or(usual_kind(dialect));
  if (!fits(kind, dialect, linked)) {
    throw InputError({fmt::format("launcher '{}' belongs to {}", *command, owner(kind)),
                      wish(dialect, linked),
                      "name a matching one with --launcher and --launcher-command"});
  }
  return {kind, *command, linked.family};
}

Launcher search(const std::vector<std::string>& candidates, Dialect dialect, const Linked& linked,
                const std::vector<std::string>& folders, const VersionProbe& version_of) {
  std::vector<std::string> misfits;
  for (const std::string& candidate : candidates) {
    const auto command = find_executable(candidate, folders);
    if (!command) continue;
    const auto kind = recognise_launcher(version_of(*command));
    if (kind && fits(*kind, dialect, linked)) return {*kind, *command, linked.family};
    misfits.push_back(fmt::format("'{}' belongs to {}", *command,
                                  kind ? owner(*kind) : "an MPI hockney does not know"));
  }
  const std::string why = misfits.empty()
                              ? fmt::format("none of {} is in PATH", join(names_of(dialect)))
                              : join(misfits);
  throw InputError({"no launcher found", fmt::format("{}, and {}", wish(dialect, linked), why),
                    "install it or name it with --launcher-command"});
}

/// The time limit of a query: the launch timeout, but at most the budget.
Seconds time_to_answer(const Config& config) {
  return std::min(config.launch_timeout, config.budget.value_or(config.launch_timeout));
}

/// How a queried program failed: "exit code 127: libmpi.so.12 is missing".
std::string failure_of(const ProcessOutcome& outcome, std::string_view log) {
  const std::string how = outcome.signal != 0 ? fmt::format("killed by signal {}", outcome.signal)
                                              : fmt::format("exit code {}", outcome.exit_code);
  const std::string cause = failure_cause(log);
  return how + (cause.empty() ? "" : ": " + cause);
}

/// nullopt for another library, or if impi_info does not have the variable. InputError if impi_info
/// is missing or fails.
std::optional<ControlVariable> variable_of_intel(const Launcher& launcher,
                                                 const std::string& variable) {
  if (launcher.kind != LauncherKind::intel || !variable.starts_with("I_MPI_")) return std::nullopt;
  std::vector<std::string> folders{fs::path(launcher.command).parent_path().string()};
  for (const std::string& folder : path_folders()) folders.push_back(folder);
  const auto command = find_executable("impi_info", folders);
  if (!command) {
    throw InputError({fmt::format("no impi_info, which lists the values of '{}'", variable),
                      fmt::format("it is neither beside '{}' nor in PATH", launcher.command),
                      "add its folder to PATH, or give the axis a list of values"});
  }
  const auto [outcome, said] = capture({{*command, "-v", variable}, {}}, {30});
  if (said.find("Didn't find") != std::string::npos) return std::nullopt;
  ControlVariable reported{.name = variable, .description = said, .choices = described_range(said)};
  if (reported.choices.empty() && !outcome.succeeded()) {
    throw InputError({fmt::format("'{} -v {}' fails", *command, variable),
                      failure_of(outcome, said),
                      "does LD_LIBRARY_PATH name the folder of libmpi.so? or give the axis a list "
                      "of values"});
  }
  return reported;
}

/// The values of smpirun's variable, from its error message for an invalid value.
ControlVariable variable_of_simulator(const Request& request, const std::string& variable) {
  Job job = settings_job(request, {request.program, "--list"});
  job.launcher_arguments.push_back(fmt::format("--cfg={}:?", variable));
  const std::string said =
      capture(launch_command(request.launcher, job), request.config.launch_timeout).output;
  ControlVariable reported{.name = variable, .choices = listed_choices(said)};
  if (!reported.choices.empty()) return reported;
  const std::string cause = failure_cause(said);
  throw InputError({fmt::format("smpirun lists no values of '{}'", variable),
                    cause.empty() ? "it says nothing" : cause,
                    "name a collective, such as smpi/bcast"});
}

/// The campaign in the request's folder, if it is resumed.
std::optional<Manifest> manifest_to_resume(const Request& request) {
  const std::string file = campaign_folder(request.folder).manifest();
  if (!request.resume || !fs::exists(file)) return std::nullopt;
  return load_manifest(file);
}

/// Takes the settings of the resumed campaign. If the configs differ otherwise, a later error names
/// the difference, so the library need not be queried.
void adopt_settings(Request& request, const Manifest& manifest) {
  if (manifest.config.sweep) request.config.settings = manifest.config.settings;
  request.skipped = manifest.skipped;
}

void expand_axes(Request& request, LibraryQuery& query, bool dry_run) {
  const auto& sweep = request.config.sweep;
  const bool draws = sweep && sweep->mode == SweepMode::random;
  if (draws && !request.seed) request.seed = dry_run ? 0 : std::random_device{}();
  request.skipped = settle_sweep(request.config, request.seed.value_or(0), std::ref(query));
  check_config(request.config);
}

/// Whether to measure the start-up of a launch before the first one. This costs as much as a
/// launch. A small budget with one setting is better spent on the first launch itself.
bool is_worth_a_query(const Config& config) {
  constexpr Seconds small{10};
  if (!config.budget) return false;
  return *config.budget >= small || config.settings.size() > 1 || config.launches;
}

/// The environment variables of all settings and axes, without those of a simulator.
std::set<std::string> varied_variables(const Config& config) {
  std::set<std::string> names;
  const auto add = [&](const auto& setting) {
    for (const auto& [name, value] : setting.environment) names.insert(name);
  };
  for (const Setting& setting : config.settings) add(setting);
  for (const Axis& axis : config.sweep ? config.sweep->axes : std::vector<Axis>()) {
    for (const AxisValue& value : axis.values.value_or(std::vector<AxisValue>())) add(value);
  }
  std::erase_if(names, is_simulator_variable);
  return names;
}

/// Only the variables of Open MPI have small letters.
bool has_small_letters(const std::string& name) {
  return std::ranges::any_of(name, [](char letter) { return letter >= 'a' && letter <= 'z'; });
}

/// A suggestion for a misspelt variable; no suggestion for a variable of another library.
std::string nearest_of_library(const std::string& variable,
                               const std::vector<ControlVariable>& variables) {
  const std::string prefix = variable.substr(0, variable.find('_'));
  std::vector<std::string> names;
  for (const ControlVariable& known : variables) {
    const std::string name = environment_name(known);
    if (name.starts_with(prefix)) names.push_back(name);
  }
  if (names.empty()) return "is the campaign for another MPI library?";
  return suggest(variable, names, "hockney-settings");
}

/// InputError for a variable that neither the library nor anybody else reads. Names without small
/// letters may be of something that lists none, such as UCX.
void require_known_variables(const Request& request, LibraryQuery& query) {
  if (request.config.ignored_settings != IgnoredSettings::fail) return;
  for (const std::string& name : varied_variables(request.config)) {
    const std::vector<ControlVariable>* const known =
        has_small_letters(name) ? query.variables() : nullptr;
    if (known == nullptr || known->empty() || find_variable(*known, name) != nullptr) continue;
    std::vector<std::string> names;
    for (const ControlVariable& variable : *known) {
      names.push_back(environment_name(variable));
      if (variable.name == name) {
        throw InputError({fmt::format("nothing reads '{}'", name),
                          "that is the library's name of it, not of an environment variable",
                          "use --vary " + names.back()});
      }
    }
    throw InputError(
        {fmt::format("nothing reads '{}'", name),
         fmt::format("the MPI library shows {} variables, none of that name", known->size()),
         suggest(name, names, "hockney-settings")});
  }
}

/// "btl_vader_eager_limit is 4096" if the value of an axis sets one variable only, and to the
/// library's default; else nullopt.
std::optional<std::string> default_in_effect(const AxisValue& value,
                                             const std::vector<ControlVariable>& known) {
  const bool is_one = value.environment.size() == 1 && value.arguments.empty() &&
                      value.launcher_arguments.empty() && !value.ranks;
  if (!is_one) return std::nullopt;
  const auto& [name, text] = *value.environment.begin();
  const ControlVariable* const variable = find_variable(known, name);
  if (variable == nullptr || prove(name, text, known).proof != Proof::proven) return std::nullopt;
  return fmt::format("{} is {}", variable->name, variable->value.value_or(""));
}

/// Takes values out of axes with a default that has the same effect. Returns them.
std::vector<SkippedCombination> leave_out_defaults(Sweep& sweep, LibraryQuery& query) {
  std::vector<SkippedCombination> skipped;
  for (Axis& axis : sweep.axes) {
    const bool has_default =
        axis.values && std::ranges::any_of(*axis.values, &AxisValue::is_default);
    if (!has_default || !has_small_letters(axis.variable)) continue;
    const std::vector<ControlVariable>* const known = query.variables();
    if (known == nullptr) return skipped;
    std::vector<AxisValue> kept;
    for (AxisValue& value : *axis.values) {
      const auto in_effect = default_in_effect(value, *known);
      if (!in_effect) {
        kept.push_back(std::move(value));
      } else {
        skipped.push_back({fmt::format("{}={}", axis.name, value.name),
                           fmt::format("{}, {} anyway", nothing_changes, *in_effect)});
      }
    }
    put_values(sweep, axis, std::move(kept));
  }
  return skipped;
}

}  // namespace

SearchFolders search_folders() { return {path_folders("PATH"), path_folders("LD_LIBRARY_PATH")}; }

ElfNeeds with_library_path(const ElfNeeds& needs, const std::vector<std::string>& libraries) {
  const std::string library = mpi_library(needs);
  if (library.empty()) return needs;
  ElfNeeds all{.libraries = needs.libraries};
  for (const std::string& folder : libraries) {
    std::error_code error;
    if (fs::exists(fs::path(folder) / library, error)) all.folders.push_back(folder);
  }
  all.folders.insert(all.folders.end(), needs.folders.begin(), needs.folders.end());
  return all;
}

std::vector<std::string> launcher_candidates(Dialect dialect, const ElfNeeds& needs) {
  const std::vector<std::string> names = names_of(dialect);
  std::vector<std::string> candidates;
  const auto family = mpi_family(needs);
  if (family && natural_dialect(*family) == dialect) {
    for (const std::string& folder : needs.folders) {
      const fs::path beside = (fs::path(folder) / ".." / "bin").lexically_normal();
      for (const std::string& name : names) candidates.push_back((beside / name).string());
    }
  }
  candidates.insert(candidates.end(), names.begin(), names.end());
  return candidates;
}

Launcher find_launcher(const LauncherConfig& config, const std::string& program,
                       const SearchFolders& folders, const VersionProbe& version_of) {
  // With a given dialect the program may be a script.
  const bool believed = config.dialect && !is_elf(program);
  const ElfNeeds needs =
      believed ? ElfNeeds{} : with_library_path(read_elf_needs(program), folders.libraries);
  const Linked linked = read_linked(program, needs);
  const Dialect dialect = choose_dialect(config, linked);
  if (config.command)
    return named_command(*config.command, dialect, linked, folders.commands, version_of);
  return search(launcher_candidates(dialect, needs), dialect, linked, folders.commands, version_of);
}

std::string probe_version(const std::string& command) {
  return capture({{command, "--version"}, {}}, {10}).output;
}

std::optional<Message> other_library(const Config& config, const Launcher& launcher) {
  const auto& library = config.required_library;
  if (!library || belongs_to(*library, launcher.kind, launcher.programs)) return std::nullopt;
  return Message{fmt::format("'{}' needs {}", config.name, title(*library)),
                 launcher.programs ? fmt::format("this is {}", title(*launcher.programs))
                                   : fmt::format("'{}' starts another library", launcher.command),
                 ""};
}

const std::vector<ControlVariable>* LibraryQuery::variables() {
  try {
    return &query();
  } catch (const Error&) {
    return nullptr;
  }
}

const std::vector<ControlVariable>& LibraryQuery::query() {
  if (variables_) return *variables_;
  const Request& request = *request_;
  const std::string beside = fs::path(request.program).parent_path().string();
  const std::string program = find_program("hockney-settings", "", {beside});
  const ScratchFolder folder;
  const std::string file = folder.file("settings.json");
  const Job job = settings_job(request, {program, "--output", file});
  const auto [outcome, said] =
      capture(launch_command(request.launcher, job), time_to_answer(request.config));
  duration_ = outcome.duration;
  if (fs::exists(file)) {
    return variables_.emplace(read_variables(load_json(file)));
  }
  throw RunError({"the MPI library's values could not be read",
                  fmt::format("'{}' ended with {}", program, failure_of(outcome, said)),
                  "give the axes lists of values"});
}

std::optional<Seconds> LibraryQuery::duration() {
  if (variables_) return duration_;
  try {
    query();
  } catch (const RunError&) {
    // A query that used all of the budget is a lower bound of the start-up.
    const bool too_long = duration_ >= time_to_answer(request_->config);
    if (!too_long) return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
  return duration_;
}

ControlVariable LibraryQuery::operator()(const std::string& variable) {
  if (is_simulator_variable(variable)) return variable_of_simulator(*request_, variable);
  const std::vector<ControlVariable>& variables = query();
  const ControlVariable* found = find_variable(variables, variable);
  if (found != nullptr && !found->choices.empty()) return *found;
  if (const auto reported = variable_of_intel(request_->launcher, variable)) return *reported;
  if (found != nullptr) return *found;
  throw InputError({fmt::format("the MPI library knows no '{}'", variable),
                    fmt::format("it shows {} settings, none of that name", variables.size()),
                    nearest_of_library(variable, variables)});
}

void settle_request(Request& request, bool dry_run) {
  const auto manifest = manifest_to_resume(request);
  const bool has_axes = request.config.sweep && !is_expanded(request.config);
  if (manifest) {
    if (has_axes) adopt_settings(request, *manifest);
    return;
  }
  LibraryQuery query(request);
  if (!dry_run) require_known_variables(request, query);
  if (has_axes) {
    const auto whole = request.config.sweep;  // stays in the manifest, as the config has it
    const auto skipped = dry_run || !whole ? std::vector<SkippedCombination>()
                                           : leave_out_defaults(*request.config.sweep, query);
    expand_axes(request, query, dry_run);
    request.config.sweep = whole;
    std::ranges::copy(skipped, std::back_inserter(request.skipped));
  }
  if (!dry_run && is_worth_a_query(request.config)) request.terms.start_up = query.duration();
}

}  // namespace hockney::campaign
