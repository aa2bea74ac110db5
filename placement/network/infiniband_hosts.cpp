#include "placement/network/infiniband_hosts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "placement/network/nested_sites.hpp"
#include "placement/network/switch_groups.hpp"

namespace hockney::placement {
namespace {

constexpr std::size_t guid_digits = 16;

/// Switches compute for collectives with adapters of their own (SHARP), which are no hosts'.
bool is_in_a_switch(const FabricNode& adapter) {
  return adapter.description.find("Aggregation Node") != std::string::npos;
}

bool has_digit(const std::string& word) {
  return std::ranges::any_of(word, [](unsigned char at) { return std::isdigit(at) != 0; });
}

/// "mlx5_0", "hfi1_0", "HCA-1", "ibp59s0": what a host calls its adapters.
bool is_device(const std::string& word) {
  constexpr std::array<std::string_view, 10> beginnings{"mlx4_", "mlx5_", "hfi1_", "qib",  "mthca",
                                                        "HCA-",  "ibp",   "ibs",   "roce", "rdmap"};
  return has_digit(word) && std::ranges::any_of(beginnings, [&](std::string_view begin) {
           return word.starts_with(begin);
         });
}

/// "MT4129" of "MT4129 ConnectX7 Mellanox Technologies", which the firmware of an adapter says
/// until a host says otherwise.
bool is_model(const std::string& word) {
  constexpr std::size_t least_digits = 4;
  return word.starts_with("MT") && word.size() >= 2 + least_digits &&
         std::all_of(word.begin() + 2, word.end(),
                     [](unsigned char at) { return std::isdigit(at) != 0; });
}

/// What a machine is called before somebody gives it a name.
bool is_no_name(const std::string& word) {
  return word == "localhost" || word.starts_with("localhost.") || word == "(none)" ||
         word == "(null)";
}

/// The name that an adapter calls its host by; nullopt of one that does not.
std::optional<std::string> name_in(const std::string& description) {
  const std::vector<std::string> words = words_of_line(description);
  const bool names_device = words.size() == 2 && is_device(words.back());  // of a host "MT4001"
  const bool is_default = !words.empty() && !names_device && is_model(words.front());
  if (words.empty() || is_default ||
      description.find("Mellanox Technologies") != std::string::npos) {
    return std::nullopt;
  }
  std::string name = words.front();
  // qib: "Intel Infiniband HCA n1", QLogic before it.
  if (words.size() > 3 && words[1] == "Infiniband" && words[2] == "HCA") name = words[3];
  const bool is_alone = words.size() == 1 && is_device(name);
  if (is_no_name(name) || is_alone || !is_host_name(name)) return std::nullopt;
  return name;
}

/// An adapter at a switch.
struct Adapter {
  std::string identifier;
  const FabricNode* node = nullptr;
  std::set<std::string> switches;  ///< their identifiers
};

class HostsOfAdapters {
 public:
  HostsOfAdapters(const Fabric& fabric, const HostsOfGuids& hosts,
                  const std::map<std::string, std::string>& switch_names, NetworkNotes& notes)
      : switch_names_(switch_names), notes_(notes) {
    for (const auto& [guid, host] : hosts) {
      if (const auto digits = guid_of(guid)) by_guid_[*digits] = host;
      full_names_[host.substr(0, host.find('.'))] = host;
    }
    for (const auto& [identifier, node] : fabric.nodes) {
      if (!identifier.starts_with("H-") || is_in_a_switch(node)) continue;
      adapters_.push_back({identifier, &node, switches_beside(node)});
    }
    std::erase_if(adapters_, [](const Adapter& one) { return one.switches.empty(); });
    join_by_guids();
    join_by_names();
    join_by_systems();
    for (const Adapter& adapter : adapters_) note_nameless(adapter);
    note_systems();
  }

  [[nodiscard]] std::map<std::string, std::string> take() { return std::move(hosts_); }

 private:
  void join_by_guids() {
    for (const Adapter& adapter : adapters_) {
      for (const std::string& guid : {adapter.identifier.substr(2), adapter.node->system_guid}) {
        const auto known = by_guid_.find(guid);
        if (known != by_guid_.end()) hosts_.emplace(adapter.identifier, known->second);
      }
    }
    join_by_systems();
  }

  void join_by_names() {
    std::map<std::string, std::vector<const Adapter*>> by_name;
    for (const Adapter& adapter : adapters_) {
      const auto name = name_in(adapter.node->description);
      if (name && !hosts_.contains(adapter.identifier)) by_name[*name].push_back(&adapter);
    }
    const std::map<std::string, std::string> sites = sites_of_rails(by_name);
    for (const auto& [name, adapters] : by_name) {
      const bool is_shared = is_of_several_machines(adapters, sites);
      const auto full = full_names_.find(name);
      for (const Adapter* adapter : adapters) {
        if (is_shared) {
          shared_names_.insert(adapter->identifier);
        } else {
          hosts_[adapter->identifier] = full == full_names_.end() ? name : full->second;
        }
      }
    }
  }

