#include "placement/read_topology.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "placement/binding.hpp"
#include "placement/hwloc_handle.hpp"
#include "placement/topology.hpp"

namespace hockney::placement {
namespace {

using detail::HwlocBitmap;
using detail::HwlocTopology;

/// Keeps hwloc from writing to stderr about input we report ourselves, and puts the environment
/// back so that programs started later see it as it was. The user's own setting wins.
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

/// Numbers objects 0, 1, 2 ... as they are first met, which in hwloc's order is their logical index
/// even where objects of several types stand for one group.
class Numbering {
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
  Numbering cores;
  Numbering l2;
  Numbering l3;
  Numbering packages;
};

/// The closest ancestor of the first type that has one; nullptr when none has.
hwloc_obj_t ancestor(hwloc_topology_t topology, hwloc_obj_t pu,
                     std::initializer_list<hwloc_obj_type_t> types) {
  for (const hwloc_obj_type_t type : types) {
    hwloc_obj* const found = hwloc_get_ancestor_obj_by_type(topology, type, pu);
    if (found != nullptr) return found;
  }
  return nullptr;
}

/// The kind of a PU's core, 0 the most powerful; nullopt on machines of one kind, and where hwloc
/// (before 2.4) knows none or cannot rank them.
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
  const std::string cpu = std::to_string(pu.os_cpu);
  if (pu.os_cpu < 0 || pu.os_cpu > largest_cpu) {
    throw InputError({"topology '" + source + "' numbers a CPU " + std::to_string(object->os_index),
                      "Linux numbers them 0 to " + std::to_string(largest_cpu),
                      "describe the machine anew with lstopo"});
  }
  if (seen.contains(pu.os_cpu) || hwloc_bitmap_isset(object->cpuset, object->os_index) == 0) {
    throw InputError({"topology '" + source + "' contradicts itself about CPU " + cpu,
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

/// Caches of data and of known size from the PU outwards.
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
  Numbering numbering;
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

/// hwloc knows what cgroups allow; the affinity of the process narrows it further.
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

/// "live", or which variable makes hwloc show another machine.
std::string live_source() {
  for (const char* name :
       {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT", "HWLOC_CPUID_PATH"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return std::string("live ") + name + "=" + value;
  }
  return "live";
}

InputError not_whole(const std::string& file) {
  return InputError({"cannot read topology '" + file + "'", "it is no whole hwloc XML document",
                     "write it with: lstopo --of xml FILE"});
}

void check_xml(const std::string& xml, const std::string& file) {
  const int newest = static_cast<int>(hwloc_get_api_version() >> 16U);
  const std::optional<int> version = xml_major_version(xml);
  if (version && *version > newest) {
    throw InputError({"cannot read topology '" + file + "'",
                      "it has format " + std::to_string(*version) + ", hwloc here knows up to " +
                          std::to_string(newest),
                      "write it with: lstopo --export-xml-flags v" + std::to_string(newest)});
  }
  if (xml.size() >= std::numeric_limits<int>::max()) {
    throw InputError({"cannot read topology '" + file + "'", "it is larger than 2 GiB", {}});
  }
  if (xml_has_half_a_set(xml)) throw not_whole(file);
}

InputError bad_synthetic(const std::string& text, const std::string& why) {
  return InputError({"'" + text + "' describes no machine", why,
                     "write such as 'pack:2 numa:2 l3:2 core:4 pu:2'"});
}

}  // namespace

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
    throw bad_synthetic(text, "it describes more than " + std::to_string(largest_cpu + 1) + " PUs");
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
