#include "placement/network/slurm_topology.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/network/described_network.hpp"
#include "placement/network/slurm_hierarchy.hpp"

namespace hockney::placement {
namespace {

struct YamlMember;

/// A value of a YAML file: a text (numbers and truth values too), an object or a list.
struct YamlValue {
  std::string text;
  std::vector<YamlMember> members;  ///< of an object, in their order
  std::vector<YamlValue> items;     ///< of a list
  int line = 0;                     ///< number of its first line

  /// The first member of that name; nullptr without one.
  [[nodiscard]] const YamlValue* find(const std::string& name) const;
};

struct YamlMember {
  std::string key;
  YamlValue value;
};

constexpr int most_levels = 32;  // nested values

/// One line without its indentation and comment.
struct YamlLine {
  std::size_t indent = 0;
  std::string text;
  int number = 0;
};

bool is_blank(char at) { return at == ' ' || at == '\t' || at == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The position after the quoted text at the beginning of `text`.
std::size_t end_of_quoted(std::string_view text) {
  const char quote = text.front();
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.size();
}

/// The first position outside of quotes with `is_it(i)`, else the size of the text.
template <class IsIt>
std::size_t find_unquoted(std::string_view text, IsIt is_it) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins_word = i == 0 || is_blank(text[i - 1]) || text[i - 1] == ':' ||
                             text[i - 1] == '[' || text[i - 1] == '{' || text[i - 1] == ',';
    if (begins_word && (text[i] == '"' || text[i] == '\'')) {
      i += end_of_quoted(text.substr(i)) - 1;
    } else if (is_it(i)) {
      return i;
    }
  }
  return text.size();
}

std::string_view without_yaml_comment(std::string_view text) {
  const std::size_t end = find_unquoted(
      text, [&](std::size_t i) { return text[i] == '#' && (i == 0 || is_blank(text[i - 1])); });
  return text.substr(0, end);
}

/// The position of the colon after a key; nullopt if the line is no "key: value".
std::optional<std::size_t> colon_in(std::string_view text) {
  if (text.starts_with('[') || text.starts_with('{')) return std::nullopt;
  const std::size_t colon = find_unquoted(text, [&](std::size_t i) {
    return text[i] == ':' && (i + 1 == text.size() || is_blank(text[i + 1]));
  });
  return colon == text.size() ? std::nullopt : std::optional(colon);
}

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || (text.front() != '"' && text.front() != '\'')) return std::string(text);
  const std::size_t end = end_of_quoted(text);
  std::string plain;
  for (std::size_t i = 1; i + 1 < end; ++i) {
    if (text.front() == '"' && text[i] == '\\' && i + 2 < end) ++i;
    plain.push_back(text[i]);
  }
  return plain;
}

/// "!!str s1" to "s1"; Slurm can write such tags.
std::string_view without_tag(std::string_view text) {
  while (text.starts_with('!')) {
    text = trimmed(text.substr(std::min(text.find(' '), text.size())));
  }
  return text;
}

bool is_list_item(const std::string& text) { return text == "-" || text.starts_with("- "); }

/// The number of brackets that are open at the end of a text.
int open_brackets(std::string_view text) {
  int open = 0;
  find_unquoted(text, [&](std::size_t i) {
    if (text[i] == '[' || text[i] == '{') ++open;
    if (text[i] == ']' || text[i] == '}') --open;
    return false;
  });
  return open;
}

/// A value in brackets, on one line: "[4, 16]", "{x: 4, y: 2}".
class BracketReader {
 public:
  BracketReader(std::string_view text, int line) : rest_(text), line_(line) {}

  YamlValue read(int level = 0) {
    YamlValue value{.text = {}, .members = {}, .items = {}, .line = line_};
    rest_ = trimmed(rest_);
    const bool has_brackets = rest_.starts_with('[') || rest_.starts_with('{');
    if (level >= most_levels || !has_brackets) {
      value.text = take_text();
      return value;
    }
    const bool is_list = rest_.front() == '[';
    rest_.remove_prefix(1);
    while (!at_end(is_list ? ']' : '}')) add(value, is_list, level);
    return value;
  }

