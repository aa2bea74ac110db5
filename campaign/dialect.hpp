#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/words.hpp"

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

}  // namespace hockney::campaign
