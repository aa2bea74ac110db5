#include "placement/network/slurm_hierarchy.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cctype>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/site_file.hpp"
#include "core/text.hpp"
#include "placement/network/described_network.hpp"

namespace hockney::placement {
namespace {

constexpr std::string_view slurm_blanks = " \t\r\n";
constexpr int most_includes = 8;          // nested
constexpr std::size_t longest_part = 60;  // of a list in a note; longer ones
constexpr std::size_t short_part = 24;    // shortened to this

/// Keys with the name of an item, and other keys (topology.conf(5) and what scontrol prints).
const std::vector<std::string>& naming_keys() {
  static const std::vector<std::string> keys{"switchname",      "blockname", "blocksizes",
                                             "aggregatedblock", "ringname",  "torusname"};
  return keys;
}

const std::vector<std::string>& further_keys() {
  static const std::vector<std::string> keys{"nodes",         "switches",   "level",    "blocksize",
                                             "linkspeed",     "blockindex", "ringsize", "dims",
                                             "placementdims", "anchors"};
  return keys;
}

std::string in_lower_case(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), [](unsigned char at) { return std::tolower(at); });
  return low;
}

bool is_key_letter(char at) {
  return std::isalnum(static_cast<unsigned char>(at)) != 0 || at == '_' || at == '.';
}

/// The line up to a `#` that has no backslash before it.
std::string_view without_comment(std::string_view line) {
  std::size_t backslashes = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && backslashes % 2 == 0) return line.substr(0, i);
    backslashes = line[i] == '\\' ? backslashes + 1 : 0;
  }
  return line;
}

/// Removes a backslash at the end, which continues the line.
bool take_continuation(std::string& line) {
  const std::size_t end = line.find_last_not_of(slurm_blanks);
  if (end == std::string::npos || line[end] != '\\') return false;
  const std::size_t other = line.find_last_not_of('\\', end);
  const std::size_t backslashes = other == std::string::npos ? end + 1 : end - other;
  if (backslashes % 2 == 0) return false;
  line.erase(end);
  return true;
}

std::string without_escapes(std::string_view line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) ++i;
    plain.push_back(line[i]);
  }
  return plain;
}

void skip_blanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(slurm_blanks), rest.size()));
}

std::string_view take_word(std::string_view& rest) {
  const std::string_view word = rest.substr(0, rest.find_first_of(slurm_blanks));
  rest.remove_prefix(word.size());
  return word;
}

/// Takes the key and its `=` from the beginning of `rest`; empty without one.
std::string_view take_key(std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && is_key_letter(rest[end])) ++end;
  const std::string_view key = rest.substr(0, end);
  std::string_view after = rest.substr(key.size());
  skip_blanks(after);
  if (key.empty() || !after.starts_with('=')) return {};
  rest = after.substr(1);
  return key;
}

bool begins_with_key(std::string_view rest) { return !take_key(rest).empty(); }

/// Takes a value; a list of names continues after a comma.
std::string take_value(std::string_view& rest) {
  skip_blanks(rest);
  if (rest.starts_with('"')) {
    const std::size_t close = std::min(rest.find('"', 1), rest.size());
    std::string value(rest.substr(1, close - 1));
    rest.remove_prefix(std::min(close + 1, rest.size()));
    return value;
  }
  std::string value;
  while (!rest.empty() && !begins_with_key(rest)) {
    value += take_word(rest);
    skip_blanks(rest);
    if (!value.ends_with(',') && !rest.starts_with(',')) break;
  }
  return value;
}

class SlurmReader {
 public:
  SlurmReader(NetworkNotes& notes, const IncludedText& included)
      : notes_(notes), included_(included) {}

  void read(const NetworkText& text) {
    NumberedLines lines(text);
    std::string open;  // a line to be continued
    std::string place;
    while (lines.next()) {
      if (open.empty()) place = fmt::format("{}:{}", text.name, lines.number());
      open += without_comment(lines.line());
      if (!take_continuation(open)) add(std::exchange(open, ""), place);
    }
    add(open, place);
  }

