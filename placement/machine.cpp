#include "placement/machine.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/cpu_set.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/topology.hpp"

namespace hockney::placement::detail {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using HwlocBitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

static_assert(largest_cpu < CpuSet::most);

/// A topology that is not loaded yet. It will include CPUs that this process may not use.
HwlocTopology new_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw std::bad_alloc();
  HwlocTopology owned(topology);
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  return owned;
}

HwlocBitmap new_bitmap() {
  HwlocBitmap bitmap(hwloc_bitmap_alloc());
  if (!bitmap) throw std::bad_alloc();
  return bitmap;
}

/// The set bits, ascending; only the finite part of an infinite bitmap.
std::vector<int> members(hwloc_const_bitmap_t bitmap) {
  std::vector<int> numbers;
  const int last = hwloc_bitmap_last(bitmap);
  for (int bit = hwloc_bitmap_first(bitmap); bit >= 0 && bit <= last;
       bit = hwloc_bitmap_next(bitmap, bit)) {
    numbers.push_back(bit);
  }
  return numbers;
}

}  // namespace

}  // namespace hockney::placement::detail

namespace hockney::placement {
namespace {

[[noreturn]] void reject(std::string_view text, const std::string& why) {
  throw InputError({fmt::format("'{}' is no list of CPUs", text), why, "write such as 0-3,8"});
}

int parse_cpu(std::string_view text, std::string_view number) {
  const int cpu = as_number<int>(number).value_or(-1);
  if (cpu < 0) reject(text, fmt::format("'{}' is no CPU number", number));
  if (cpu > largest_cpu) reject(text, fmt::format("{} is above 8191", cpu));
  return cpu;
}

using detail::HwlocBitmap;
using detail::HwlocTopology;

/// hwloc binds only through a loaded topology; binding needs neither caches nor memory.
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
    throw InputError({what, fmt::format("topology '{}' is not of this system", topology.source),
                      "place ranks with the live topology"});
  }
  if (find_pu(topology, os_cpu) == nullptr) {
    const Message unknown = unknown_cpu(topology, os_cpu);
    throw InputError({what, unknown.why, unknown.suggestion});
  }
}

detail::HwlocTopology load(const std::string& synthetic) {
  detail::HwlocTopology topology = detail::new_topology();
  const bool is_made =
      synthetic.empty() || hwloc_topology_set_synthetic(topology.get(), synthetic.c_str()) == 0;
  if (is_made && hwloc_topology_load(topology.get()) == 0) return topology;
  throw RunError({"cannot read the NUMA nodes of this machine", std::strerror(errno), ""});
}

std::vector<int> numbers_of_nodes(hwloc_topology_t topology) {
  std::vector<int> numbers;
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr) {
    numbers.push_back(static_cast<int>(node->os_index));
  }
  std::ranges::sort(numbers);
  return numbers;
}

using detail::HwlocBitmap;
using detail::HwlocTopology;

/// Silences hwloc's warnings about input that we report ourselves. Restores the environment for
/// programs that start later. A user's own setting has precedence.
class HwlocSilence {
 public:
  HwlocSilence() : ours_(std::getenv(name) == nullptr) {
    if (ours_) ::setenv(name, "2", 0);
  }
  HwlocSilence(const HwlocSilence&) = delete;
  HwlocSilence& operator=(const HwlocSilence&) = delete;
  HwlocSilence(HwlocSilence&&) = delete;
  HwlocSilence& operator=(HwlocSilence&&) = delete;
  ~HwlocSilence() {
    if (ours_) ::unsetenv(name);
  }

 private:
  static constexpr const char* name = "HWLOC_HIDE_ERRORS";
  bool ours_;
};

/// Numbers objects 0, 1, 2 ... at their first use. In hwloc's order this is the logical index, even
/// if objects of several types represent one group.
class ObjectNumbers {
 public:
  int of(hwloc_obj_t object) {
    return numbers_.emplace(object, static_cast<int>(numbers_.size())).first->second;
  }
  std::optional<int> of_any(hwloc_obj_t object) {
    return object == nullptr ? std::nullopt : std::optional(of(object));
  }

