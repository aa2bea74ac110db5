#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/dialect.hpp"

namespace hockney::campaign {

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
