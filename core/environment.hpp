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

/// Whether an environment variable steers MPI or a layer below it, and is not set by a launcher for
/// its own wiring.
bool steers_mpi(std::string_view variable);

/// Whether an MPI library reads it as a setting. Others, such as LD_PRELOAD, are for the linker.
bool requests_setting(std::string_view variable);

/// Whether the launcher reads it. The ranks' library then need not list it.
bool is_for_launcher(std::string_view variable);

/// The environment variables by which a launcher passes each rank its number.
struct LauncherVariables {
  const char* rank;
  const char* size;        ///< null: the launcher does not set it
  std::string_view owner;  ///< the launcher's software
};

inline constexpr std::string_view open_mpi_ranks = "Open MPI";
inline constexpr std::string_view slurm_ranks = "Slurm";
inline constexpr std::string_view mpich_ranks = "MPICH or Intel MPI";

/// In order of preference. Launchers of MPI libraries start their daemons by srun, so that
/// ranks have Slurm's variables too. Slurm's `size` is that of the step; a batch script is not a
/// step.
inline constexpr std::array<LauncherVariables, 9> launcher_variables{
    {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", open_mpi_ranks},
     {"PMI_RANK", "PMI_SIZE", mpich_ranks},
     {"PMIX_RANK", nullptr, "a PMIx launcher"},
     {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MVAPICH2"},
     {"FLUX_TASK_RANK", nullptr, "Flux"},  // FLUX_JOB_SIZE in a batch script is that of its brokers
     {"PALS_RANKID", nullptr, "PALS"},
     {"ALPS_APP_PE", nullptr, "ALPS"},
     {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "jsrun"},
     {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", slurm_ranks}}};

/// The whole number in an environment variable; nullopt if it is unset or no number.
inline std::optional<int> number_in_variable(const char* variable) {
  const char* text = variable == nullptr ? nullptr : std::getenv(variable);
  return text == nullptr ? std::nullopt : as_number<int>(text);
}

/// Whether this process is the first rank of its launcher, or has no launcher. Every rank gets the
/// same command line, and only the first prints help and errors.
inline bool is_first_rank() {
  for (const LauncherVariables& launcher : launcher_variables) {
    if (std::getenv(launcher.rank) != nullptr) return number_in_variable(launcher.rank) == 0;
  }
  return true;
}

// Facts about this process, its build and its machine, read without MPI.

#if defined(HOCKNEY_COMPILER)
/// Version, git revision, compiler and flags of this build. Only in files for which CMake defines
/// them (hockney_describe_build).
inline Build build_of_this() {
  return {.version = HOCKNEY_VERSION,
          .git_revision = HOCKNEY_GIT_REVISION,
          .compiler = HOCKNEY_COMPILER,
          .flags = HOCKNEY_FLAGS};
}
#endif

/// The name of this machine.
std::string own_host();

/// What the operating system reports about this machine; texts that it does not report are empty.
Host read_host(const std::string& name, const std::string& topology_digest,
               const std::string& cpu_model);

/// Facts about this node's place in its network (Host::network): Slurm's variables of this task,
/// the place name on a Cray, the GUIDs of InfiniBand adapters. `root` replaces / in file names, for
/// tests.
std::map<std::string, std::string> read_network_facts(const std::string& root = "");

/// The GPUs of this machine, in order of their PCI addresses: "NVIDIA H200 [10de:2335]". The model
/// is that of the driver, or else the vendor alone. `root` as above.
std::vector<std::string> read_gpus(const std::string& root = "");

/// The serial number of the board; empty for all users but root, and for placeholders such as "To
/// be filled by O.E.M.". `root` as above.
std::string read_board_serial(const std::string& root = "");

/// Sets memory, GPUs and serial number of this machine.
void add_hardware(Host& host);

/// The environment variables of this process that steer MPI libraries, their networks and binding.
std::map<std::string, std::string> steering_environment();

/// The words of this process's command line.
std::vector<std::string> command_line();

}  // namespace hockney