 private:
  /// Takes a text; host lists have nested brackets: [n[1-2], n5].
  std::string take_text() {
    int inside = 0;
    const std::size_t end = find_unquoted(rest_, [&](std::size_t i) {
      if (rest_[i] == '[') ++inside;
      const bool ends = inside == 0 && (rest_[i] == ',' || rest_[i] == ']' || rest_[i] == '}');
      if (rest_[i] == ']') --inside;
      return ends;
    });
    std::string text = unquoted(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return text;
  }

  /// Takes commas and the closing bracket.
  bool at_end(char close) {
    while (!rest_.empty() && (is_blank(rest_.front()) || rest_.front() == ',')) {
      rest_.remove_prefix(1);
    }
    if (rest_.empty()) return true;
    if (rest_.front() != close && rest_.front() != ']' && rest_.front() != '}') return false;
    rest_.remove_prefix(1);
    return true;
  }

  void add(YamlValue& value, bool is_list, int level) {
    if (is_list) return value.items.push_back(read(level + 1));
    const std::size_t colon = find_unquoted(rest_, [&](std::size_t i) {
      return rest_[i] == ':' || rest_[i] == ',' || rest_[i] == '}';
    });
    const std::string key = unquoted(rest_.substr(0, colon));
    const bool has_value = colon < rest_.size() && rest_[colon] == ':';
    rest_.remove_prefix(std::min(colon + (has_value ? 1 : 0), rest_.size()));
    value.members.push_back({key, has_value ? read(level + 1) : YamlValue()});
  }

  std::string_view rest_;
  int line_;
};

class YamlReader {
 public:
  YamlReader(const NetworkText& text, NetworkNotes& notes) : name_(text.name), notes_(notes) {
    std::size_t begin = 0;
    for (int number = 1; begin < text.text.size(); ++number) {
      const std::size_t end = std::min(text.text.find('\n', begin), text.text.size());
      add(text.text.substr(begin, end - begin), number);
      begin = end + 1;
    }
  }

  std::vector<YamlValue> read() {
    std::vector<YamlValue> values;
    while (has_line()) values.push_back(read_block(line().indent, 0));
    return values;
  }

 private:
  void add(std::string_view raw, int number) {
    const std::string_view text = trimmed(without_yaml_comment(raw));
    if (text.empty() || text == "---" || text == "..." || text.starts_with('%')) return;
    const std::size_t indent = std::min(raw.find_first_not_of(' '), raw.size());
    YamlLine line{indent, std::string(text.starts_with("--- ") ? trimmed(text.substr(4)) : text),
                  number};
    if (raw[indent] == '\t') return reject(line, "a tab before it");
    lines_.push_back(std::move(line));
  }

  [[nodiscard]] bool has_line() const { return at_ < lines_.size(); }
  [[nodiscard]] YamlLine& line() { return lines_[at_]; }

  void reject(const YamlLine& line, const std::string& why) {
    notes_.leave_out("line", "hockney does not understand",
                     fmt::format("{}:{}: '{}', {}", name_, line.number, line.text, why));
  }

  /// The value that begins at the current line, indented at least this far; takes at least a line.
  YamlValue read_block(std::size_t indent, int level) {
    if (level > most_levels) {
      reject(line(), "too many levels");
      ++at_;
      return {};
    }
    line().text = std::string(without_tag(line().text));
    if (is_list_item(line().text)) return read_list(indent, level);
    if (colon_in(line().text)) return read_object(indent, level);
    const YamlLine first = line();
    ++at_;
    return read_text(first.text, first, indent);
  }

  YamlValue read_list(std::size_t indent, int level) {
    YamlValue list{.text = {}, .members = {}, .items = {}, .line = line().number};
    while (has_line() && line().indent >= indent) {
      if (line().indent > indent) {
        reject(line(), "an indentation of its own");
        ++at_;
        continue;
      }
      if (!is_list_item(line().text)) break;
      list.items.push_back(read_item(indent, level));
    }
    return list;
  }

