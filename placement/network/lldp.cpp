#include "placement/network/lldp.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/network/nested_sites.hpp"
#include "placement/network/switch_groups.hpp"

namespace hockney::placement {
namespace {

/// Which hosts hear each device.
std::map<std::string, std::set<std::string>> hearers(const LldpHosts& hosts) {
  std::map<std::string, std::set<std::string>> heard_by;
  for (const auto& [host, neighbours] : hosts) {
    for (const LldpNeighbour& one : neighbours) heard_by[one.device].insert(host);
  }
  return heard_by;
}

/// Switches that nobody gave a name are called alike. Identifiers tell them apart, unless each host
/// hears one of its own: some switches send that of the port.
LldpHosts with_own_names(LldpHosts hosts, NetworkNotes& notes) {
  std::map<std::string, std::set<std::string>> ids;
  for (const auto& [host, neighbours] : hosts) {
    for (const LldpNeighbour& one : neighbours) ids[one.device].insert(one.id);
  }
  const auto heard_by = hearers(hosts);
  std::erase_if(ids, [&](const auto& device) {
    return device.second.size() < 2 || device.second.size() >= heard_by.at(device.first).size();
  });
  for (const auto& [device, own] : ids) {
    notes.mention("name", "that several switches have, told apart by their identifiers", device);
  }
  for (auto& [host, neighbours] : hosts) {
    for (LldpNeighbour& one : neighbours) {
      if (ids.contains(one.device)) one.device += " " + one.id;
    }
  }
  return hosts;
}

/// Chooses one network of those that hosts hear.
class ChosenNetwork {
 public:
  ChosenNetwork(LldpHosts hosts, NetworkNotes& notes) : hosts_(std::move(hosts)), notes_(notes) {}

  /// Of those that are named, separated by commas.
  LldpHosts of_interfaces(const std::string& names) {
    const std::vector<std::string> wanted = split(names, ',');
    for (auto& [host, neighbours] : hosts_) {
      std::erase_if(neighbours, [&](const LldpNeighbour& one) {
        return std::ranges::count(wanted, one.interface) == 0;
      });
    }
    return std::move(hosts_);
  }

  LldpHosts by_itself() {
    drop_slow_ports();
    drop_own_devices();
    drop_common_switches();
    return std::move(hosts_);
  }

 private:
  /// A switch that most of its hosts hear at a slower port counts for none of them.
  void drop_slow_ports() {
    std::map<std::string, std::size_t> slow_for;  // hosts, by device
    std::map<std::string, std::set<int>> speeds;
    const auto heard_by = hearers(hosts_);
    for (const auto& [host, neighbours] : hosts_) {
      const bool tells_all = std::ranges::all_of(
          neighbours, [](const LldpNeighbour& one) { return one.speed.has_value(); });
      if (!tells_all || neighbours.empty()) continue;
      const auto fastest = std::ranges::max(neighbours, {}, &LldpNeighbour::speed).speed;
      std::set<std::string> slow;
      for (const LldpNeighbour& one : neighbours) {
        if (one.speed != fastest) slow.insert(one.device);
        speeds[one.device].insert(one.speed.value_or(0));
      }
      for (const std::string& device : slow) ++slow_for[device];
    }
    for (const auto& [device, count] : slow_for) {
      if (2 * count <= heard_by.at(device).size()) continue;
      drop(device);
      notes_.leave_out("switch", "at slower ports than others (--interface NAME chooses)",
                       device + " (" + join_numbers(speeds.at(device)) + " Mbit/s)");
    }
  }

  void drop(const std::string& device) {
    for (auto& [host, neighbours] : hosts_) {
      std::erase_if(neighbours, [&](const LldpNeighbour& one) { return one.device == device; });
    }
  }

  /// A host may hear its own bridge on the port of the switch. A switch that one host alone hears
  /// on a port of its own may be real: there is no other host at it.
  void drop_own_devices() {
    const auto heard_by = hearers(hosts_);
    const auto is_shared = [&](const LldpNeighbour& one) {
      return heard_by.at(one.device).size() > 1;
    };
    for (auto& entry : hosts_) {
      std::set<std::string> interfaces;  // on which the host hears what others hear
      for (const LldpNeighbour& one : entry.second) {
        if (is_shared(one)) interfaces.insert(one.interface);
      }
      std::erase_if(entry.second, [&](const LldpNeighbour& one) {
        if (is_shared(one) || !interfaces.contains(one.interface)) return false;
        notes_.leave_out("device", "that one host alone hears on the port of a switch",
                         one.device + " (by " + entry.first + ")");
        return true;
      });
    }
  }