 private:
  std::map<hwloc_obj_t, int> numbers_;
};

struct Numberings {
  ObjectNumbers cores;
  ObjectNumbers l2;
  ObjectNumbers l3;
  ObjectNumbers packages;
};

/// The closest ancestor of the first type with one; nullptr without.
hwloc_obj_t ancestor(hwloc_topology_t topology, hwloc_obj_t pu,
                     std::initializer_list<hwloc_obj_type_t> types) {
  for (const hwloc_obj_type_t type : types) {
    hwloc_obj* const found = hwloc_get_ancestor_obj_by_type(topology, type, pu);
    if (found != nullptr) return found;
  }
  return nullptr;
}

/// The kind of a PU's core; 0 is the most powerful. Without several kinds, before hwloc 2.4, or if
/// hwloc cannot rank them: nullopt.
std::optional<int> kind_of(hwloc_topology_t topology, hwloc_obj_t pu) {
#if HWLOC_API_VERSION >= 0x00020400
  const int kinds = hwloc_cpukinds_get_nr(topology, 0);
  const int kind = kinds < 2 ? -1 : hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0);
  int efficiency = -1;
  const bool is_ranked = kind >= 0 &&
                         hwloc_cpukinds_get_info(topology, static_cast<unsigned>(kind), nullptr,
                                                 &efficiency, nullptr, nullptr, 0) == 0 &&
                         efficiency >= 0;
  return is_ranked ? std::optional(kinds - 1 - efficiency) : std::nullopt;
#else
  return std::nullopt;
#endif
}

Pu to_pu(hwloc_topology_t topology, hwloc_obj_t pu, Numberings& numberings) {
  hwloc_obj* const core = ancestor(topology, pu, {HWLOC_OBJ_CORE});
  hwloc_obj* const package = ancestor(topology, pu, {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_MACHINE});
  Pu described;
  described.os_cpu = static_cast<int>(pu->os_index);
  described.core = numberings.cores.of(core == nullptr ? pu : core);
  described.l2 =
      numberings.l2.of_any(ancestor(topology, pu, {HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE}));
  described.l3 = numberings.l3.of_any(ancestor(topology, pu, {HWLOC_OBJ_L3CACHE}));
  if (pu->nodeset != nullptr) described.numa = detail::members(pu->nodeset);
  described.package = numberings.packages.of(package);
  described.kind = kind_of(topology, pu);
  return described;
}

/// The same number on two PUs would make "the CPU of rank 3" ambiguous.
void check_number(const Pu& pu, hwloc_obj_t object, const std::set<int>& seen,
                  const std::string& source) {
  if (pu.os_cpu < 0 || pu.os_cpu > largest_cpu) {
    throw InputError({fmt::format("topology '{}' numbers a CPU {}", source, object->os_index),
                      fmt::format("Linux numbers them 0 to {}", largest_cpu),
                      "describe the machine anew with lstopo"});
  }
  if (seen.contains(pu.os_cpu) || hwloc_bitmap_isset(object->cpuset, object->os_index) == 0) {
    throw InputError(
        {fmt::format("topology '{}' contradicts itself about CPU {}", source, pu.os_cpu),
         "its number and its cpuset do not name one PU each",
         "describe the machine anew with lstopo"});
  }
}

std::vector<Pu> describe_pus(hwloc_topology_t topology, const std::string& source) {
  std::vector<Pu> pus;
  std::set<int> seen;
  Numberings numberings;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, object)) != nullptr) {
    pus.push_back(to_pu(topology, object, numberings));
    check_number(pus.back(), object, seen, source);
    seen.insert(pus.back().os_cpu);
  }
  return pus;
}

/// Data caches of known size, from the PU outwards.
std::vector<hwloc_obj_t> caches_of(hwloc_obj_t pu) {
  std::vector<hwloc_obj_t> caches;
  for (hwloc_obj_t object = pu->parent; object != nullptr; object = object->parent) {
    if (hwloc_obj_type_is_dcache(object->type) != 0 && object->attr->cache.size > 0) {
      caches.push_back(object);
    }
  }
  return caches;
}