  /// An adapter that names no host is that of the only host that others of its system name.
  void join_by_systems() {
    std::map<std::string, std::set<std::string>> by_system;
    for (const Adapter& adapter : adapters_) {
      const auto host = hosts_.find(adapter.identifier);
      if (host != hosts_.end()) by_system[adapter.node->system_guid].insert(host->second);
    }
    for (const Adapter& adapter : adapters_) {
      const auto system = by_system.find(adapter.node->system_guid);
      const bool is_one = !adapter.node->system_guid.empty() && system != by_system.end() &&
                          system->second.size() == 1;
      if (is_one && !shared_names_.contains(adapter.identifier)) {
        hosts_.emplace(adapter.identifier, *system->second.begin());
      }
    }
  }

  /// The site of each switch, if every name is that of one host.
  static std::map<std::string, std::string> sites_of_rails(
      const std::map<std::string, std::vector<const Adapter*>>& by_name) {
    SwitchesOfHosts switches;
    for (const auto& [name, adapters] : by_name) {
      for (const Adapter* adapter : adapters) {
        switches[name].insert(adapter->switches.begin(), adapter->switches.end());
      }
    }
    NetworkNotes unused;
    std::map<std::string, std::string> sites;
    for (const auto& [site, members] : group_switches(switches, unused).switches) {
      for (const std::string& member : members) sites[member] = site;
    }
    return sites;
  }

  /// Adapters of different systems that call themselves the same are of different machines if the
  /// text names the device too ("ubuntu mlx5_0" twice), and if no other host has adapters at these
  /// switches together.
  static bool is_of_several_machines(const std::vector<const Adapter*>& adapters,
                                     const std::map<std::string, std::string>& sites) {
    std::map<std::string, const Adapter*> by_text;
    for (const Adapter* adapter : adapters) {
      const auto words = words_of_line(adapter->node->description);
      const auto [known, is_new] = by_text.emplace(join(words, " "), adapter);
      const Adapter& other = *known->second;
      const bool is_same_system = !adapter->node->system_guid.empty() &&
                                  adapter->node->system_guid == other.node->system_guid;
      if (is_new || is_same_system) continue;
      if (words.size() > 1 && is_device(words.back())) return true;
      if (sites.at(*adapter->switches.begin()) != sites.at(*other.switches.begin())) return true;
    }
    return false;
  }

  void note_nameless(const Adapter& adapter) {
    if (hosts_.contains(adapter.identifier)) return;
    const bool is_shared = shared_names_.contains(adapter.identifier);
    notes_.leave_out("adapter",
                     is_shared ? "whose name several machines have (--guids FILE tells them apart)"
                               : "naming no host (--guids FILE adds them)",
                     adapter.identifier + " '" +
                         join(words_of_line(adapter.node->description), " ") + "' at " +
                         switch_names_.at(*adapter.switches.begin()));
  }

  /// Cards of one machine have GUIDs of their own, and so have two machines of one name.
  void note_systems() {
    std::map<std::string, std::set<std::string>> systems;
    std::map<std::string, std::set<std::string>> switches;
    for (const Adapter& adapter : adapters_) {
      const auto host = hosts_.find(adapter.identifier);
      if (host == hosts_.end() || by_guid_.contains(adapter.identifier.substr(2))) continue;
      systems[host->second].insert(adapter.node->system_guid);
      switches[host->second].insert(adapter.switches.begin(), adapter.switches.end());
    }
    for (const auto& [host, guids] : systems) {
      if (guids.size() < 2 || switches.at(host).size() < 2) continue;
      notes_.mention(
          "host", "with cards of several system GUIDs at several switches, one host by name", host);
    }
  }

  const std::map<std::string, std::string>& switch_names_;
  NetworkNotes& notes_;
  HostsOfGuids by_guid_;
  std::map<std::string, std::string> full_names_;  ///< of hosts with GUIDs, by their short ones
  std::vector<Adapter> adapters_;
  std::set<std::string> shared_names_;        ///< identifiers of adapters
  std::map<std::string, std::string> hosts_;  ///< by identifiers of adapters
};

}  // namespace

std::optional<std::string> guid_of(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::string digits;
  for (const char at : text) {
    if (at == ':') continue;
    if (at >= 'A' && at <= 'F') {
      digits.push_back(static_cast<char>(at - 'A' + 'a'));
    } else if ((at >= '0' && at <= '9') || (at >= 'a' && at <= 'f')) {
      digits.push_back(at);
    } else {
      return std::nullopt;
    }
  }
  if (digits.empty() || digits.size() > guid_digits) return std::nullopt;
  return std::string(guid_digits - digits.size(), '0') + digits;
}

std::set<std::string> switches_beside(const FabricNode& adapter) {
  std::set<std::string> switches;
  for (const std::string& peer : adapter.peers) {
    if (peer.starts_with("S-")) switches.insert(peer);
  }
  return switches;
}

std::map<std::string, std::string> hosts_of_adapters(
    const Fabric& fabric, const HostsOfGuids& hosts,
    const std::map<std::string, std::string>& switch_names, NetworkNotes& notes) {
  return HostsOfAdapters(fabric, hosts, switch_names, notes).take();
}

}  // namespace hockney::placement
