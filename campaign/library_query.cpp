#include "campaign/library_query.hpp"

#include <filesystem>
#include <functional>
#include <random>

#include "campaign/executables.hpp"
#include "campaign/failure_cause.hpp"
#include "campaign/folder.hpp"
#include "campaign/manifest.hpp"
#include "campaign/subprocess.hpp"
#include "core/error.hpp"
#include "core/settings/described_choices.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

/// Nobody waits for an answer beyond the budget.
Seconds time_to_answer(const Config& config) {
  return std::min(config.launch_timeout, config.budget.value_or(config.launch_timeout));
}

/// How a program ended that was to answer: "exit code 127: libmpi.so.12 is not there".
std::string failure_of(const ProcessOutcome& outcome, const std::string& log) {
  const std::string how = outcome.signal != 0 ? "killed by signal " + std::to_string(outcome.signal)
                                              : "exit code " + std::to_string(outcome.exit_code);
  const std::string cause = failure_cause_in_file(log);
  return how + (cause.empty() ? "" : ": " + cause);
}

/// nullopt of another library, and where impi_info does not know the variable. InputError where
/// there is no impi_info, and where it fails.
std::optional<ControlVariable> variable_of_intel(const Launcher& launcher,
                                                 const std::string& variable) {
  if (launcher.kind != LauncherKind::intel || !variable.starts_with("I_MPI_")) return std::nullopt;
  std::vector<std::string> folders{fs::path(launcher.command).parent_path().string()};
  for (const std::string& folder : path_folders()) folders.push_back(folder);
  const auto command = find_executable("impi_info", folders);
  if (!command) {
    throw InputError({"no impi_info, which lists the values of '" + variable + "'",
                      "it is neither beside '" + launcher.command + "' nor in PATH",
                      "add its folder to PATH, or give the axis a list of values"});
  }
  const ScratchFolder folder;
  const std::string log = folder.file("log");
  SignalWatch signals;
  const ProcessOutcome outcome = run_process(
      {.command = Command{{*command, "-v", variable}, {}}, .log_file = log, .limit = Seconds{30}},
      signals);
  const std::string said = log_text(log);
  if (said.find("Didn't find") != std::string::npos) return std::nullopt;
  ControlVariable told{.name = variable, .description = said, .choices = described_range(said)};
  const bool has_failed = outcome.end != ProcessEnd::exited || outcome.exit_code != 0;
  if (told.choices.empty() && has_failed) {
    throw InputError({"'" + *command + " -v " + variable + "' fails", failure_of(outcome, log),
                      "does LD_LIBRARY_PATH name the folder of libmpi.so? or give the axis a list "
                      "of values"});
  }
  return told;
}

/// What smpirun says of the values of its variable, when it is given one that cannot be.
ControlVariable variable_of_simulator(const Request& request, const std::string& variable) {
  Job job = settings_job(request, {request.program, "--list"});
  job.launcher_arguments.push_back("--cfg=" + variable + ":?");
  const ScratchFolder folder;
  const std::string log = folder.file("log");
  SignalWatch signals;
  run_process({.command = launch_command(request.launcher, job),
               .log_file = log,
               .limit = request.config.launch_timeout},
              signals);
  ControlVariable told{.name = variable, .choices = listed_choices(log_text(log))};
  if (!told.choices.empty()) return told;
  const std::string cause = failure_cause_in_file(log);
  throw InputError({"smpirun lists no values of '" + variable + "'",
                    cause.empty() ? "it says nothing" : cause,
                    "name a collective, such as smpi/bcast"});
}

/// The campaign in the request's folder, when it is to be gone on with.
std::optional<Manifest> manifest_to_resume(const Request& request) {
  const std::string file = campaign_folder(request.folder).manifest();
  if (!request.resume || !fs::exists(file)) return std::nullopt;
  return load_manifest(file);
}

/// Whether only what the axes make is lacking to be that campaign's config. Otherwise there will be
/// an error that names the difference, so the library need not be asked.
void adopt_settings(Request& request, const Manifest& manifest) {
  if (manifest.config.sweep) request.config.settings = manifest.config.settings;
  request.skipped = manifest.skipped;
}

void expand_axes(Request& request, LibraryQuery& query, bool dry_run) {
  const bool draws = request.config.sweep->mode == SweepMode::random;
  if (draws && !request.seed) request.seed = dry_run ? 0 : std::random_device{}();
  const std::string file = request.config_file.empty() ? request.config.name : request.config_file;
  request.skipped = settle_sweep(request.config, request.seed.value_or(0), std::ref(query), file);
  check_config(request.config, file);
}

/// A name of another library is no misspelt one.
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

}  // namespace

void LibraryQuery::ask() {
  const Request& request = *request_;
  const std::string beside = fs::path(request.program).parent_path().string();
  const std::string program = find_program("hockney-settings", "", {beside});
  const ScratchFolder folder;
  const std::string file = folder.file("settings.json");
  const std::string log = folder.file("log");
  const Job job = settings_job(request, {program, "--output", file});
  SignalWatch signals;
  const ProcessOutcome outcome = run_process({.command = launch_command(request.launcher, job),
                                              .log_file = log,
                                              .limit = time_to_answer(request.config)},
                                             signals);
  duration_ = outcome.duration;
  if (fs::exists(file)) {
    variables_ = read_variables(load_json(file));
    return;
  }
  throw RunError({"the MPI library could not be asked for values",
                  "'" + program + "' ended with " + failure_of(outcome, log),
                  "give the axes lists of values"});
}

std::optional<Seconds> LibraryQuery::duration() {
  if (variables_) return duration_;
  try {
    ask();
  } catch (const RunError&) {
    // What took all of the budget without an answer tells enough.
    const bool too_long = duration_ >= time_to_answer(request_->config);
    if (!too_long) return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
  return duration_;
}

ControlVariable LibraryQuery::operator()(const std::string& variable) {
  if (is_simulator_variable(variable)) return variable_of_simulator(*request_, variable);
  if (!variables_) ask();
  const ControlVariable* found = find_variable(*variables_, variable);
  if (found != nullptr && !found->choices.empty()) return *found;
  if (const auto told = variable_of_intel(request_->launcher, variable)) return *told;
  if (found != nullptr) return *found;
  throw InputError(
      {"the MPI library knows no '" + variable + "'",
       "it shows " + std::to_string(variables_->size()) + " settings, none of that name",
       nearest_of_library(variable, *variables_)});
}

void settle_request(Request& request, bool dry_run) {
  const auto manifest = manifest_to_resume(request);
  const bool has_axes = request.config.sweep && !is_expanded(request.config);
  if (manifest) {
    if (has_axes) adopt_settings(request, *manifest);
    return;
  }
  LibraryQuery query(request);
  if (has_axes) expand_axes(request, query, dry_run);
  if (request.config.budget && !dry_run) request.terms.start_up = query.duration();
}

}  // namespace hockney::campaign