std::vector<LastCache> describe_last_caches(hwloc_topology_t topology) {
  std::vector<LastCache> described;
  ObjectNumbers numbering;
  hwloc_obj_t pu = nullptr;
  while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr) {
    const std::vector<hwloc_obj_t> caches = caches_of(pu);
    if (caches.empty()) continue;
    const auto number = static_cast<std::size_t>(numbering.of(caches.back()));
    if (number == described.size()) {
      described.push_back({.bytes = caches.back()->attr->cache.size,
                           .line_bytes = caches.back()->attr->cache.linesize});
    }
    LastCache& cache = described[number];
    if (caches.size() > 1) cache.inner_bytes = caches[caches.size() - 2]->attr->cache.size;
    cache.os_cpus.push_back(static_cast<int>(pu->os_index));
  }
  return described;
}

std::string model_of(hwloc_topology_t topology) {
  hwloc_obj* const package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  for (hwloc_obj* const object : {package, hwloc_get_root_obj(topology)}) {
    if (object == nullptr) continue;
    const char* model = hwloc_obj_get_info_by_name(object, "CPUModel");
    if (model != nullptr) return model;
  }
  return {};
}

/// The CPUs that cgroups allow (from hwloc), restricted to the affinity of the process.
std::vector<int> allowed_cpus(hwloc_topology_t topology) {
  const HwlocBitmap allowed = detail::new_bitmap();
  hwloc_bitmap_copy(allowed.get(), hwloc_topology_get_allowed_cpuset(topology));
  hwloc_bitmap_and(allowed.get(), allowed.get(), hwloc_topology_get_topology_cpuset(topology));
  const HwlocBitmap affinity = detail::new_bitmap();
  if (hwloc_topology_is_thissystem(topology) != 0 &&
      hwloc_get_cpubind(topology, affinity.get(), HWLOC_CPUBIND_PROCESS) == 0) {
    hwloc_bitmap_and(allowed.get(), allowed.get(), affinity.get());
  }
  return detail::members(allowed.get());
}

Topology to_topology(hwloc_topology_t topology, std::string source) {
  Topology described;
  described.pus = describe_pus(topology, source);
  described.is_this_system = hwloc_topology_is_thissystem(topology) != 0;
  described.source = std::move(source);
  described.cpu_model = model_of(topology);
  described.last_caches = describe_last_caches(topology);
  return restricted_to(described, allowed_cpus(topology));
}

/// "live", with the variable that makes hwloc show another machine, if set.
std::string live_source() {
  for (const char* name :
       {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT", "HWLOC_CPUID_PATH"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return fmt::format("live {}={}", name, value);
  }
  return "live";
}

InputError not_whole(const std::string& file) {
  return InputError({fmt::format("cannot read topology '{}'", file),
                     "it is no whole hwloc XML document", "write it with: lstopo --of xml FILE"});
}

void check_xml(const std::string& xml, const std::string& file) {
  const int newest = static_cast<int>(hwloc_get_api_version() >> 16U);
  const std::optional<int> version = xml_major_version(xml);
  if (version && *version > newest) {
    throw InputError({fmt::format("cannot read topology '{}'", file),
                      fmt::format("it has format {}, hwloc here knows up to {}", *version, newest),
                      fmt::format("write it with: lstopo --export-xml-flags v{}", newest)});
  }
  if (xml.size() >= std::numeric_limits<int>::max()) {
    throw InputError(
        {fmt::format("cannot read topology '{}'", file), "it is larger than 2 GiB", {}});
  }
  if (xml_has_half_a_set(xml)) throw not_whole(file);
}

InputError bad_synthetic(const std::string& text, const std::string& why) {
  return InputError({fmt::format("'{}' describes no machine", text), why,
                     "write such as 'pack:2 numa:2 l3:2 core:4 pu:2'"});
}

}  // namespace

std::string format_cpus(std::vector<int> cpus) {
  if (cpus.empty()) return "none";
  std::ranges::sort(cpus);
  std::vector<std::string> ranges;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] <= cpus[last] + 1) ++last;
    ranges.push_back(cpus[last] == cpus[first] ? std::to_string(cpus[first])
                                               : fmt::format("{}-{}", cpus[first], cpus[last]));
    first = last + 1;
  }
  return join(ranges, ",");
}

