#include "benchmarks/programs/launch/early_rank.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace hockney::benchmarks::programs {
namespace {

/// What a launcher tells each of its ranks.
struct LauncherVariables {
  const char* rank;
  const char* size;        ///< null: it tells none
  std::string_view owner;  ///< of the launcher
};

constexpr std::string_view open_mpi = "Open MPI";
constexpr std::string_view slurm = "Slurm";
constexpr std::string_view mpich = "MPICH or Intel MPI";

/// `size` of Slurm is that of the step, which a batch script is none of.
constexpr std::array<LauncherVariables, 4> launchers{
    {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", open_mpi},
     {"PMI_RANK", "PMI_SIZE", mpich},
     {"PMIX_RANK", nullptr, "a PMIx launcher"},
     {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", slurm}}};

/// nullopt where there is no such variable, or no number in it.
std::optional<int> number_in(const char* variable) {
  const char* text = variable == nullptr ? nullptr : std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  int number = 0;
  const std::string_view all(text);
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), number);
  const bool is_number = error == std::errc() && end == all.data() + all.size();
  return is_number ? std::optional(number) : std::nullopt;
}

std::string_view owner_of(const std::string& library) {
  return library.starts_with(open_mpi) ? open_mpi : mpich;
}

std::string usual_launcher(const std::string& library, std::string_view started_by) {
  if (started_by == slurm) {
    const bool takes_pmix = library.starts_with(open_mpi);
    return takes_pmix ? "srun --mpi=pmix, or mpirun" : "srun --mpi=pmi2, or mpiexec";
  }
  if (library.starts_with(open_mpi)) return "mpirun.openmpi, or the mpirun in its own bin folder";
  if (library.starts_with("Intel")) return "the mpirun in its own bin folder, or mpiexec.hydra";
  return "mpirun.mpich or mpiexec.hydra, or the mpiexec in its own bin folder";
}

}  // namespace

bool speaks_before_mpi() {
  const auto tells = std::ranges::find_if(launchers, [](const LauncherVariables& launcher) {
    return std::getenv(launcher.rank) != nullptr;
  });
  return tells == launchers.end() || number_in(tells->rank) == 0;
}

void silence_others(bool speaks) {
  if (speaks) return;
  std::cout.setstate(std::ios::failbit);
  std::cerr.setstate(std::ios::failbit);
}

std::optional<Message> foreign_launcher(int ranks, const std::string& library) {
  const bool is_simulated = library.find("SMPI") != std::string::npos;
  if (ranks != 1 || is_simulated) return std::nullopt;
  const auto tells = [](const LauncherVariables& launcher) {
    return number_in(launcher.size).has_value();
  };
  auto found = std::ranges::find_if(launchers, [&](const LauncherVariables& launcher) {
    return launcher.owner == owner_of(library) && tells(launcher);
  });
  if (found == launchers.end()) found = std::ranges::find_if(launchers, tells);
  const int started = found == launchers.end() ? 1 : number_in(found->size).value_or(1);
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
