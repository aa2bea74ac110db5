#include "placement/network/switch_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "core/text.hpp"

namespace hockney::placement {
namespace {

/// How many hosts have exactly these switches.
using Homes = std::map<std::set<std::string>, std::size_t>;

/// Of sets with more switches than this, pairs with the first one alone are compared.
constexpr std::size_t most_compared = 32;

/// Switches joined to groups; each group goes by its first member.
class JoinedSwitches {
 public:
  [[nodiscard]] std::string first_of(std::string name) const {
    for (auto up = above_.find(name); up != above_.end(); up = above_.find(name)) name = up->second;
    return name;
  }
  void join(const std::string& one, const std::string& other) {
    const auto [first, second] = std::minmax({first_of(one), first_of(other)});
    if (first != second) above_[second] = first;
  }

 private:
  std::map<std::string, std::string> above_;
};

/// Hosts with several switches: at each, and at each two together.
struct SharedSwitches {
  std::map<std::string, std::size_t> hosts_at;
  std::map<std::pair<std::string, std::string>, std::size_t> hosts_at_both;

  void add(const std::set<std::string>& switches, std::size_t hosts) {
    const bool compares_all = switches.size() <= most_compared;
    for (const std::string& name : switches) hosts_at[name] += hosts;
    for (auto one = switches.begin(); one != switches.end(); ++one) {
      if (!compares_all && one != switches.begin()) return;
      for (auto other = std::next(one); other != switches.end(); ++other) {
        hosts_at_both[{*one, *other}] += hosts;
      }
    }
  }
};

JoinedSwitches join_rails(const Homes& homes) {
  SharedSwitches shared;
  for (const auto& [switches, hosts] : homes) {
    if (switches.size() > 1) shared.add(switches, hosts);
  }
  JoinedSwitches joined;
  for (const auto& [pair, hosts] : shared.hosts_at_both) {
    const auto& [one, other] = pair;
    const bool is_most = 2 * hosts > std::max(shared.hosts_at[one], shared.hosts_at[other]);
    if (is_most) joined.join(one, other);
  }
  return joined;
}

bool has_rails(const Homes& homes) {
  std::size_t several = 0;
  std::size_t all = 0;
  for (const auto& [switches, hosts] : homes) {
    all += hosts;
    if (switches.size() > 1) several += hosts;
  }
  return 2 * several >= all;
}

/// "rail0+rail1"; of more than three the first and how many more there are.
std::string site_name(const std::vector<std::string>& switches) {
  constexpr std::size_t most_named = 3;
  if (switches.size() <= most_named) return join(switches, "+");
  return switches.front() + "+" + std::to_string(switches.size() - 1);
}

/// Groups of switches, by their first ones.
class Groups {
 public:
  explicit Groups(const Homes& homes)
      : joined_(has_rails(homes) ? join_rails(homes) : JoinedSwitches()) {
    for (const auto& [switches, hosts] : homes) {
      for (const std::string& name : switches) members_[joined_.first_of(name)].insert(name);
      for (const std::string& group : near(switches)) hosts_[group] += hosts;
    }
  }

  /// All that have one of these switches.
  [[nodiscard]] std::set<std::string> near(const std::set<std::string>& switches) const {
    std::set<std::string> groups;
    for (const std::string& name : switches) groups.insert(joined_.first_of(name));
    return groups;
  }

  /// The one with the most hosts.
  [[nodiscard]] const std::string& largest(const std::set<std::string>& groups) const {
    return *std::ranges::max_element(groups, {},
                                     [&](const std::string& group) { return hosts_.at(group); });
  }

  [[nodiscard]] std::vector<std::string> members(const std::string& group) const {
    return {members_.at(group).begin(), members_.at(group).end()};
  }

 private:
  JoinedSwitches joined_;
  std::map<std::string, std::set<std::string>> members_;
  std::map<std::string, std::size_t> hosts_;
};

}  // namespace

SwitchGroups group_switches(const SwitchesOfHosts& hosts, NetworkNotes& notes,
                            const std::string& level) {
  Homes homes;
  for (const auto& [host, switches] : hosts) {
    if (!switches.empty()) ++homes[switches];
  }
  const Groups groups(homes);
  SwitchGroups found;
  for (const auto& [host, switches] : hosts) {
    if (switches.empty()) continue;
    std::vector<std::string> sites;
    const std::set<std::string> near = groups.near(switches);
    for (const std::string& group : near) {
      const std::vector<std::string> members = groups.members(group);
      sites.push_back(site_name(members));
      found.switches[sites.back()] = members;
    }
    const std::string home = site_name(groups.members(groups.largest(near)));
    found.site_of_host[host] = home;
    if (near.size() < 2) continue;
    notes.mention("host", "at more than one " + level + ", counted at one of them",
                  host + " at " + home + " of " + join(sites));
  }
  return found;
}

}  // namespace hockney::placement
