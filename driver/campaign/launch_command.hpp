#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"

namespace hockney::campaign {

/// The syntax of a launcher's options.
enum class Dialect { openmpi, hydra, srun, smpirun };

constexpr auto words_of(std::type_identity<Dialect>) {
  return std::to_array<std::string_view>({"openmpi", "hydra", "srun", "smpirun"});
}

/// The exact launcher; within a dialect, options differ.
enum class LauncherKind { openmpi4, openmpi5, mpich, intel, slurm, simgrid };

constexpr auto words_of(std::type_identity<LauncherKind>) {
  return std::to_array<std::string_view>(
      {"openmpi4", "openmpi5", "mpich", "intel", "slurm", "simgrid"});
}

/// MPI libraries that differ in their launcher. MPICH and Intel MPI share ABI and Hydra.
enum class MpiFamily { openmpi, mpich, simgrid };

/// The MPI library that a config requires.
enum class RequiredLibrary { openmpi, openmpi4, openmpi5, mpich, intel, simgrid };

constexpr auto words_of(std::type_identity<RequiredLibrary>) {
  return std::to_array<std::string_view>(
      {"openmpi", "openmpi4", "openmpi5", "mpich", "intel", "simgrid"});
}

/// For people: "Open MPI 4".
std::string_view title(RequiredLibrary library);

/// Whether a launcher of this kind, for programs of this family, belongs to the library. For
/// programs under srun only the family is known, so any version is accepted.
bool belongs_to(RequiredLibrary library, LauncherKind kind, std::optional<MpiFamily> programs);

/// "auto" is nullopt; InputError with the nearest word for an unknown one.
std::optional<Dialect> parse_dialect(const std::string& text);

/// The dialect that starts programs of this family without a resource manager.
Dialect natural_dialect(MpiFamily family);

/// The default kind of a dialect, if the launcher does not report its own.
LauncherKind usual_kind(Dialect dialect);

Dialect dialect_of(LauncherKind kind);

/// The family of programs that a launcher starts; nullopt if it starts all families.
std::optional<MpiFamily> family_of(LauncherKind kind);

/// For people: "Open MPI", "MPICH or Intel MPI", "SimGrid".
std::string_view title(MpiFamily family);

/// Recognises a launcher by its output for --version; nullopt for an unknown launcher.
std::optional<LauncherKind> recognise_launcher(std::string_view version_output);

/// The command that starts MPI jobs here.
struct Launcher {
  LauncherKind kind = LauncherKind::openmpi4;
  std::string command;                ///< path, or a name for PATH to find
  std::optional<MpiFamily> programs;  ///< the MPI of its programs, if known
};

/// One MPI job, independent of the launcher.
struct Job {
  int ranks = 1;
  std::optional<int> per_node{};  ///< ranks on each node of the job; the nodes are those that the
                                  ///< launcher knows, and go on if one of them fails
  std::map<std::string, std::string> environment;  ///< set on every rank
  std::vector<std::string> launcher_arguments;     ///< the user's own, after ours
  std::vector<std::string> program;                ///< program and its arguments
  bool as_root = false;                            ///< adds --allow-run-as-root for Open MPI
};

/// A command line, and the variables that it needs besides the driver's environment.
struct Command {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
};

/// The exact command of a job. Launchers do not bind: every rank binds itself.
Command launch_command(const Launcher& launcher, const Job& job);

/// The command as a line for a shell.
std::string to_shell(const Command& command);

/// Input of the dynamic linker: entries DT_NEEDED, and the folders of DT_RUNPATH or DT_RPATH with
/// $ORIGIN expanded (System V ABI, chapter 5; ld.so(8)).
struct ElfNeeds {
  std::vector<std::string> libraries;
  std::vector<std::string> folders;

  friend bool operator==(const ElfNeeds&, const ElfNeeds&) = default;
};

/// Whether a file begins as an ELF program does; false also when it cannot be read.
bool is_elf(const std::string& file);

/// Reads the dynamic section of a 64-bit program; InputError if the file is no such program. Empty
/// for a static program.
ElfNeeds read_elf_needs(const std::string& program);

/// The family of the MPI library among `libraries`; nullopt without an MPI library.
std::optional<MpiFamily> mpi_family(const ElfNeeds& needs);

/// The name of that library, such as "libmpi.so.40"; empty without an MPI library.
std::string mpi_library(const ElfNeeds& needs);

/// The folders of PATH, or of another variable like it, in order.
std::vector<std::string> path_folders(const char* variable = "PATH");

/// The folder of the running program.
std::string own_folder();

/// The command that builds every program and component, if this program lies where it was built;
/// nullopt where it is installed.
std::optional<std::string> command_to_build();

/// The path of the executable file `name` in the first of `folders` that has it. A name with a
/// slash is a path itself. nullopt if no such file exists.
std::optional<std::string> find_executable(const std::string& name,
                                           const std::vector<std::string>& folders);

/// The program of a config: a path relative to the config's folder, or a name. Names are searched
/// for in `executable_folders`, in the driver's folder, and in PATH. Returns an absolute path.
/// InputError with the searched places if the program is not found.
std::string find_program(const std::string& program, const std::string& config_folder,
                         const std::vector<std::string>& executable_folders);

}  // namespace hockney::campaign
