#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "placement/network/slurm_hierarchy.hpp"
#include "placement/network/switch_groups.hpp"

namespace hockney::placement {
namespace {

/// The switches of Slurm's topology/tree. As in its switch_record_validate, the level of a switch
/// is one above the highest switch below it.
class SwitchTree {
 public:
  SwitchTree(const std::vector<SlurmLine>& lines, NetworkNotes& notes) : notes_(notes) {
    for (const SlurmLine& line : lines) add(line);
    for (const SlurmLine& line : lines) connect(line);
    measure_levels();
    leave_out_circles();
    for (const auto& [name, one] : switches_) {
      if (!one.has_nodes && one.is_resolved) notes_.leave_out("switch", "without nodes", name);
    }
  }

  [[nodiscard]] NestedSites sites() {
    std::size_t levels = 0;
    for (const auto& [name, one] : switches_) {
      if (one.has_nodes) levels = std::max(levels, one.level + 1);
    }
    NestedSites nested{.levels = level_names(levels), .of_host = {}};
    SwitchesOfHosts nearest = homes_;
    for (std::size_t level = 0; level < levels; ++level) {
      for (const auto& [host, homes] : homes_) {
        const std::set<std::string>& here = above(homes, level);
        if (!here.empty()) nearest[host] = here;
      }
      for (auto& [host, site] :
           group_switches(nearest, notes_, nested.levels[level]).site_of_host) {
        nested.of_host[host].push_back(std::move(site));
      }
    }
    return nested;
  }

 private:
  struct Switch {
    std::vector<std::string> below;
    std::vector<std::string> above;
    std::size_t level = 0;       ///< 0 has nodes alone
    std::size_t unresolved = 0;  ///< switches below whose levels are not known yet
    bool has_nodes = false;      ///< itself or below
    bool is_resolved = false;    ///< its level is known
  };

  void add(const SlurmLine& line) {
    const std::string name = line.text("switchname");
    if (name.empty()) {
      notes_.leave_out("line", "without the name of a switch", line.place);
    } else if (!switches_.emplace(name, Switch()).second) {
      notes_.leave_out("line", "defining a switch again", line.place + ": " + name);
    } else {
      lines_[name] = &line;
    }
  }

  void connect(const SlurmLine& line) {
    const std::string name = line.text("switchname");
    if (name.empty() || lines_.at(name) != &line) return;
    Switch& one = switches_.at(name);
    const std::vector<std::string> below = slurm_names(line, "switches", notes_);
    for (const std::string& lower : std::set<std::string>(below.begin(), below.end())) {
      const auto found = switches_.find(lower);
      if (found == switches_.end()) {
        notes_.leave_out("switch", "without a line of its own", lower + " (below " + name + ")");
      } else {
        one.below.push_back(lower);
        found->second.above.push_back(name);
      }
    }
    one.unresolved = one.below.size();
    // scontrol lists all nodes below an upper switch once more.
    if (!below.empty() && line.has("level") && line.text("level") != "0") return;
    for (const std::string& host : slurm_names(line, "nodes", notes_)) {
      if (is_host_name(host)) homes_[host].insert(name);
      one.has_nodes = true;
    }
  }

  /// From the leaves up, as far as there are no circles.
  void measure_levels() {
    std::vector<std::string> next;
    for (const auto& [name, one] : switches_) {
      if (one.unresolved == 0) next.push_back(name);
    }
    while (!next.empty()) {
      Switch& one = switches_.at(next.back());
      next.pop_back();
      one.is_resolved = true;
      for (const std::string& above : one.above) {
        Switch& upper = switches_.at(above);
        upper.has_nodes = upper.has_nodes || one.has_nodes;
        if (one.has_nodes) upper.level = std::max(upper.level, one.level + 1);
        if (--upper.unresolved == 0) next.push_back(above);
      }
    }
  }

  void leave_out_circles() {
    for (auto& [name, one] : switches_) {
      if (one.is_resolved) continue;
      notes_.leave_out("switch", "above itself or above one that is", name);
      one.level = 0;
    }
  }

  /// Of these switches and all above them, those of a level.
  [[nodiscard]] const std::set<std::string>& above(const std::set<std::string>& homes,
                                                   std::size_t level) {
    const auto [known, is_new] = ways_up_.try_emplace(homes);
    if (is_new) known->second = way_up(homes);
    return known->second[level];
  }

  [[nodiscard]] std::map<std::size_t, std::set<std::string>> way_up(
      const std::set<std::string>& homes) const {
    std::map<std::size_t, std::set<std::string>> way;
    std::set<std::string> seen = homes;
    std::vector<std::string> next(homes.begin(), homes.end());
    while (!next.empty()) {
      const std::string name = next.back();
      next.pop_back();
      const Switch& one = switches_.at(name);
      way[one.level].insert(name);
      for (const std::string& upper : one.above) {
        if (switches_.at(upper).is_resolved && seen.insert(upper).second) next.push_back(upper);
      }
    }
    return way;
  }

  NetworkNotes& notes_;
  std::map<std::string, Switch> switches_;
  std::map<std::string, const SlurmLine*> lines_;
  SwitchesOfHosts homes_;
  std::map<std::set<std::string>, std::map<std::size_t, std::set<std::string>>> ways_up_;
};

}  // namespace

NestedSites sites_of_switches(const std::vector<SlurmLine>& lines, NetworkNotes& notes) {
  return SwitchTree(lines, notes).sites();
}

}  // namespace hockney::placement
