#include "core/environment.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::array<std::string_view, 11> libraries{
    "OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_", "I_MPI_", "MPIR_CVAR_", "MPICH_",
    "MV2_",      "UCX_",      "FI_",       "PSM2_",  "PSM3_"};
constexpr std::array<std::string_view, 8> surroundings{
    "HWLOC_",          "SLURM_CPU_BIND", "SLURM_JOB_ID", "LD_PRELOAD",
    "OMP_NUM_THREADS", "GLIBC_TUNABLES", "MALLOC_",      "HOCKNEY_"};

// Launchers set these for their own wiring, differently in every launch.
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
// variables that Hydra reads.
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

std::string lower(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string kernel() {
  utsname name{};
  return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : std::string();
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// GUIDs of nodes and of systems that contain several of them, separated by blanks.
std::string infiniband_guids(const std::string& root) {
  std::set<std::string> guids;
  std::error_code none;
  for (const auto& device :
       std::filesystem::directory_iterator(root + "/sys/class/infiniband", none)) {
    for (const char* kind : {"node_guid", "sys_image_guid"}) {
      const std::string guid = first_line((device.path() / kind).string());
      if (!guid.empty()) guids.insert(guid);
    }
  }
  return join({guids.begin(), guids.end()}, " ");
}

double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::int64_t> physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return std::nullopt;
  return std::int64_t{pages} * page_bytes;
}

/// A maker of GPUs: by PCI vendor, and the classes of its devices.
struct GpuVendor {
  std::string_view id;
  std::string_view name;
  bool has_accelerators = false;  ///< class 0x12 are GPUs, too
};

constexpr std::array<GpuVendor, 3> gpu_vendors{
    {{"0x10de", "NVIDIA"}, {"0x1002", "AMD", true}, {"0x8086", "Intel"}}};

/// The model of a device as its driver names it; empty if no driver does.
std::string model_of_driver(const std::string& root, const std::filesystem::path& device) {
  std::ifstream nvidia(root + "/proc/driver/nvidia/gpus/" + device.filename().string() +
                       "/information");
  for (std::string line; std::getline(nvidia, line);) {
    constexpr std::string_view key = "Model:";
    if (line.starts_with(key)) return trimmed(line.substr(key.size()));
  }
  return trimmed(first_line((device / "product_name").string()));  // amdgpu
}

std::string gpu_text(const std::string& root, const std::filesystem::path& device) {
  const std::string id = first_line((device / "vendor").string());
  const auto vendor = std::ranges::find(gpu_vendors, id, &GpuVendor::id);
  if (vendor == gpu_vendors.end()) return "";
  const std::string kind = first_line((device / "class").string());
  const bool is_gpu =
      kind.starts_with("0x03") || (vendor->has_accelerators && kind.starts_with("0x12"));
  if (!is_gpu) return "";
  constexpr std::size_t prefix = 2;  // "0x"
  const std::string number = first_line((device / "device").string());
  if (number.size() <= prefix) return "";
  const std::string model = model_of_driver(root, device);
  const std::string name = model.empty() ? std::string(vendor->name) : model;
  return name + " [" + id.substr(prefix) + ":" + number.substr(prefix) + "]";
}

}  // namespace

bool steers_mpi(std::string_view variable) {
  if (starts_with_any(variable, wiring)) return false;
  return starts_with_any(variable, libraries) || starts_with_any(variable, surroundings);
}

bool requests_setting(std::string_view variable) {
  return starts_with_any(variable, libraries) && !starts_with_any(variable, wiring);
}

bool is_for_launcher(std::string_view variable) { return starts_with_any(variable, of_launchers); }

std::vector<std::string> read_gpus(const std::string& root) {
  std::map<std::string, std::string> by_address;
  std::error_code none;
  for (const auto& device :
       std::filesystem::directory_iterator(root + "/sys/bus/pci/devices", none)) {
    std::string text = gpu_text(root, device.path());
    if (!text.empty()) by_address[device.path().filename().string()] = std::move(text);
  }
  std::vector<std::string> gpus;
  for (auto& [address, text] : by_address) gpus.push_back(std::move(text));
  return gpus;
}

std::string read_board_serial(const std::string& root) {
  constexpr std::array<std::string_view, 7> placeholders{"none",
                                                         "default string",
                                                         "not specified",
                                                         "not applicable",
                                                         "system serial number",
                                                         "to be filled by o.e.m.",
                                                         "0"};
  const std::string serial = trimmed(first_line(root + "/sys/class/dmi/id/board_serial"));
  const bool is_known = std::ranges::find(placeholders, lower(serial)) == placeholders.end();
  return is_known ? serial : "";
}

std::string own_host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

Host read_host(const std::string& name, const std::string& topology_digest,
               const std::string& cpu_model) {
  return {
      .name = name,
      .cpu_model = cpu_model,
      .kernel = kernel(),
      .governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
      .clocksource = first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
      .topology_digest = topology_digest,
      .cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)),
      .load_average = load_average(),
      .network = read_network_facts()};
}

void add_hardware(Host& host) {
  host.memory_bytes = physical_memory();
  host.gpus = read_gpus();
  host.serial = read_board_serial();
}

std::map<std::string, std::string> read_network_facts(const std::string& root) {
  std::map<std::string, std::string> facts{
      {"slurm_address", variable("SLURM_TOPOLOGY_ADDR")},
      {"slurm_pattern", variable("SLURM_TOPOLOGY_ADDR_PATTERN")},
      {"cray_name", first_line(root + "/proc/cray_xt/cname")},
      {"infiniband_guids", infiniband_guids(root)}};
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return facts;
}

std::map<std::string, std::string> steering_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    if (steers_mpi(name)) variables[name] = text.substr(std::min(text.size(), name.size() + 1));
  }
  return variables;
}

std::vector<std::string> command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  const std::string words{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::vector<std::string> split_words = split(words, '\0');
  if (!split_words.empty() && split_words.back().empty()) split_words.pop_back();
  return split_words;
}

}  // namespace hockney
