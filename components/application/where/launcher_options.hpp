#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/mpi_stack.hpp"

namespace hockney::where {

using Words = std::vector<std::string>;

/// Launchers whose options differ. `pals` is mpiexec of HPE PALS, `aprun` that of PALS or ALPS.
/// `other`: a launcher of a site, or a script that starts one; its options are unknown.
enum class LauncherKind {
  openmpi4,
  openmpi5,
  mpich,
  intel,
  slurm,
  simgrid,
  flux,
  pals,
  aprun,
  ccc_mprun,
  other
};

constexpr auto words_of(std::type_identity<LauncherKind>) {
  return std::to_array<std::string_view>({"openmpi4", "openmpi5", "mpich", "intel", "slurm",
                                          "simgrid", "flux", "pals", "aprun", "ccc_mprun",
                                          "other"});
}

/// The family of programs that a launcher starts; nullopt if it starts all families.
std::optional<campaign::MpiFamily> family_of(LauncherKind kind);

/// A launcher among the words of a command.
struct NamedLauncher {
  LauncherKind kind = LauncherKind::other;
  std::size_t words = 1;  ///< its own: 2 for "flux run"
};

/// The launcher that begins at `words[place]`; nullopt if that is no name of a known one.
std::optional<NamedLauncher> launcher_at(const Words& words, std::size_t place,
                                         const campaign::VersionProbe& version_of);

/// Index of the first word, from `begin` on, that belongs to no option of the launcher; at most
/// `end`.
std::size_t end_of_options(const Words& words, std::size_t begin, std::size_t end,
                           LauncherKind kind);

/// Hosts named by a launcher's options, in a list or a file; without such options, those of the
/// Slurm allocation. Hosts are distinct. "localhost" and addresses are left out, as they are no
/// host names. A file that cannot be read is skipped: the launcher will report it.
std::vector<std::string> requested_hosts(const Words& words, LauncherKind kind);

/// Options of a launcher without those that place ranks on a node or bind them. Appends the removed
/// words to `left_out`.
Words without_placement(const Words& words, LauncherKind kind, Words& left_out);

/// Whether the words contain an option with one of these names, "cpu-set" for "--cpu-set".
bool has_option(const Words& words, const std::vector<std::string_view>& names);

/// The last part of a path.
std::string base_name(const std::string& word);

}  // namespace hockney::where
