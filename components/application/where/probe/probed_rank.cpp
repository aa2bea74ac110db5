#include "components/application/where/probe/probed_rank.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "components/application/where/rank_bindings.hpp"
#include "core/cpu_set.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace hockney::where {
namespace {

/// Binds the calling thread to all CPUs that the job may use.
void free_this_process() {
  CpuSet all;
  all.fill();
  ::sched_setaffinity(0, CpuSet::bytes(), all.get());  // the kernel removes forbidden CPUs
}

/// Whether a process was started as a rank: its environment contains a launcher's variable.
bool is_rank(int process) {
  std::ifstream in(fmt::format("/proc/{}/environ", process), std::ios::binary);
  for (std::string entry; std::getline(in, entry, '\0');) {
    for (const LauncherVariables& launcher : launcher_variables) {
      if (entry.starts_with(std::string(launcher.rank) + "=")) return true;
    }
  }
  return false;
}

/// The launcher's process on this node: the nearest ancestor that is no rank. Wrappers count as
/// ranks.
int launcher_process(const ProcessSamples& samples) {
  int process = ::getppid();
  while (is_rank(process)) {
    const auto found = samples.find(process);
    if (found == samples.end()) break;
    process = found->second.parent;
  }
  return process;
}

std::vector<int> cpus_of_process(const ProcessSamples& samples, int process) {
  const auto found = samples.find(process);
  if (found == samples.end()) return {};
  const auto thread = found->second.threads.find(process);
  return thread == found->second.threads.end() ? std::vector<int>() : thread->second.allowed_cpus;
}

/// Variables that restrict Open MPI 4 and 5 to some CPUs, by hwloc's numbers.
constexpr std::array<const char*, 3> list_variables{"OMPI_MCA_hwloc_base_cpu_list",
                                                    "PRTE_MCA_hwloc_default_cpu_list",
                                                    "OMPI_MCA_rmaps_default_cpu_list"};

void read_list(NodeCpus& node) {
  for (const char* name : list_variables) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    try {
      for (const int number : placement::parse_cpus(value)) {
        const auto index = static_cast<std::size_t>(number);
        if (index < node.pus.size()) node.listed_cpus.push_back(node.pus[index].os_cpu);
      }
    } catch (const InputError&) {
      continue;  // Open MPI itself rejects it
    }
    node.list = fmt::format("{}={}", name, value);
    std::ranges::sort(node.listed_cpus);
    return;
  }
}

/// CPUs of this node that the job may use without the binding of its ranks, the launcher's CPUs,
/// and other busy processes. Takes 0.3 s, and removes this process's own binding.
NodeCpus node_around(const std::string& host) {
  constexpr std::chrono::milliseconds pause{300};
  const ProcessSamples before = sample_processes();
  std::this_thread::sleep_for(pause);
  const ProcessSamples after = sample_processes();
  const int launcher = launcher_process(after);
  std::set<int> own = descendants_of(after, launcher);
  own.merge(ancestors_of(after, launcher));
  free_this_process();
  placement::Topology topology = placement::read_live_topology();
  NodeCpus node;
  node.host = host;
  node.cpu_model = topology.cpu_model;
  node.pus = std::move(topology.pus);
  node.launcher_cpus = cpus_of_process(after, launcher);
  const Seconds between{std::chrono::duration<double>(pause).count()};
  node.others = busy_processes(before, after, between, own);
  read_list(node);
  return node;
}

/// A page that was never touched.
class FreshPage {
 public:
  FreshPage()
      : bytes_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
        page_(::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
  }
  FreshPage(const FreshPage&) = delete;
  FreshPage& operator=(const FreshPage&) = delete;
  ~FreshPage() {
    if (is_mapped()) ::munmap(page_, bytes_);
  }

  /// Touches the page and returns its NUMA node (get_mempolicy(2), as libnuma does).
  std::optional<int> touched_on() {
    constexpr unsigned long node_of_address = 3;  // MPOL_F_NODE | MPOL_F_ADDR
    if (!is_mapped()) return std::nullopt;
    *static_cast<volatile char*>(page_) = 1;
    int node = -1;
    const long failed = ::syscall(SYS_get_mempolicy, &node, nullptr, 0UL, page_, node_of_address);
    return failed != 0 || node < 0 ? std::nullopt : std::optional(node);
  }

 private:
  [[nodiscard]] bool is_mapped() const { return page_ != MAP_FAILED; }

  std::size_t bytes_;
  void* page_;
};

}  // namespace

ThreadPlace place_of_this_thread() {
  const CpuSet allowed;
  if (::sched_getaffinity(0, CpuSet::bytes(), allowed.get()) != 0) {
    throw RunError({"cannot read the CPU affinity of a thread", std::strerror(errno), ""});
  }
  return {.allowed_cpus = allowed.members(),
          .last_cpu = ::sched_getcpu(),
          .memory_node = FreshPage().touched_on()};
}

std::vector<ThreadPlace> places_of_threads() {
#ifdef _OPENMP
  std::vector<ThreadPlace> places;
#pragma omp parallel
  {
#pragma omp single
    places.resize(static_cast<std::size_t>(omp_get_num_threads()));
    // All threads are at work here: each has passed the barrier of single.
    places[static_cast<std::size_t>(omp_get_thread_num())] = place_of_this_thread();
  }
  return places;
#else
  return {place_of_this_thread()};
#endif
}

std::string openmp_runtime() {
#ifdef _OPENMP
  Dl_info where{};
  if (::dladdr(reinterpret_cast<void*>(&omp_get_num_threads), &where) != 0) {
    return std::filesystem::path(where.dli_fname).filename().string();
  }
#endif
  return {};
}

}  // namespace hockney::where

extern char** environ;

namespace hockney::where {
namespace {

/// Variables that control OpenMP threads, for every runtime.
std::map<std::string, std::string> thread_variables() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool steers =
        text.starts_with("OMP_") || text.starts_with("GOMP_") || text.starts_with("KMP_");
    const std::size_t equals = text.find('=');
    if (steers && equals != std::string_view::npos) {
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return variables;
}

RankPlace place_of_rank() {
  for (const LauncherVariables& launcher : launcher_variables) {
    const auto rank = number_in_variable(launcher.rank);
    if (rank) return {.rank = *rank, .of = number_in_variable(launcher.size)};
  }
  throw RunError({"no launcher has started this", "no variable says which rank it is",
                  "start it by mpirun, mpiexec or srun"});
}

}  // namespace

RankPlace begin_part(int program) {
  RankPlace place = place_of_rank();
  place.host = own_host();
  place.variables = thread_variables();
  const char* started_on = std::getenv(started_variable);
  if (started_on != nullptr) place.started_on = split(started_on, ';');
  place.program = program;
  place.limits = read_cpu_limits();
  return place;
}

void leave_parts(const RankPlace& place, const std::string& folder) {
  leave_part(place, folder);
  if (claims_node(place.host, folder)) leave_node(node_around(place.host), folder);
}

int exit_code_of(int (&step)(std::span<char*>), std::span<char*> arguments) {
  try {
    return step(arguments);
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(ExitCode::run_failed);
  }
}

}  // namespace hockney::where