  YamlValue read_item(std::size_t indent, int level) {
    const std::string after = line().text.substr(1);
    const std::size_t gap = std::min(after.find_first_not_of(' '), after.size());
    line().text = std::string(without_tag(trimmed(after)));
    if (!line().text.empty()) {  // the text after the dash is the first line of the item
      line().indent = indent + 1 + gap;
      return read_block(line().indent, level + 1);
    }
    ++at_;
    const bool is_below = has_line() && line().indent > indent;
    return is_below ? read_block(line().indent, level + 1) : YamlValue();
  }

  YamlValue read_object(std::size_t indent, int level) {
    YamlValue object{.text = {}, .members = {}, .items = {}, .line = line().number};
    while (has_line() && line().indent >= indent) {
      const auto colon = colon_in(line().text);
      if (line().indent == indent && is_list_item(line().text)) break;
      if (line().indent > indent || !colon) {
        reject(line(), colon ? "an indentation of its own" : "no key with a colon");
        ++at_;
        continue;
      }
      const std::string key = unquoted(std::string_view(line().text).substr(0, *colon));
      const YamlLine first = line();
      ++at_;
      const std::string_view value =
          without_tag(trimmed(std::string_view(first.text).substr(*colon + 1)));
      object.members.push_back(
          {key, value.empty() ? read_below(indent, level) : read_text(value, first, indent)});
    }
    return object;
  }

  /// The value of a key that is alone on its line. A list may have the indentation of its key.
  YamlValue read_below(std::size_t indent, int level) {
    const bool is_below = has_line() && line().indent > indent;
    const bool is_list = has_line() && line().indent == indent && is_list_item(line().text);
    return is_below || is_list ? read_block(line().indent, level + 1) : YamlValue();
  }

  /// A text, or a value in brackets, which may continue in lines with more indentation.
  YamlValue read_text(std::string_view begin, const YamlLine& first, std::size_t indent) {
    if (begin.starts_with('[') || begin.starts_with('{')) return read_brackets(begin, first.number);
    const bool is_folded = begin.starts_with('|') || begin.starts_with('>');
    const bool is_anchor = begin.starts_with('&') || begin.starts_with('*');
    if (is_anchor) reject(first, "an anchor");
    std::string text(is_folded || is_anchor ? "" : begin);
    while (has_line() && line().indent > indent) {
      if (!is_folded && (colon_in(line().text) || is_list_item(line().text))) break;
      text += (text.empty() ? "" : " ") + line().text;
      ++at_;
    }
    return {.text = unquoted(text), .members = {}, .items = {}, .line = first.number};
  }

  YamlValue read_brackets(std::string_view begin, int number) {
    std::string text(begin);
    for (int open = open_brackets(text); has_line() && open > 0; ++at_) {
      open += open_brackets(line().text);
      text += " " + line().text;
    }
    return BracketReader(text, number).read();
  }

  std::string name_;
  NetworkNotes& notes_;
  std::vector<YamlLine> lines_;
  std::size_t at_ = 0;
};

}  // namespace

const YamlValue* YamlValue::find(const std::string& name) const {
  const auto found = std::ranges::find(members, name, &YamlMember::key);
  return found == members.end() ? nullptr : &found->value;
}

namespace {

/// The values at the top of a YAML file. The subset is that of configuration files: objects and
/// lists by indentation or in brackets, plain, quoted and folded texts, comments and tags. Other
/// lines (an anchor, a tab before a key, a key without a colon) are left out and noted. InputError
/// for the character NUL.
std::vector<YamlValue> read_yaml(const NetworkText& text, NetworkNotes& notes) {
  NumberedLines lines(text);
  while (lines.next()) {  // refuses the character NUL
  }
  return YamlReader(text, notes).read();
}

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
    for (const YamlValue& root : read_yaml(text, notes)) {
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
