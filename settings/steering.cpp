#include "settings/steering.hpp"

#include <algorithm>
#include <array>

namespace hockney {
namespace {

constexpr std::array<std::string_view, 11> libraries{
    "OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_", "I_MPI_", "MPIR_CVAR_", "MPICH_",
    "MV2_",      "UCX_",      "FI_",       "PSM2_",  "PSM3_"};
constexpr std::array<std::string_view, 8> surroundings{
    "HWLOC_",          "SLURM_CPU_BIND", "SLURM_JOB_ID", "LD_PRELOAD",
    "OMP_NUM_THREADS", "GLIBC_TUNABLES", "MALLOC_",      "HOCKNEY_"};

// Set by launchers for their own wiring, different in every launch.
constexpr std::array<std::string_view, 16> wiring{
    "OMPI_MCA_ess",          "OMPI_MCA_orte_",
    "OMPI_MCA_pmix",         "OMPI_MCA_plm_",
    "OMPI_MCA_initial_wdir", "OMPI_MCA_shmem_RUNTIME_QUERY_hint",
    "OMPI_MCA_PREFIXES",     "OMPI_MCA_cpu_type",
    "OMPI_MCA_num_procs",    "MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
    "I_MPI_HYDRA_UUID",      "I_MPI_INFO_",
    "I_MPI_INTERNAL_",       "I_MPI_PIN_INFO",
    "I_MPI_PIN_MAPPING",     "PMIX_MCA_mca_base_component_show"};

// Frameworks of the run-time environment of Open MPI 4 (those of 5 have the prefix PRTE_MCA_), and
// what Hydra reads.
constexpr std::array<std::string_view, 18> of_launchers{
    "OMPI_MCA_errmgr_", "OMPI_MCA_filem_",  "OMPI_MCA_grpcomm_", "OMPI_MCA_hwloc_",
    "OMPI_MCA_iof_",    "OMPI_MCA_odls_",   "OMPI_MCA_oob_",     "OMPI_MCA_ras_",
    "OMPI_MCA_regx_",   "OMPI_MCA_rmaps_",  "OMPI_MCA_rml_",     "OMPI_MCA_routed_",
    "OMPI_MCA_rtc_",    "OMPI_MCA_schizo_", "OMPI_MCA_state_",   "PRTE_MCA_",
    "PMIX_MCA_",        "I_MPI_HYDRA_"};

template <class Prefixes>
bool starts_with_any(std::string_view name, const Prefixes& prefixes) {
  return std::ranges::any_of(prefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

bool steers_mpi(std::string_view variable) {
  if (starts_with_any(variable, wiring)) return false;
  return starts_with_any(variable, libraries) || starts_with_any(variable, surroundings);
}

bool asks_for_setting(std::string_view variable) {
  return starts_with_any(variable, libraries) && !starts_with_any(variable, wiring);
}

bool is_for_launcher(std::string_view variable) { return starts_with_any(variable, of_launchers); }

}  // namespace hockney