std::vector<int> parse_cpus(std::string_view text) {
  std::vector<int> cpus;
  for (const std::string& part : split(text, ',')) {
    const std::string_view range = part;
    const std::size_t dash = range.find('-');
    const int first = parse_cpu(text, range.substr(0, dash));
    const int last =
        dash == std::string_view::npos ? first : parse_cpu(text, range.substr(dash + 1));
    if (last < first) reject(text, fmt::format("'{}' descends", part));
    cpus.resize(cpus.size() + static_cast<std::size_t>(last - first) + 1);
    std::iota(cpus.end() - (last - first) - 1, cpus.end(), first);
  }
  return cpus;
}

Message unknown_cpu(const Topology& topology, int os_cpu) {
  return {
      fmt::format("no CPU {}", os_cpu),
      fmt::format("topology '{}' has CPUs {}", topology.source, format_cpus(usable_cpus(topology))),
      "name one of them"};
}

Binding bind_this_process(const Topology& topology, int os_cpu, const std::string& who) {
  const std::string what = fmt::format("cannot bind {} to CPU {}", who, os_cpu);
  check_possible(topology, os_cpu, what);
  const HwlocTopology handle = load_for_binding();
  const HwlocBitmap wanted = detail::new_bitmap();
  hwloc_bitmap_only(wanted.get(), static_cast<unsigned>(os_cpu));
  if (hwloc_set_cpubind(handle.get(), wanted.get(), HWLOC_CPUBIND_PROCESS | HWLOC_CPUBIND_STRICT) !=
      0) {
    const std::string reason = std::strerror(errno);
    const std::string allowed =
        format_cpus(detail::members(hwloc_topology_get_allowed_cpuset(handle.get())));
    throw RunError({what, fmt::format("{}, its cpuset allows CPUs {}", reason, allowed),
                    "launch with more CPUs or place ranks on these"});
  }
  return read_back(handle.get(), os_cpu);
}

void bind_this_thread(int os_cpu, const std::string& who) {
  const auto reject = [&](const std::string& why) {
    throw RunError({fmt::format("cannot bind {} to CPU {}", who, os_cpu), why,
                    "launch with more CPUs, or --bind none"});
  };
  CpuSet cpus;
  if (os_cpu >= 0 && os_cpu < CpuSet::most) cpus.add(os_cpu);
  if (::sched_setaffinity(0, CpuSet::bytes(), cpus.get()) != 0) reject(std::strerror(errno));
  const int now = ::sched_getcpu();
  if (now != os_cpu) reject(fmt::format("it runs on CPU {}", now));
}

Binding read_binding(int requested_cpu) {
  return read_back(load_for_binding().get(), requested_cpu);
}

