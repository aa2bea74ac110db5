#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"

namespace hockney::campaign {

/// The family of a launcher: which options start N ranks.
enum class Dialect { openmpi, hydra, srun, smpirun };

/// Launchers that take different options within one dialect.
enum class LauncherKind { openmpi4, openmpi5, mpich, intel, slurm, simgrid };

constexpr auto words_of(std::type_identity<LauncherKind>) {
  return std::to_array<std::string_view>(
      {"openmpi4", "openmpi5", "mpich", "intel", "slurm", "simgrid"});
}

/// MPI libraries that need a launcher of their own. MPICH and Intel MPI share ABI and Hydra.
enum class MpiFamily { openmpi, mpich, simgrid };

/// The MPI library that a config is made for.
enum class RequiredLibrary { openmpi, openmpi4, openmpi5, mpich, intel, simgrid };

constexpr auto words_of(std::type_identity<RequiredLibrary>) {
  return std::to_array<std::string_view>(
      {"openmpi", "openmpi4", "openmpi5", "mpich", "intel", "simgrid"});
}

/// For people: "Open MPI 4".
std::string_view title(RequiredLibrary library);

/// Whether a launcher of this kind, for programs of this family, belongs to the library. What srun
/// starts is known by its family only, and nothing speaks against what is not known.
bool belongs_to(RequiredLibrary library, LauncherKind kind, std::optional<MpiFamily> programs);

std::string_view word(Dialect dialect);

/// "auto" is nullopt; InputError naming the nearest word for anything unknown.
std::optional<Dialect> parse_dialect(const std::string& text);

/// The dialect that starts programs of this family without a resource manager.
Dialect natural_dialect(MpiFamily family);

/// The kind a dialect is taken for when its launcher does not say.
LauncherKind usual_kind(Dialect dialect);

Dialect dialect_of(LauncherKind kind);

/// The family whose programs a launcher starts; nullopt when it starts all of them.
std::optional<MpiFamily> family_of(LauncherKind kind);

/// For people: "Open MPI", "MPICH or Intel MPI", "SimGrid".
std::string_view title(MpiFamily family);

/// Recognises a launcher by what it prints for --version; nullopt when it is none that is known.
std::optional<LauncherKind> recognise_launcher(std::string_view version_output);

/// The command that starts MPI jobs here.
struct Launcher {
  LauncherKind kind = LauncherKind::openmpi4;
  std::string command;                ///< path, or a name for PATH to find
  std::optional<MpiFamily> programs;  ///< the MPI of the programs it starts, where known
};

/// One MPI job, before any launcher's dialect.
struct Job {
  int ranks = 1;
  std::map<std::string, std::string> environment;  ///< every rank must see these
  std::vector<std::string> launcher_arguments;     ///< the user's own, after ours
  std::vector<std::string> program;                ///< program and its arguments
  bool as_root = false;                            ///< Open MPI refuses root unless told
};

/// A command line and the variables it needs beside the driver's own environment.
struct Command {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
};

/// The very command of a job. No launcher binds: every rank binds itself.
Command launch_command(const Launcher& launcher, const Job& job);

/// A word as a shell reads it, in quotes where it needs them.
std::string shell_word(const std::string& word);

/// A line a shell would run the same way.
std::string to_shell(const Command& command);

/// What the dynamic linker will look for: entries DT_NEEDED, and the folders of DT_RUNPATH or
/// DT_RPATH with $ORIGIN expanded (System V ABI, chapter 5; ld.so(8)).
struct ElfNeeds {
  std::vector<std::string> libraries;
  std::vector<std::string> folders;

  friend bool operator==(const ElfNeeds&, const ElfNeeds&) = default;
};

/// Whether a file begins as an ELF program does; false also when it cannot be read.
bool is_elf(const std::string& file);

/// Reads the dynamic section of a 64-bit program; InputError when it is none. A static program
/// needs nothing.
ElfNeeds read_elf_needs(const std::string& program);

/// The family of the MPI library among `libraries`; nullopt when there is none.
std::optional<MpiFamily> mpi_family(const ElfNeeds& needs);

/// The name of that library, such as "libmpi.so.40"; empty when there is none.
std::string mpi_library(const ElfNeeds& needs);

/// The folders of PATH, or of another variable like it, in order.
std::vector<std::string> path_folders(const char* variable = "PATH");

/// The folder of the running program.
std::string own_folder();

/// The first of `folders` that holds an executable file `name`; a name with a slash is taken as it
/// is. nullopt when there is none.
std::optional<std::string> find_executable(const std::string& name,
                                           const std::vector<std::string>& folders);

/// The program of a config: a path relative to the config's folder, or a name searched for in
/// `executable_folders`, beside the driver, and in PATH. InputError naming the places when it is in
/// none of them. Returns an absolute path.
std::string find_program(const std::string& program, const std::string& config_folder,
                         const std::vector<std::string>& executable_folders);

}  // namespace hockney::campaign
