#pragma once

#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "core/text.hpp"

namespace hockney {

/// What a launcher tells each of its ranks in variables of the environment.
struct LauncherVariables {
  const char* rank;
  const char* size;        ///< null: it tells none
  std::string_view owner;  ///< of the launcher
};

inline constexpr std::string_view open_mpi_ranks = "Open MPI";
inline constexpr std::string_view slurm_ranks = "Slurm";
inline constexpr std::string_view mpich_ranks = "MPICH or Intel MPI";

/// Best first: launchers of MPI libraries start their daemons by srun, whose variables ranks then
/// have, too. `size` of Slurm is that of the step, which a batch script is none of.
inline constexpr std::array<LauncherVariables, 4> launcher_variables{
    {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", open_mpi_ranks},
     {"PMI_RANK", "PMI_SIZE", mpich_ranks},
     {"PMIX_RANK", nullptr, "a PMIx launcher"},
     {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", slurm_ranks}}};

/// The whole number in a variable of the environment; nullopt where there is none.
inline std::optional<int> number_in_variable(const char* variable) {
  const char* text = variable == nullptr ? nullptr : std::getenv(variable);
  return text == nullptr ? std::nullopt : as_number<int>(text);
}

/// Whether this process is the first that a launcher started, or none did: launchers give every
/// rank the same command line, which one of them answers.
inline bool is_first_rank() {
  for (const LauncherVariables& launcher : launcher_variables) {
    if (std::getenv(launcher.rank) != nullptr) return number_in_variable(launcher.rank) == 0;
  }
  return true;
}

}  // namespace hockney