std::optional<Message> verify(const Binding& binding, const std::string& who) {
  const bool confined = binding.allowed_cpus == std::vector<int>{binding.requested_cpu};
  if (confined && binding.last_cpu == binding.requested_cpu) return std::nullopt;
  return Message{fmt::format("{} is not bound to CPU {}", who, binding.requested_cpu),
                 fmt::format("it may run on CPUs {} and was last seen on CPU {}",
                             format_cpus(binding.allowed_cpus), binding.last_cpu),
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

struct NodeMemory::State {
  detail::HwlocTopology topology;

  [[nodiscard]] hwloc_obj_t node(int number) const {
    hwloc_obj_t found = nullptr;
    while ((found = hwloc_get_next_obj_by_type(topology.get(), HWLOC_OBJ_NUMANODE, found)) !=
           nullptr) {
      if (static_cast<int>(found->os_index) == number) return found;
    }
    return nullptr;
  }
};

NodeMemory::NodeMemory() : NodeMemory(std::string()) {}

NodeMemory::NodeMemory(const std::string& synthetic)
    : state_(std::make_unique<State>(State{load(synthetic)})),
      nodes_(numbers_of_nodes(state_->topology.get())) {}

NodeMemory::NodeMemory(NodeMemory&&) noexcept = default;
NodeMemory& NodeMemory::operator=(NodeMemory&&) noexcept = default;
NodeMemory::~NodeMemory() = default;

std::optional<int> NodeMemory::near(int os_cpu) const {
  for (const int number : nodes_) {
    const hwloc_obj_t node = state_->node(number);
    if (node->cpuset != nullptr &&
        hwloc_bitmap_isset(node->cpuset, static_cast<unsigned>(os_cpu)) != 0)
      return number;
  }
  return std::nullopt;
}

/// The machine's distance (ACPI SLIT); else the height of the common ancestor in the tree.
double NodeMemory::distance(int from, int to) const {
  hwloc_topology_t topology = state_->topology.get();
  const hwloc_obj_t here = state_->node(from);
  const hwloc_obj_t there = state_->node(to);
  hwloc_distances_s* stated = nullptr;
  unsigned count = 1;
  const int found = hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &stated,
                                                HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
  if (found == 0 && count > 0) {
    hwloc_uint64_t forth = 0;
    hwloc_uint64_t back = 0;
    const int known = hwloc_distances_obj_pair_values(stated, here, there, &forth, &back);
    hwloc_distances_release(topology, stated);
    if (known == 0) return static_cast<double>(forth);
  }
  return -static_cast<double>(hwloc_get_common_ancestor_obj(topology, here, there)->depth);
}

std::optional<int> NodeMemory::far(int os_cpu) const {
  const std::optional<int> own = near(os_cpu);
  if (!own) return std::nullopt;
  std::vector<int> others = nodes_;
  std::erase(others, *own);
  if (others.empty()) return std::nullopt;
  return *std::ranges::max_element(others, {}, [&](int node) { return distance(*own, node); });
}

std::string NodeMemory::bind(void* memory, std::size_t bytes, int node) const {
  const hwloc_obj_t object = state_->node(node);
  if (object == nullptr) return fmt::format("there is no NUMA node {}", node);
  const int bound =
      hwloc_set_area_membind(state_->topology.get(), memory, bytes, object->nodeset,
                             HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT);
  return bound == 0 ? std::string() : std::strerror(errno);
}

std::vector<int> NodeMemory::nodes_of(const void* memory, std::size_t bytes) const {
  const detail::HwlocBitmap nodes = detail::new_bitmap();
  const int known = hwloc_get_area_memlocation(state_->topology.get(), memory, bytes, nodes.get(),
                                               HWLOC_MEMBIND_BYNODESET);
  return known == 0 ? detail::members(nodes.get()) : std::vector<int>();
}

int current_cpu() { return ::sched_getcpu(); }

Topology read_live_topology() {
  const HwlocTopology topology = detail::new_topology();
  if (hwloc_topology_load(topology.get()) != 0) {
    throw RunError({"cannot read the topology of this machine", std::strerror(errno),
                    "see whether lstopo can"});
  }
  return to_topology(topology.get(), live_source());
}

Topology read_xml_topology(const std::string& file) {
  const std::string text = read_file(file);
  check_xml(text, file);
  const HwlocSilence silence;
  const HwlocTopology topology = detail::new_topology();
  if (hwloc_topology_set_xmlbuffer(topology.get(), text.c_str(),
                                   static_cast<int>(text.size()) + 1) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    throw not_whole(file);
  }
  return to_topology(topology.get(), "xml " + file);
}

Topology read_synthetic_topology(const std::string& text) {
  const std::optional<std::size_t> count = synthetic_pu_count(text);
  if (count > static_cast<std::size_t>(largest_cpu) + 1) {
    throw bad_synthetic(text, fmt::format("it describes more than {} PUs", largest_cpu + 1));
  }
  const HwlocSilence silence;
  const HwlocTopology topology = detail::new_topology();
  if (hwloc_topology_set_synthetic(topology.get(), text.c_str()) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    throw bad_synthetic(text, "hwloc rejects it");
  }
  Topology described = to_topology(topology.get(), "synthetic " + text);
  if (described.pus.size() < count) {
    throw bad_synthetic(text, "its indexes give one number to several PUs");
  }
  return described;
}

}  // namespace hockney::placement
