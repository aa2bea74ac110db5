#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "placement/network/slurm_hierarchy.hpp"

namespace hockney::placement {
namespace {

/// Hosts by site; `noun` names a site in notes. A node in two sites counts in the first.
class NodesOfSites {
 public:
  NodesOfSites(std::string noun, NetworkNotes& notes) : noun_(std::move(noun)), notes_(notes) {}

  void add(const std::string& site, const std::vector<std::string>& nodes) {
    for (const std::string& host : nodes) {
      if (!is_host_name(host)) continue;
      const auto [known, is_new] = site_of_.emplace(host, site);
      if (is_new || known->second == site) continue;
      notes_.leave_out("node", "in a second " + noun_,
                       host + " in " + site + " (counts in " + known->second + ")");
    }
  }
  [[nodiscard]] const std::map<std::string, std::string>& sites() const { return site_of_; }
  [[nodiscard]] std::optional<std::string> of(const std::string& host) const {
    const auto found = site_of_.find(host);
    return found == site_of_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::string noun_;
  NetworkNotes& notes_;
  std::map<std::string, std::string> site_of_;
};

/// Names that lines define, each once.
class DefinedNames {
 public:
  DefinedNames(std::string noun, NetworkNotes& notes) : noun_(std::move(noun)), notes_(notes) {}

  /// Whether the line defines `name` and none before it did.
  bool add(const SlurmLine& line, const std::string& name) {
    if (name.empty()) {
      notes_.leave_out("line", "without the name of a " + noun_, line.place);
      return false;
    }
    if (names_.insert(name).second) return true;
    notes_.leave_out("line", "defining a " + noun_ + " again", line.place + ": " + name);
    return false;
  }

 private:
  std::string noun_;
  NetworkNotes& notes_;
  std::set<std::string> names_;
};

/// Blocks of nodes, and the sizes to which neighbouring ones are joined.
class Blocks {
 public:
  Blocks(const std::vector<SlurmLine>& lines, NetworkNotes& notes)
      : notes_(notes), nodes_("block", notes), defined_("block", notes) {
    for (const SlurmLine& line : lines) add(line);
    if (larger_.empty()) join_blocks();
  }

  [[nodiscard]] NestedSites sites() const {
    NestedSites nested{.levels = level_names(1 + larger_.size(), "block"), .of_host = {}};
    for (const auto& [host, block] : nodes_.sites()) {
      auto& sites = nested.of_host[host];
      sites.push_back(block);
      for (const auto& [size, joined] : larger_) {
        sites.push_back(joined.of(host).value_or(sites.back()));
      }
    }
    return nested;
  }

 private:
  void add(const SlurmLine& line) {
    if (line.has("blocksizes")) return add_sizes(line);
    const bool is_larger = line.has("aggregatedblock");
    const std::string name = line.text(is_larger ? "aggregatedblock" : "blockname");
    const std::vector<std::string> nodes = slurm_names(line, "nodes", notes_);
    if (is_larger) return level_of(line, name).add(name, nodes);
    if (!defined_.add(line, name)) return;
    if (nodes.empty()) notes_.leave_out("block", "without nodes", name);
    blocks_.push_back(name);
    nodes_.add(name, nodes);
  }

  /// Larger blocks of one BlockSize are one level, however many nodes are in them now. Without
  /// BlockSize they are counted by the blocks in their name, of which the last may have fewer.
  NodesOfSites& level_of(const SlurmLine& line, const std::string& name) {
    std::size_t size = as_number<std::size_t>(line.text("blocksize")).value_or(0);
    if (size == 0) {
      NetworkNotes unused;
      size = std::bit_ceil(
          slurm_names({.values = {{"blocks", name}}, .place = {}}, "blocks", unused).size());
    }
    return larger_.try_emplace(size, "larger block", notes_).first->second;
  }

  void add_sizes(const SlurmLine& line) {
    for (const std::string& text : split(line.text("blocksizes"), ',')) {
      const auto size = as_number<std::size_t>(text).value_or(0);
      const std::size_t base = sizes_.empty() ? size : sizes_.front();
      if (size > 0 && size % base == 0 && std::has_single_bit(size / base)) {
        sizes_.push_back(size);
      } else {
        notes_.leave_out("block size", "other than the first one times 1, 2, 4, 8 ...",
                         line.place + ": '" + text + "'");
      }
    }
  }

  void join_blocks() {
    std::map<std::string, std::vector<std::string>> nodes_of;
    for (const auto& [host, block] : nodes_.sites()) nodes_of[block].push_back(host);
    for (const std::size_t size : sizes_) {
      const std::size_t blocks = size / sizes_.front();
      if (blocks < 2) continue;
      NodesOfSites& level = larger_.try_emplace(size, "larger block", notes_).first->second;
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const std::size_t first = i - i % blocks;
        const std::size_t last = std::min(first + blocks, blocks_.size()) - 1;
        const std::string name = blocks_[first] + (last == first ? "" : ".." + blocks_[last]);
        level.add(name, nodes_of[blocks_[i]]);
      }
    }
  }

  NetworkNotes& notes_;
  NodesOfSites nodes_;
  DefinedNames defined_;
  std::vector<std::string> blocks_;             ///< in order, those without nodes too
  std::vector<std::size_t> sizes_;              ///< BlockSizes [nodes]
  std::map<std::size_t, NodesOfSites> larger_;  ///< by their size
};

}  // namespace

NestedSites sites_of_blocks(const std::vector<SlurmLine>& lines, NetworkNotes& notes) {
  return Blocks(lines, notes).sites();
}

NestedSites sites_of_rings(const std::vector<SlurmLine>& lines, NetworkNotes& notes) {
  const bool is_ring =
      std::ranges::any_of(lines, [](const SlurmLine& line) { return line.has("ringname"); });
  const std::string noun = is_ring ? "ring" : "torus";
  NodesOfSites nodes(noun, notes);
  DefinedNames defined(noun, notes);
  for (const SlurmLine& line : lines) {
    if (line.has("placementdims")) continue;  // scontrol prints the shapes of jobs in a torus
    const std::string name = line.text(noun + "name");
    if (!defined.add(line, name)) continue;
    const std::vector<std::string> names = slurm_names(line, "nodes", notes);
    if (names.empty()) notes.leave_out(noun, "without nodes", name);
    nodes.add(name, names);
  }
  NestedSites nested{.levels = {noun}, .of_host = {}};
  for (const auto& [host, site] : nodes.sites()) nested.of_host[host] = {site};
  return nested;
}

}  // namespace hockney::placement