  std::vector<SlurmLine> take() { return std::move(read_); }

 private:
  void add(const std::string& raw, const std::string& place) {
    const std::string text = without_escapes(raw);
    std::string_view rest = text;
    skip_blanks(rest);
    if (rest.empty() || is_include(rest, place)) return;
    SlurmLine line{.values = {}, .place = place};
    while (!rest.empty()) {
      const std::string key(take_key(rest));
      if (key.empty()) {
        reject(place, fmt::format("'{}' is no key=value", take_word(rest)));
      } else {
        add(line, key, take_value(rest));
      }
      skip_blanks(rest);
    }
    if (!kind_of(line).empty()) {
      read_.push_back(std::move(line));
    } else if (!line.values.empty()) {
      reject(place, "it names no switch, block or ring");
    }
  }

  void add(SlurmLine& line, const std::string& key, const std::string& value) {
    const std::string name = in_lower_case(key);
    std::vector<std::string> known = naming_keys();
    known.insert(known.end(), further_keys().begin(), further_keys().end());
    if (std::ranges::find(known, name) == known.end()) {
      const std::string nearest = did_you_mean(name, known);
      return reject(line.place, nearest.empty()
                                    ? fmt::format("unknown key '{}'", key)
                                    : fmt::format("unknown key '{}', {}", key, nearest));
    }
    if (line.has(name)) reject(line.place, fmt::format("'{}' again, the last one counts", key));
    line.values[name] = value;
  }

  bool is_include(std::string_view rest, const std::string& place) {
    if (begins_with_key(rest) || in_lower_case(take_word(rest)) != "include") return false;
    skip_blanks(rest);
    const std::string name(take_word(rest));
    const auto text = included_ && depth_ < most_includes ? included_(name) : std::nullopt;
    if (!text) {
      notes_.leave_out("included file", "hockney cannot read", fmt::format("{} ({})", name, place));
      return true;
    }
    ++depth_;
    read({*text, name});
    --depth_;
    return true;
  }

  void reject(const std::string& place, const std::string& problem) {
    notes_.leave_out("entry", "hockney does not understand", fmt::format("{}: {}", place, problem));
  }

  NetworkNotes& notes_;
  const IncludedText& included_;
  std::vector<SlurmLine> read_;
  int depth_ = 0;
};

/// The parts of a list of names, separated by commas and blanks outside of brackets.
std::vector<std::string> parts_of_list(const std::string& list) {
  std::vector<std::string> parts{""};
  bool inside = false;
  for (const char at : list) {
    if (at == '[') inside = true;
    if (at == ']') inside = false;
    const bool separates =
        !inside && (at == ',' || slurm_blanks.find(at) != std::string_view::npos);
    if (separates) {
      parts.emplace_back();
    } else {
      parts.back().push_back(at);
    }
  }
  std::erase_if(parts, [](const std::string& part) { return part.empty() || part == "(null)"; });
  return parts;
}

/// The names of a list, "leaf[0-3],login"; as in Slurm commas, blanks and line ends separate them.
/// Unreadable parts are left out, and `notes` name them.
std::vector<std::string> slurm_names(const SlurmLine& line, const std::string& key,
                                     NetworkNotes& notes) {
  std::vector<std::string> names;
  for (const std::string& part : parts_of_list(line.text(key))) {
    try {
      if (in_lower_case(part) == "all" || part.find('{') != std::string::npos) {
        throw HostListError({"the list", "it takes slurm.conf", ""});
      }
      const std::vector<std::string> expanded = expand_hosts(part);
      if (names.size() + expanded.size() > most_hosts) {
        throw HostListError({"the list", "it has more than a million names", ""});
      }
      names.insert(names.end(), expanded.begin(), expanded.end());
    } catch (const HostListError& error) {
      const std::string shown = part.size() > longest_part ? shortened(part, short_part) : part;
      notes.leave_out("name", "hockney cannot expand",
                      fmt::format("{}: {} ({})", line.place, shown, error.message.why));
    }
  }
  return names;
}

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
                       fmt::format("{} in {} (counts in {})", host, site, known->second));
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

