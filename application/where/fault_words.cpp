#include <algorithm>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "placement/binding.hpp"
#include "application/where/faults.hpp"

namespace hockney::where {
namespace {

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// "8 threads of rank 0", and of ranks of one thread each "ranks 0-3".
std::string who(const Fault& fault) {
  const std::string ranks =
      (fault.ranks.size() == 1 ? "rank " : "ranks ") + placement::format_cpus(fault.ranks);
  return fault.threads == fault.ranks.size() ? ranks
                                             : counted(fault.threads, "thread") + " of " + ranks;
}

/// "CPU 0", "CPUs 0-3,8".
std::string cpu_words(const std::vector<int>& cpus) {
  return (cpus.size() == 1 ? "CPU " : "CPUs ") + placement::format_cpus(cpus);
}

std::string spread(const Fault& fault, const std::string& parts) {
  return who(fault) + " are in different " + parts + " (" + cpu_words(fault.cpus) + ") of " +
         fault.host + " and would fit into one";
}

std::string is_or_are(const Fault& fault) { return fault.threads == 1 ? " is" : " are"; }

}  // namespace

std::string process_text(const std::vector<OtherProcess>& processes) {
  constexpr std::size_t most = 2;
  std::vector<std::string> texts;
  for (const OtherProcess& process : processes) {
    if (texts.size() == most) break;
    texts.push_back("'" + process.command + "' (pid " + std::to_string(process.pid) +
                    (process.user.empty() ? "" : ", user " + process.user) + ")");
  }
  const std::string more =
      processes.size() > most ? " and " + std::to_string(processes.size() - most) + " more" : "";
  return join(texts) + more;
}

std::string fault_text(const Fault& fault) {
  const std::string there =
      counted(fault.cores, "core") + " (" + cpu_words(fault.cpus) + ") of " + fault.host;
  switch (fault.kind) {
    case FaultKind::shared_cpu:
      return who(fault) + " share " + there;
    case FaultKind::other_job:
      return who(fault) + (fault.threads == 1 ? " shares " : " share ") + there + " with " +
             (fault.others.size() == 1 ? "another process"
                                       : std::to_string(fault.others.size()) + " other processes");
    case FaultKind::shared_core:
      return who(fault) + " share " + there + " as hyperthreads";
    case FaultKind::idle_cores:
      return there + (fault.cores == 1 ? " has" : " have") + " nothing to do";
    case FaultKind::unbound:
      return who(fault) + is_or_are(fault) + " not bound: anywhere on " + there;
    case FaultKind::across_packages:
      return spread(fault, "packages");
    case FaultKind::across_numa:
      return spread(fault, "NUMA nodes");
    case FaultKind::across_l3:
      return spread(fault, "L3 caches");
    case FaultKind::across_kinds:
      return who(fault) + " are on cores of different kinds (" + cpu_words(fault.cpus) + ") of " +
             fault.host + " and would fit on one kind";
    case FaultKind::far_memory:
      return "memory of " + who(fault) + " is on NUMA node " + placement::format_cpus(fault.cpus) +
             " of " + fault.host + ", which is not local";
    case FaultKind::empty_node:
      break;
  }
  return "node " + fault.host + " has no rank";
}

}  // namespace hockney::where
