#include "placement/network/slurm_topology.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "placement/network/nested_sites.hpp"
#include "placement/network/slurm_lines.hpp"

namespace hockney::placement {
namespace {

SiteOrigin origin_of(const NetworkText& text) {
  return {.source = "slurm-topology", .detail = text.name, .inferred = false};
}

/// A tree of switches.
class SwitchTree {
 public:
  SwitchTree(const NetworkText& text, const std::vector<SlurmLine>& lines) : text_(text) {
    for (const SlurmLine& line : lines) add(line);
    for (const SlurmLine& line : lines) connect(line);
    measure_heights();
  }

  [[nodiscard]] NestedSites sites() const {
    std::size_t levels = 0;
    for (const auto& [name, tier] : switches_) {
      levels = std::max(levels, static_cast<std::size_t>(tier.height) + 1);
    }
    NestedSites nested{.levels = level_names(levels), .of_host = {}};
    for (const auto& [host, leaf] : hosts_) nested.of_host[host] = way_up(leaf, levels);
    return nested;
  }

 private:
  struct Tier {
    std::string above;  ///< empty at the top
    int height = 0;     ///< of the tree below: 0 has nodes alone
    int line = 0;
  };

  void add(const SlurmLine& line) {
    const std::string name = line.text("switchname");
    if (name.empty()) {
      throw slurm_error(text_, line.number, "no name of a switch", "a tree is made of switches",
                        "begin the line with SwitchName=");
    }
    if (!switches_.emplace(name, Tier{.line = line.number}).second) {
      throw slurm_error(text_, line.number, "the switch '" + name + "' again",
                        "a switch is one line", "write its nodes or switches into one list");
    }
    if (line.text("nodes").empty() && line.text("switches").empty()) {
      throw slurm_error(text_, line.number, "nothing is below the switch '" + name + "'",
                        "it has neither Nodes nor Switches", "leave it out");
    }
  }

  void connect(const SlurmLine& line) {
    const std::string name = line.text("switchname");
    const std::vector<std::string> below = slurm_names(text_, line, "switches");
    for (const std::string& lower : below) {
      const auto found = switches_.find(lower);
      if (found == switches_.end()) {
        throw slurm_error(text_, line.number, "no line for the switch '" + lower + "'",
                          "the switch '" + name + "' has it below", "add its line");
      }
      if (!found->second.above.empty() || lower == name) {
        throw slurm_error(text_, line.number, "the switch '" + lower + "' has a second way up",
                          "a tree of Slurm has one", "leave one of them out");
      }
      found->second.above = name;
    }
    // The printed form lists all nodes below an upper switch once more.
    if (!below.empty() && line.has("level") && line.text("level") != "0") return;
    for (const std::string& host : slurm_names(text_, line, "nodes")) {
      if (hosts_.emplace(host, name).second) continue;
      throw slurm_error(text_, line.number, "the node '" + host + "' again",
                        "a node is at one switch", "list it once");
    }
  }

  /// A way up that does not end goes in a circle.
  void measure_heights() {
    for (const auto& [name, tier] : switches_) {
      int height = 0;
      for (std::string above = tier.above; !above.empty(); above = switches_.at(above).above) {
        if (++height > static_cast<int>(switches_.size())) {
          throw slurm_error(text_, tier.line, "the switch '" + name + "' is above itself",
                            "a tree has a top", "take it out of the circle");
        }
        int& known = switches_.at(above).height;
        known = std::max(known, height);
      }
    }
  }

  /// The switch of each level above a node: the highest that is not above the level.
  [[nodiscard]] std::vector<std::string> way_up(const std::string& leaf, std::size_t levels) const {
    std::vector<std::string> way;
    std::string at = leaf;
    for (std::size_t level = 0; level < levels; ++level) {
      for (std::string above = switches_.at(at).above;
           !above.empty() && switches_.at(above).height <= static_cast<int>(level);
           above = switches_.at(at).above) {
        at = above;
      }
      way.push_back(at);
    }
    return way;
  }

  const NetworkText& text_;
  std::map<std::string, Tier> switches_;
  std::map<std::string, std::string> hosts_;
};

/// Blocks of nodes, and the sizes [nodes] to which neighbouring ones are aggregated.
class Blocks {
 public:
  Blocks(const NetworkText& text, const std::vector<SlurmLine>& lines) : text_(text) {
    for (const SlurmLine& line : lines) add(line);
  }

  [[nodiscard]] NestedSites sites() const {
    NestedSites nested{.levels = level_names(1 + aggregates_.size(), "block"), .of_host = {}};
    for (const auto& [host, block] : hosts_) {
      auto& sites = nested.of_host[host];
      sites.push_back(block);
      for (const auto& [size, of_host] : aggregates_) {
        const auto found = of_host.find(host);
        sites.push_back(found == of_host.end() ? block : found->second);
      }
    }
    return nested;
  }

 private:
  void add(const SlurmLine& line) {
    if (line.has("blocksizes")) return add_sizes(line);
    const bool is_aggregate = line.has("aggregatedblock");
    const std::string name = line.text(is_aggregate ? "aggregatedblock" : "blockname");
    const std::vector<std::string> nodes = slurm_names(text_, line, "nodes");
    if (name.empty() || nodes.empty()) {
      throw slurm_error(text_, line.number, "a block without a name or without nodes",
                        "a topology of Slurm has a tree or blocks",
                        "write BlockName=NAME Nodes=NODES");
    }
    for (const std::string& host : nodes) {
      auto& known = is_aggregate ? aggregates_[nodes.size()] : hosts_;
      if (known.emplace(host, name).second) continue;
      throw slurm_error(text_, line.number, "the node '" + host + "' again",
                        "a node is in one block", "list it once");
    }
  }

  /// The first size is that of a block; which blocks make a larger one, the printed form says.
  void add_sizes(const SlurmLine& line) const {
    for (const std::string& size : split(line.text("blocksizes"), ',')) {
      if (as_number<int>(size).value_or(0) > 0) continue;
      throw slurm_error(text_, line.number, "'" + size + "' is no size of a block",
                        "sizes are numbers of nodes", "write BlockSizes=4,8");
    }
  }

  const NetworkText& text_;
  std::map<std::string, std::string> hosts_;
  std::map<std::size_t, std::map<std::string, std::string>> aggregates_;  ///< by nodes in each
};

}  // namespace

SiteFile read_slurm_topology(const NetworkText& text) {
  const std::vector<SlurmLine> lines = read_slurm_lines(text);
  const auto is_switch = [](const SlurmLine& line) { return line.has("switchname"); };
  const bool is_tree = std::ranges::any_of(lines, is_switch);
  const NestedSites nested =
      is_tree ? SwitchTree(text, lines).sites() : Blocks(text, lines).sites();
  if (nested.of_host.empty()) {
    throw InputError({inert(text.name) + ": no nodes in the topology",
                      "Slurm has a flat network, or prints nothing of it",
                      "name another source of the network"});
  }
  return sites_of(nested, origin_of(text));
}

}  // namespace hockney::placement
