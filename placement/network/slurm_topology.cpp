#include "placement/network/slurm_topology.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/network/described_network.hpp"
#include "placement/network/slurm_hierarchy.hpp"
#include "placement/network/yaml_file.hpp"

namespace hockney::placement {
namespace {

SiteOrigin origin_of(const NetworkText& text) {
  return {.source = "slurm-topology", .detail = text.name, .inferred = false};
}

/// The plugin of Slurm that a line configures.
std::string plugin_of(const SlurmLine& line) {
  const std::string kind = kind_of(line);
  if (kind == "switchname") return "tree";
  if (kind == "ringname") return "ring";
  if (kind == "torusname") return "torus3d";
  return "block";
}

/// The lines of the plugin with the most lines, since a Slurm topology has only one plugin.
std::vector<SlurmLine> lines_of_plugin(const std::vector<SlurmLine>& lines, NetworkNotes& notes) {
  std::map<std::string, std::vector<SlurmLine>> by_plugin;
  for (const SlurmLine& line : lines) by_plugin[plugin_of(line)].push_back(line);
  const auto most = std::ranges::max_element(
      by_plugin, {}, [](const auto& plugin) { return plugin.second.size(); });
  for (const auto& [plugin, others] : by_plugin) {
    if (plugin == most->first) continue;
    for (const SlurmLine& line : others) {
      notes.leave_out("line", "of another kind of topology",
                      fmt::format("{}: {}", line.place, kind_of(line)));
    }
  }
  return most == by_plugin.end() ? std::vector<SlurmLine>() : most->second;
}

NestedSites nested_sites(const std::vector<SlurmLine>& lines, NetworkNotes& notes) {
  const std::vector<SlurmLine> own = lines_of_plugin(lines, notes);
  if (own.empty()) return {};
  const std::string plugin = plugin_of(own.front());
  if (plugin == "tree") return sites_of_switches(own, notes);
  if (plugin == "block") return sites_of_blocks(own, notes);
  return sites_of_rings(own, notes);
}

DescribedNetwork described(const NetworkText& text, const std::vector<SlurmLine>& lines,
                           NetworkNotes& notes) {
  const NestedSites nested = nested_sites(lines, notes);
  if (nested.of_host.empty()) {
    reject_network(escaped(text.name) + ": no nodes in the topology", notes,
                   "Slurm has a flat network, or prints nothing of it",
                   "name another source of the network");
  }
  return {.sites = sites_of(nested, origin_of(text)), .notes = notes.lines()};
}

/// A key of topology.yaml and its equivalent in topology.conf.
struct SameKey {
  std::string yaml;
  std::string conf;
};

/// The list in topology.yaml that describes a topology of a plugin.
struct YamlList {
  std::string plugin;
  std::string list;
  std::vector<SameKey> keys;
};

const std::vector<YamlList>& yaml_lists() {
  static const std::vector<YamlList> lists{
      {"tree",
       "switches",
       {{"switch", "switchname"}, {"children", "switches"}, {"nodes", "nodes"}}},
      {"block", "blocks", {{"block", "blockname"}, {"nodes", "nodes"}}},
      {"ring", "rings", {{"ring", "ringname"}, {"nodes", "nodes"}}},
      {"torus3d",
       "toruses",
       {{"name", "torusname"},
        {"nodes", "nodes"},
        {"regions", "nodes"},
        {"dims", "dims"},
        {"placements", "anchors"}}}};
  return lists;
}

/// The texts in a value; for regions of a torus, the nodes.
std::string list_text(const YamlValue& value) {
  std::vector<std::string> texts;
  if (!value.text.empty()) texts.push_back(value.text);
  for (const YamlValue& item : value.items) {
    const YamlValue* nodes = item.find("nodes");
    texts.push_back(list_text(nodes == nullptr ? item : *nodes));
  }
  return join(texts, ",");
}

/// topology.yaml as equivalent lines of topology.conf.
class YamlTopologies {
 public:
  YamlTopologies(const NetworkText& text, NetworkNotes& notes) : text_(text), notes_(notes) {
    for (const YamlValue& root : read_yaml(text)) {
      if (!root.items.empty()) {
        topologies_.insert(topologies_.end(), root.items.begin(), root.items.end());
      } else {
        topologies_.push_back(root);
      }
    }
  }

  std::vector<SlurmLine> lines_of(const std::string& wanted) {
    const YamlValue* chosen = wanted.empty() ? default_topology() : named(wanted);
    if (chosen == nullptr) return {};
    note_others(*chosen);
    return lines_in(*chosen);
  }

