#include "benchmarks/programs/launch/early_rank.hpp"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "core/launched_rank.hpp"

namespace hockney::benchmarks::programs {
namespace {

std::string_view owner_of(const std::string& library) {
  return library.starts_with(open_mpi_ranks) ? open_mpi_ranks : mpich_ranks;
}

std::string usual_launcher(const std::string& library, std::string_view started_by) {
  if (started_by == slurm_ranks) {
    const bool takes_pmix = library.starts_with(open_mpi_ranks);
    return takes_pmix ? "srun --mpi=pmix, or mpirun" : "srun --mpi=pmi2, or mpiexec";
  }
  if (library.starts_with(open_mpi_ranks))
    return "mpirun.openmpi, or the mpirun in its own bin folder";
  if (library.starts_with("Intel")) return "the mpirun in its own bin folder, or mpiexec.hydra";
  return "mpirun.mpich or mpiexec.hydra, or the mpiexec in its own bin folder";
}

}  // namespace

void silence_others(bool speaks) {
  if (speaks) return;
  std::cout.setstate(std::ios::failbit);
  std::cerr.setstate(std::ios::failbit);
}

std::optional<Message> foreign_launcher(int ranks, const std::string& library) {
  const bool is_simulated = library.find("SMPI") != std::string::npos;
  if (ranks != 1 || is_simulated) return std::nullopt;
  const auto tells = [](const LauncherVariables& launcher) {
    return number_in_variable(launcher.size).has_value();
  };
  auto found = std::ranges::find_if(launcher_variables, [&](const LauncherVariables& launcher) {
    return launcher.owner == owner_of(library) && tells(launcher);
  });
  if (found == launcher_variables.end()) found = std::ranges::find_if(launcher_variables, tells);
  const int started =
      found == launcher_variables.end() ? 1 : number_in_variable(found->size).value_or(1);
  if (started <= 1) return std::nullopt;
  return Message{"started as " + std::to_string(started) + " jobs of one rank, not one of " +
                     std::to_string(started),
                 "the launcher is that of " +
                     (found->owner == owner_of(library) ? "another " : std::string()) +
                     std::string(found->owner) + ", and the program is linked with " +
                     library.substr(0, library.find(',')),
                 "use " + usual_launcher(library, found->owner) + "; hockney run finds it"};
}

}  // namespace hockney::benchmarks::programs
