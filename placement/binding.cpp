#include "placement/binding.hpp"

#include <sched.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

#include "core/text.hpp"
#include "placement/hwloc_handle.hpp"

namespace hockney::placement {
namespace {

[[noreturn]] void reject(std::string_view text, const std::string& why) {
  throw InputError({"'" + std::string(text) + "' is no list of CPUs", why, "write such as 0-3,8"});
}

int parse_cpu(std::string_view text, std::string_view number) {
  const int cpu = as_number<int>(number).value_or(-1);
  if (cpu < 0) reject(text, "'" + std::string(number) + "' is no CPU number");
  if (cpu > largest_cpu) reject(text, std::to_string(cpu) + " is above 8191");
  return cpu;
}

using detail::HwlocBitmap;
using detail::HwlocTopology;

/// hwloc binds only through a loaded topology; caches and memory are not needed for that.
HwlocTopology load_for_binding() {
  HwlocTopology topology = detail::new_topology();
  hwloc_topology_set_all_types_filter(topology.get(), HWLOC_TYPE_FILTER_KEEP_NONE);
  if (hwloc_topology_load(topology.get()) != 0) {
    throw RunError({"cannot read the topology of this machine", std::strerror(errno),
                    "see whether lstopo can"});
  }
  if (hwloc_topology_is_thissystem(topology.get()) == 0) {
    throw RunError({"cannot bind to CPUs", "hwloc shows another machine than this one",
                    "unset HWLOC_SYNTHETIC, HWLOC_XMLFILE and HWLOC_THISSYSTEM"});
  }
  return topology;
}

HwlocBitmap affinity(hwloc_topology_t topology) {
  HwlocBitmap cpus = detail::new_bitmap();
  if (hwloc_get_cpubind(topology, cpus.get(), HWLOC_CPUBIND_PROCESS) != 0) {
    throw RunError({"cannot read the CPU affinity of this process", std::strerror(errno), {}});
  }
  return cpus;
}

Binding read_back(hwloc_topology_t topology, int requested_cpu) {
  return {requested_cpu, detail::members(affinity(topology).get()), ::sched_getcpu()};
}

void check_possible(const Topology& topology, int os_cpu, const std::string& what) {
  if (!topology.is_this_system) {
    throw InputError({what, "topology '" + topology.source + "' is not of this system",
                      "place ranks with the live topology"});
  }
  if (find_pu(topology, os_cpu) == nullptr) {
    const Message unknown = unknown_cpu(topology, os_cpu);
    throw InputError({what, unknown.why, unknown.suggestion});
  }
}

}  // namespace

std::string format_cpus(std::vector<int> cpus) {
  if (cpus.empty()) return "none";
  std::ranges::sort(cpus);
  std::string text;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] <= cpus[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[first]);
    if (cpus[last] != cpus[first]) text += "-" + std::to_string(cpus[last]);
    first = last + 1;
  }
  return text;
}

std::vector<int> parse_cpus(std::string_view text) {
  std::vector<int> cpus;
  for (const std::string& part : split(text, ',')) {
    const std::string_view range = part;
    const std::size_t dash = range.find('-');
    const int first = parse_cpu(text, range.substr(0, dash));
    const int last =
        dash == std::string_view::npos ? first : parse_cpu(text, range.substr(dash + 1));
    if (last < first) reject(text, "'" + part + "' descends");
    cpus.resize(cpus.size() + static_cast<std::size_t>(last - first) + 1);
    std::iota(cpus.end() - (last - first) - 1, cpus.end(), first);
  }
  return cpus;
}

Message unknown_cpu(const Topology& topology, int os_cpu) {
  return {"no CPU " + std::to_string(os_cpu),
          "topology '" + topology.source + "' has CPUs " + format_cpus(usable_cpus(topology)),
          "name one of them"};
}

Binding bind_this_process(const Topology& topology, int os_cpu, const std::string& who) {
  const std::string what = "cannot bind " + who + " to CPU " + std::to_string(os_cpu);
  check_possible(topology, os_cpu, what);
  const HwlocTopology handle = load_for_binding();
  const HwlocBitmap wanted = detail::new_bitmap();
  hwloc_bitmap_only(wanted.get(), static_cast<unsigned>(os_cpu));
  if (hwloc_set_cpubind(handle.get(), wanted.get(), HWLOC_CPUBIND_PROCESS | HWLOC_CPUBIND_STRICT) !=
      0) {
    const std::string reason = std::strerror(errno);
    const std::string allowed =
        format_cpus(detail::members(hwloc_topology_get_allowed_cpuset(handle.get())));
    throw RunError({what, reason + ", its cpuset allows CPUs " + allowed,
                    "launch with more CPUs or place ranks on these"});
  }
  return read_back(handle.get(), os_cpu);
}

void bind_this_thread(int os_cpu, const std::string& who) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (os_cpu < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(os_cpu), &cpus);
  if (::sched_setaffinity(0, sizeof cpus, &cpus) == 0 && ::sched_getcpu() == os_cpu) return;
  throw RunError({"cannot bind " + who + " to CPU " + std::to_string(os_cpu), std::strerror(errno),
                  "launch with more CPUs, or --bind none"});
}

Binding read_binding(int requested_cpu) {
  return read_back(load_for_binding().get(), requested_cpu);
}

std::optional<Message> verify(const Binding& binding, const std::string& who) {
  const bool confined = binding.allowed_cpus == std::vector<int>{binding.requested_cpu};
  if (confined && binding.last_cpu == binding.requested_cpu) return std::nullopt;
  return Message{who + " is not bound to CPU " + std::to_string(binding.requested_cpu),
                 "it may run on CPUs " + format_cpus(binding.allowed_cpus) +
                     " and was last seen on CPU " + std::to_string(binding.last_cpu),
                 "launch without binding, such as mpirun --bind-to none"};
}

struct ScopedBinding::State {
  HwlocTopology topology = load_for_binding();
  HwlocBitmap cpus = affinity(topology.get());
};

ScopedBinding::ScopedBinding() : state_(std::make_unique<State>()) {}

ScopedBinding::~ScopedBinding() {
  hwloc_set_cpubind(state_->topology.get(), state_->cpus.get(), HWLOC_CPUBIND_PROCESS);
}

}  // namespace hockney::placement
