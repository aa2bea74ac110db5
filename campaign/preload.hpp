#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "campaign/launch_command.hpp"
#include "campaign/mpi_stack.hpp"
#include "core/text.hpp"

namespace hockney::campaign {

/// What programs take a handle of MPI for: that of Open MPI, that of MPICH and Intel MPI, and the
/// standard's own of MPI 5 (libmpi_abi). For each there is a library that records.
enum class RecordedAbi { openmpi, mpich, standard };
constexpr auto words_of(std::type_identity<RecordedAbi>) {
  return std::to_array<std::string_view>({"openmpi", "mpich", "mpi-abi"});
}

/// The file of the library for an ABI: lib/libhockney-profile-<word>.so beside the folder of the
/// running program. InputError where it was not built, and for a path that LD_PRELOAD cannot have.
std::string profile_library(RecordedAbi abi);

/// The ABI of the MPI library that a program of the command is linked with, else the native one of
/// its launcher. InputError where neither can be told, and for a program that is linked statically.
RecordedAbi abi_of_command(const std::vector<std::string>& words, const VersionProbe& version_of);

/// The launcher that a word names; nullopt for any other program.
std::optional<LauncherKind> launcher_named(const std::string& word, const VersionProbe& version_of);

/// Where among the words of a command the programs stand that its launcher starts, in order.
std::vector<std::size_t> places_of_programs(const std::vector<std::string>& words);

/// The command with `variables` and LD_PRELOAD given to its ranks alone, in the way of its
/// launcher; a launcher that is not known has them itself. The first word may be the program.
/// InputError for a list that the launcher cannot hand on.
Command preloaded(const std::vector<std::string>& words, const std::string& library,
                  const std::map<std::string, std::string>& variables,
                  const VersionProbe& version_of);

}  // namespace hockney::campaign