 private:
  static std::string name_of(const YamlValue& topology) {
    const YamlValue* name = topology.find("topology");
    return name == nullptr ? "" : name->text;
  }

  static bool has_sites(const YamlValue& topology) {
    return std::ranges::any_of(yaml_lists(), [&](const YamlList& list) {
      const YamlValue* plugin = topology.find(list.plugin);
      return plugin != nullptr && plugin->find(list.list) != nullptr;
    });
  }

  static bool is_default(const YamlValue& topology) {
    const YamlValue* value = topology.find("cluster_default");
    if (value == nullptr || value->text.empty()) return false;
    const int first = std::tolower(static_cast<unsigned char>(value->text.front()));
    return first == 't' || first == 'y' || value->text == "1" || value->text == "on";
  }

  [[nodiscard]] const YamlValue* named(const std::string& wanted) const {
    const auto found = std::ranges::find(topologies_, wanted, name_of);
    if (found != topologies_.end()) return &*found;
    throw InputError({fmt::format("{}: no topology '{}'", escaped(text_.name), escaped(wanted)),
                      "it has " + escaped(join(strings_of(topologies_, name_of))),
                      "name one of these with --topology"});
  }

  [[nodiscard]] const YamlValue* default_topology() const {
    const auto chosen = std::ranges::find_if(topologies_, [](const YamlValue& topology) {
      return is_default(topology) && has_sites(topology);
    });
    if (chosen != topologies_.end()) return &*chosen;
    const auto first = std::ranges::find_if(topologies_, has_sites);
    return first == topologies_.end() ? nullptr : &*first;
  }

  void note_others(const YamlValue& chosen) {
    std::vector<std::string> others;
    for (const YamlValue& topology : topologies_) {
      if (&topology == &chosen) continue;
      const bool is_flat = topology.find("flat") != nullptr;
      const std::string kind = is_flat ? " (flat)" : " (without switches)";
      others.push_back(name_of(topology) + (has_sites(topology) ? "" : kind));
    }
    if (others.empty()) return;
    notes_.remark(fmt::format("topology '{}' is used; --topology NAME names another: {}",
                              name_of(chosen), join(others)));
  }

  std::vector<SlurmLine> lines_in(const YamlValue& topology) {
    std::vector<SlurmLine> lines;
    for (const YamlList& list : yaml_lists()) {
      const YamlValue* plugin = topology.find(list.plugin);
      if (plugin == nullptr) continue;
      for (const auto& [key, value] : plugin->members) {
        if (key == "block_sizes") {
          lines.push_back({.values = {{"blocksizes", list_text(value)}}, .place = place(value)});
        } else if (key == list.list) {
          for (const YamlValue& item : value.items) lines.push_back(line_of(item, list));
        } else {
          reject_key(key, value, {list.list});
        }
      }
    }
    return lines;
  }

  SlurmLine line_of(const YamlValue& item, const YamlList& list) {
    SlurmLine line{.values = {{list.keys.front().conf, ""}}, .place = place(item)};
    for (const auto& [key, value] : item.members) {
      const auto same = std::ranges::find(list.keys, key, &SameKey::yaml);
      if (same == list.keys.end()) {
        reject_key(key, value, strings_of(list.keys, &SameKey::yaml));
      } else {
        line.values[same->conf] = list_text(value);
      }
    }
    return line;
  }

  void reject_key(const std::string& key, const YamlValue& value,
                  const std::vector<std::string>& known) {
    const std::string nearest = did_you_mean(key, known);
    notes_.leave_out("entry", "hockney does not understand",
                     nearest.empty()
                         ? fmt::format("{}: unknown key '{}'", place(value), key)
                         : fmt::format("{}: unknown key '{}', {}", place(value), key, nearest));
  }

  [[nodiscard]] std::string place(const YamlValue& value) const {
    return fmt::format("{}:{}", text_.name, value.line);
  }

  const NetworkText& text_;
  NetworkNotes& notes_;
  std::vector<YamlValue> topologies_;
};

}  // namespace

DescribedNetwork read_slurm_topology(const NetworkText& text, const IncludedText& included) {
  NetworkNotes notes;
  const std::vector<SlurmLine> lines = read_slurm_lines(text, notes, included);
  return described(text, lines, notes);
}

DescribedNetwork read_slurm_yaml(const NetworkText& text, const std::string& topology) {
  NetworkNotes notes;
  const std::vector<SlurmLine> lines = YamlTopologies(text, notes).lines_of(topology);
  return described(text, lines, notes);
}

}  // namespace hockney::placement
