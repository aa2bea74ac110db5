#include "campaign/launch_command.hpp"

#include <algorithm>

#include "campaign/config.hpp"

namespace hockney::campaign {
namespace {

using Arguments = std::vector<std::string>;

/// Whether the user's own arguments already say `option`, which the launcher takes only once.
bool says(const Job& job, std::string_view option) {
  return std::ranges::any_of(job.launcher_arguments, [&](const std::string& argument) {
    return std::string_view(argument) == option ||
           (argument.starts_with(option) && argument[option.size()] == '=');
  });
}

Arguments open_mpi(const Launcher& launcher, const Job& job) {
  Arguments arguments;
  if (job.as_root) arguments.emplace_back("--allow-run-as-root");
  if (launcher.kind == LauncherKind::openmpi4) {
    arguments.emplace_back("--oversubscribe");
  } else if (!says(job, "--map-by")) {
    // PRRTE deprecates --oversubscribe in favour of this modifier of the mapping.
    append(arguments, {"--map-by", ":OVERSUBSCRIBE"});
  }
  if (!says(job, "--bind-to")) append(arguments, {"--bind-to", "none"});
  append(arguments, {"-n", std::to_string(job.ranks)});
  for (const auto& [name, value] : job.environment) {
    // mpirun hands OMPI_MCA_ variables on by itself.
    if (!name.starts_with("OMPI_MCA_")) append(arguments, {"-x", name});
  }
  return arguments;
}

Arguments hydra(const Launcher& launcher, const Job& job) {
  Arguments arguments{"-n", std::to_string(job.ranks)};
  if (launcher.kind == LauncherKind::mpich && !says(job, "-bind-to")) {
    append(arguments, {"-bind-to", "none"});
  }
  if (launcher.kind == LauncherKind::intel && !job.environment.contains("I_MPI_PIN")) {
    append(arguments, {"-genv", "I_MPI_PIN", "0"});
  }
  for (const auto& [name, value] : job.environment) append(arguments, {"-genv", name, value});
  return arguments;
}

/// Variables travel in the environment: a list in --export is split at the commas of the values.
Arguments srun(const Launcher& launcher, const Job& job) {
  Arguments arguments{"-n", std::to_string(job.ranks), "--export=ALL", "--kill-on-bad-exit=1"};
  if (!says(job, "--cpu-bind")) arguments.emplace_back("--cpu-bind=none");
  if (launcher.programs == MpiFamily::openmpi && !says(job, "--mpi")) {
    arguments.emplace_back("--mpi=pmix");
  } else if (launcher.programs == MpiFamily::mpich && !says(job, "--mpi")) {
    arguments.emplace_back("--mpi=pmi2");
  }
  return arguments;
}

Arguments own_arguments(const Launcher& launcher, const Job& job) {
  switch (dialect_of(launcher.kind)) {
    case Dialect::openmpi:
      return open_mpi(launcher, job);
    case Dialect::hydra:
      return hydra(launcher, job);
    case Dialect::srun:
      return srun(launcher, job);
    case Dialect::smpirun:
      break;
  }
  return {"-np", std::to_string(job.ranks)};
}

bool is_shell_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_./:,+=@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(const std::string& word) {
  if (!word.empty() && std::ranges::all_of(word, is_shell_safe)) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

Command launch_command(const Launcher& launcher, const Job& job) {
  Command command{.arguments = {launcher.command}, .environment = job.environment};
  append(command.arguments, own_arguments(launcher, job));
  append(command.arguments, job.launcher_arguments);
  append(command.arguments, job.program);
  return command;
}

std::string to_shell(const Command& command) {
  std::string line;
  for (const auto& [name, value] : command.environment)
    line += name + "=" + shell_word(value) + " ";
  for (const std::string& argument : command.arguments) line += shell_word(argument) + " ";
  line.pop_back();
  return line;
}

}  // namespace hockney::campaign
