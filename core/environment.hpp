#pragma once

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.hpp"
#include "core/text.hpp"

namespace hockney {

/// Whether a variable of the environment steers MPI, or what it is built on, and is no wiring of a
/// launcher's own.
bool steers_mpi(std::string_view variable);

/// Whether an MPI library takes it for a setting (others, such as LD_PRELOAD, are for the linker).
bool asks_for_setting(std::string_view variable);

/// Whether it is read by the launcher, so that the ranks' library need not know it.
bool is_for_launcher(std::string_view variable);

/// What a setting of a collective operation says.
enum class CollectiveRole {
  algorithm,
  segment,   ///< bytes of one piece of a message
  fanout,    ///< children in a tree, chains, or the radix of an algorithm
  requests,  ///< messages under way at once
  other
};

/// A setting that says how a collective operation is done.
struct CollectiveVariable {
  std::string operation;  ///< as hockney names it: "reduce-scatter-block"
  CollectiveRole role = CollectiveRole::algorithm;
  std::string companion_of;  ///< the part of algorithms' names it is for: "chain"; empty: of all

  friend bool operator==(const CollectiveVariable&, const CollectiveVariable&) = default;
};

/// Of a variable of the environment: OMPI_MCA_coll_tuned_bcast_algorithm and its companions,
/// I_MPI_ADJUST_BCAST, MPIR_CVAR_BCAST_INTRA_ALGORITHM and its companions. nullopt for all others.
std::optional<CollectiveVariable> collective_variable(std::string_view variable);

/// The same of an option of smpirun, "--cfg=smpi/bcast:NAME", with NAME.
struct SimulatedChoice {
  std::string operation;
  std::string algorithm;

  friend bool operator==(const SimulatedChoice&, const SimulatedChoice&) = default;
};
std::optional<SimulatedChoice> simulated_choice(std::string_view argument);

/// The variables of one library that choose an operation's algorithm, for people and campaigns:
/// of Open MPI, Intel MPI and MPICH.
std::vector<std::string> algorithm_variables(std::string_view operation);

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

// What a process knows of itself, its build and its machine without MPI.

#if defined(HOCKNEY_COMPILER)
/// Version, git revision, compiler and flags of this build; in files that CMake tells them
/// (hockney_describe_build).
inline Build build_of_this() {
  return {.version = HOCKNEY_VERSION,
          .git_revision = HOCKNEY_GIT_REVISION,
          .compiler = HOCKNEY_COMPILER,
          .flags = HOCKNEY_FLAGS};
}
#endif

/// What the operating system says about this machine. Empty texts where it says nothing.
Host read_host(const std::string& name, const std::string& topology_digest,
               const std::string& cpu_model);

/// What tells the place of this node in its network (Host::network): what Slurm told this task, the
/// name of the place on a Cray, the GUIDs of InfiniBand adapters. `root` stands for / in names of
/// files.
std::map<std::string, std::string> read_network_facts(const std::string& root = "");

/// The environment variables of this process that steer MPI libraries, their networks and binding.
std::map<std::string, std::string> steering_environment();

/// The words of this process's command line.
std::vector<std::string> command_line();

}  // namespace hockney