  void drop_common_switches() {
    const auto heard_by = hearers(hosts_);
    std::vector<std::pair<std::size_t, std::string>> by_hosts;  // most first
    by_hosts.reserve(heard_by.size());
    for (const auto& [device, hosts] : heard_by) by_hosts.emplace_back(hosts.size(), device);
    std::ranges::sort(by_hosts, std::ranges::greater());
    for (const auto& [count, device] : by_hosts) {
      if (!is_common(device, heard_by.at(device))) continue;
      notes_.leave_out("switch",
                       "heard by hosts that other switches part (--interface NAME chooses)",
                       device + " (" + std::to_string(count) + " hosts, on " +
                           join(interfaces_to(device)) + ")");
      drop(device);
    }
  }

  /// Whether most of its hosts hear other switches too, and these are several sites.
  [[nodiscard]] bool is_common(const std::string& device,
                               const std::set<std::string>& hearing) const {
    SwitchesOfHosts others;
    for (const std::string& host : hearing) {
      for (const LldpNeighbour& one : hosts_.at(host)) {
        if (one.device != device) others[host].insert(one.device);
      }
    }
    if (2 * others.size() <= hearing.size()) return false;
    NetworkNotes unused;
    std::set<std::string> sites;
    for (const auto& [host, site] : group_switches(others, unused).site_of_host) sites.insert(site);
    return sites.size() > 1;
  }

  [[nodiscard]] std::vector<std::string> interfaces_to(const std::string& device) const {
    std::set<std::string> interfaces;
    for (const auto& [host, neighbours] : hosts_) {
      for (const LldpNeighbour& one : neighbours) {
        if (one.device == device) interfaces.insert(one.interface);
      }
    }
    return {interfaces.begin(), interfaces.end()};
  }

  LldpHosts hosts_;
  NetworkNotes& notes_;
};

std::set<std::string> interfaces_of(const LldpHosts& hosts) {
  std::set<std::string> interfaces;
  for (const auto& [host, neighbours] : hosts) {
    for (const LldpNeighbour& one : neighbours) interfaces.insert(one.interface);
  }
  return interfaces;
}

/// Which interfaces a network is at, where hosts hear switches at others too.
void note_interfaces(const std::set<std::string>& heard, const std::set<std::string>& used,
                     NetworkNotes& notes) {
  std::vector<std::string> others;
  std::ranges::set_difference(heard, used, std::back_inserter(others));
  if (others.empty() || used.empty()) return;
  notes.remark("uses what hosts hear on " + join({used.begin(), used.end()}) + ", not on " +
               join(others) + " (--interface NAME chooses)");
}

}  // namespace

DescribedNetwork sites_of(const LldpHosts& hosts, const SiteOrigin& origin, NetworkNotes notes,
                          const std::string& interface) {
  ChosenNetwork network(with_own_names(hosts, notes), notes);
  const LldpHosts chosen =
      interface.empty() ? network.by_itself() : network.of_interfaces(interface);
  const std::set<std::string> heard = interfaces_of(hosts);
  note_interfaces(heard, interfaces_of(chosen), notes);
  SwitchesOfHosts switches;
  for (const auto& [host, neighbours] : chosen) {
    for (const LldpNeighbour& one : neighbours) switches[host].insert(one.device);
    if (!neighbours.empty()) continue;
    notes.leave_out("host",
                    hosts.at(host).empty() ? "hearing no switch (place unknown)"
                                           : "hearing none of these switches (place unknown)",
                    host);
  }
  NestedSites nested{.levels = level_names(1), .of_host = {}};
  for (const auto& [host, site] : group_switches(switches, notes).site_of_host) {
    nested.of_host[host] = {site};
  }
  if (nested.of_host.empty() && !heard.empty()) {
    throw InputError({inert(origin.detail) + ": no host hears a switch on " + inert(interface),
                      "switches are heard on " + inert(join({heard.begin(), heard.end()})),
                      "name one of these with --interface"});
  }
  if (nested.of_host.empty()) {
    reject_network(inert(origin.detail) + ": no host hears a switch", notes,
                   "LLDP names none on any interface",
                   "turn LLDP on at the switches, or write a site file");
  }
  SiteFile file = sites_of(nested, origin);
  return {.sites = std::move(file), .notes = notes.lines()};
}

}  // namespace hockney::placement
