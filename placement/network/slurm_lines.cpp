#include "placement/network/slurm_lines.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

#include "core/host_list.hpp"
#include "core/text.hpp"

namespace hockney::placement {
namespace {

constexpr std::string_view slurm_blanks = " \t\r\n";
constexpr int most_includes = 8;          // within each other
constexpr std::size_t longest_part = 60;  // of a list in a note; longer ones are
constexpr std::size_t short_part = 24;    // shortened to this

/// Keys that name what a line describes, and others (topology.conf(5) and what scontrol prints).
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

/// Without what follows a `#` that no backslash stands before.
std::string_view without_comment(std::string_view line) {
  std::size_t backslashes = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && backslashes % 2 == 0) return line.substr(0, i);
    backslashes = line[i] == '\\' ? backslashes + 1 : 0;
  }
  return line;
}

/// Takes the backslash at the end that goes on with the next line.
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

/// The key that `rest` begins with, with its `=`; empty where it begins with none.
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

/// A value of names goes on after a comma.
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
    std::string open;  // a line that goes on
    std::string place;
    while (lines.next()) {
      if (open.empty()) place = text.name + ":" + std::to_string(lines.number());
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
        reject(place, "'" + std::string(take_word(rest)) + "' is no key=value");
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
      return reject(line.place,
                    "unknown key '" + key + "'" + (nearest.empty() ? "" : ", " + nearest));
    }
    if (line.has(name)) reject(line.place, "'" + key + "' again, the last one counts");
    line.values[name] = value;
  }

  bool is_include(std::string_view rest, const std::string& place) {
    if (begins_with_key(rest) || in_lower_case(take_word(rest)) != "include") return false;
    skip_blanks(rest);
    const std::string name(take_word(rest));
    const auto text = included_ && depth_ < most_includes ? included_(name) : std::nullopt;
    if (!text) {
      notes_.leave_out("included file", "hockney cannot read", name + " (" + place + ")");
      return true;
    }
    ++depth_;
    read({*text, name});
    --depth_;
    return true;
  }

  void reject(const std::string& place, const std::string& problem) {
    notes_.leave_out("entry", "hockney does not understand", place + ": " + problem);
  }

  NetworkNotes& notes_;
  const IncludedText& included_;
  std::vector<SlurmLine> read_;
  int depth_ = 0;
};

/// The parts of a list of names, between commas and blanks outside of brackets.
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
                      line.place + ": " + shown + " (" + error.message.why + ")");
    }
  }
  return names;
}

}  // namespace hockney::placement