/// The names that lines define.
class DefinedNames {
 public:
  DefinedNames(std::string noun, NetworkNotes& notes) : noun_(std::move(noun)), notes_(notes) {}

  /// Whether the line defines `name` for the first time.
  bool add(const SlurmLine& line, const std::string& name) {
    if (name.empty()) {
      notes_.leave_out("line", "without the name of a " + noun_, line.place);
      return false;
    }
    if (names_.insert(name).second) return true;
    notes_.leave_out("line", fmt::format("defining a {} again", noun_),
                     fmt::format("{}: {}", line.place, name));
    return false;
  }

 private:
  std::string noun_;
  NetworkNotes& notes_;
  std::set<std::string> names_;
};

/// NodeBlocks of nodes, and the sizes of larger blocks joined from neighbours.
class NodeBlocks {
 public:
  NodeBlocks(const std::vector<SlurmLine>& lines, NetworkNotes& notes)
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

  /// The level of a larger block. NodeBlocks of one BlockSize are one level, with any number of
  /// nodes. Without BlockSize, the number of blocks in the name decides, rounded up to a power of
  /// two: the last one may have fewer.
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
                         fmt::format("{}: '{}'", line.place, text));
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
        const std::string name =
            last == first ? blocks_[first] : fmt::format("{}..{}", blocks_[first], blocks_[last]);
        level.add(name, nodes_of[blocks_[i]]);
      }
    }
  }

  NetworkNotes& notes_;
  NodesOfSites nodes_;
  DefinedNames defined_;
  std::vector<std::string> blocks_;             ///< in order, including empty ones
  std::vector<std::size_t> sizes_;              ///< BlockSizes [nodes]
  std::map<std::size_t, NodesOfSites> larger_;  ///< by size
};

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
    std::size_t level = 0;       ///< 0 has only nodes
    std::size_t unresolved = 0;  ///< switches below with unknown levels
    bool has_nodes = false;      ///< directly or below
    bool is_resolved = false;    ///< its level is known
  };

  void add(const SlurmLine& line) {
    const std::string name = line.text("switchname");
    if (name.empty()) {
      notes_.leave_out("line", "without the name of a switch", line.place);
    } else if (!switches_.emplace(name, Switch()).second) {
      notes_.leave_out("line", "defining a switch again", fmt::format("{}: {}", line.place, name));
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
        notes_.leave_out("switch", "without a line of its own",
                         fmt::format("{} (below {})", lower, name));
      } else {
        one.below.push_back(lower);
        found->second.above.push_back(name);
      }
    }
    one.unresolved = one.below.size();
    // scontrol repeats all nodes of lower switches at an upper switch.
    if (!below.empty() && line.has("level") && line.text("level") != "0") return;
    for (const std::string& host : slurm_names(line, "nodes", notes_)) {
      if (is_host_name(host)) homes_[host].insert(name);
      one.has_nodes = true;
    }
  }

  /// Determines levels from the leaves up; switches in cycles keep none.
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

  /// The switches of a level among these and all above them.
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

std::string SlurmLine::text(const std::string& key) const {
  const auto found = values.find(key);
  return found == values.end() ? "" : found->second;
}

std::vector<SlurmLine> read_slurm_lines(const NetworkText& text, NetworkNotes& notes,
                                        const IncludedText& included) {
  SlurmReader reader(notes, included);
  reader.read(text);
  return reader.take();
}

std::string kind_of(const SlurmLine& line) {
  const auto kind =
      std::ranges::find_if(naming_keys(), [&](const std::string& key) { return line.has(key); });
  return kind == naming_keys().end() ? "" : *kind;
}

NestedSites sites_of_blocks(const std::vector<SlurmLine>& lines, NetworkNotes& notes) {
  return NodeBlocks(lines, notes).sites();
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

NestedSites sites_of_switches(const std::vector<SlurmLine>& lines, NetworkNotes& notes) {
  return SwitchTree(lines, notes).sites();
}

}  // namespace hockney::placement
