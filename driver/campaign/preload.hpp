#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/text.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/mpi_stack.hpp"

namespace hockney::campaign {

/// ABIs of MPI handles: Open MPI's, that of MPICH and Intel MPI, and the standard one of MPI 5
/// (libmpi_abi). Each has its own profiling library.
enum class RecordedAbi { openmpi, mpich, standard };
constexpr auto words_of(std::type_identity<RecordedAbi>) {
  return std::to_array<std::string_view>({"openmpi", "mpich", "mpi-abi"});
}

/// The file of the library for an ABI: lib/libhockney-profile-<word>.so next to the folder of the
/// running program. InputError if it was not built, or if LD_PRELOAD cannot take its path.
std::string profile_library(RecordedAbi abi);

/// The ABI of the MPI library that a program of the command is linked with, else the launcher's
/// native one. InputError if neither is known, or if the program is linked statically.
RecordedAbi abi_of_command(const std::vector<std::string>& command, const VersionProbe& version_of);

/// The kind of launcher that a word names; nullopt for any other program.
std::optional<LauncherKind> launcher_named(const std::string& word, const VersionProbe& version_of);

/// Positions of the programs in a launcher's command, in order.
std::vector<std::size_t> places_of_programs(const std::vector<std::string>& words);

/// The command with options that set `variables` and LD_PRELOAD for its ranks only. An unknown
/// launcher gets them in its own environment. The first word may be the program itself. InputError
/// if the launcher cannot pass a list on. Programs that a file lists (--app of Open MPI,
/// -configfile of Hydra) become words of the command. A user's own LD_PRELOAD in options stays,
/// after the library.
Command preloaded(const std::vector<std::string>& command, const std::string& library,
                  const std::map<std::string, std::string>& variables,
                  const VersionProbe& version_of);

}  // namespace hockney::campaign
