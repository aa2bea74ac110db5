#include "campaign/launcher_search.hpp"

#include <filesystem>

#include "campaign/executables.hpp"
#include "campaign/subprocess.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

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

/// The program, as messages speak of it.
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
  throw InputError({"cannot tell the launcher of '" + linked.program + "'",
                    "it is linked with no MPI library hockney knows",
                    "name the launcher with --launcher openmpi, hydra, srun or smpirun"});
}

/// Whether a launcher of `kind` starts programs like this one, under the options of `dialect`.
bool fits(LauncherKind kind, Dialect dialect, const Linked& linked) {
  const auto family = family_of(kind);
  return dialect_of(kind) == dialect && (!family || !linked.family || family == linked.family);
}

std::string owner(LauncherKind kind) {
  const auto family = family_of(kind);
  return family ? std::string(title(*family)) : "Slurm";
}

/// What a launcher would have to be.
std::string wish(Dialect dialect, const Linked& linked) {
  if (!linked.family) return "the dialect is " + std::string(word(dialect));
  return "'" + fs::path(linked.program).filename().string() + "' needs " +
         std::string(title(*linked.family)) + " (" + linked.library + ")";
}

Launcher named_command(const std::string& name, Dialect dialect, const Linked& linked,
                       const std::vector<std::string>& folders, const VersionProbe& version_of) {
  const auto command = find_executable(name, folders);
  if (!command) {
    throw InputError({"launcher '" + name + "' not found", "there is no such executable file",
                      "check --launcher-command and PATH"});
  }
  const auto kind = recognise_launcher(version_of(*command)).value_or(usual_kind(dialect));
  if (!fits(kind, dialect, linked)) {
    throw InputError({"launcher '" + *command + "' belongs to " + owner(kind),
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
    misfits.push_back("'" + *command + "' belongs to " +
                      (kind ? owner(*kind) : "an MPI hockney does not know"));
  }
  throw InputError(
      {"no launcher found",
       wish(dialect, linked) + ", and " +
           (misfits.empty() ? "none of " + join(names_of(dialect)) + " is in PATH" : join(misfits)),
       "install it or name it with --launcher-command"});
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
  // A script around the program is fine once the dialect is named.
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
  return output_of({command, "--version"}, {10});
}

}  // namespace hockney::campaign
