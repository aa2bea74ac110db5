#include "application/where/probe/surroundings.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/launched_rank.hpp"
#include "placement/binding.hpp"
#include "placement/read_topology.hpp"
#include "application/where/probe/thread_places.hpp"
#include "application/where/processes.hpp"

namespace hockney::where {
namespace {

/// Whether a process was started as a rank: its environment has a launcher's variable.
bool is_rank(int process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/environ", std::ios::binary);
  for (std::string entry; std::getline(in, entry, '\0');) {
    for (const LauncherVariables& launcher : launcher_variables) {
      if (entry.starts_with(std::string(launcher.rank) + "=")) return true;
    }
  }
  return false;
}

/// The process of the launcher on this node: the nearest ancestor that is no rank. Wrappers that
/// start another process are ranks, too.
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

/// Variables by which people keep Open MPI 4 and 5 to some CPUs; they have numbers of hwloc.
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
      continue;  // Open MPI refuses it itself
    }
    node.list = std::string(name) + "=" + value;
    std::ranges::sort(node.listed_cpus);
    return;
  }
}

}  // namespace

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

}  // namespace hockney::where
