#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/architecture/rules.hpp"

namespace hockney::architecture {

/// A file of the product, by its path from the root.
struct SourceFile {
  std::string path;
  std::string text;
};

struct Include {
  std::string header;
  bool quoted = false;  ///< "ours" rather than <foreign>
  std::size_t line = 0;
};

/// The include that a line holds; its number is left to the caller.
inline std::optional<Include> include_of(std::string line) {
  std::erase_if(line, [](char letter) { return letter == ' ' || letter == '\t'; });
  const std::string directive = "#include";
  if (!line.starts_with(directive) || line.size() <= directive.size()) return std::nullopt;
  const char opening = line[directive.size()];
  if (opening != '"' && opening != '<') return std::nullopt;
  const std::size_t begin = directive.size() + 1;
  const std::size_t end = line.find(opening == '"' ? '"' : '>', begin);
  return Include{.header = line.substr(begin, end - begin), .quoted = opening == '"'};
}

inline std::vector<Include> includes_of(const std::string& text) {
  std::vector<Include> includes;
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    auto include = include_of(line);
    if (!include) continue;
    include->line = number;
    includes.push_back(*include);
  }
  return includes;
}

/// The rule of the innermost folder that holds `path`; nullptr when no rule does.
inline const FolderRule* rule_of(const Rules& rules, const std::string& path) {
  const FolderRule* innermost = nullptr;
  for (const FolderRule& rule : rules.folders) {
    const bool inside = path.starts_with(rule.folder + "/");
    if (inside && (innermost == nullptr || rule.folder.size() > innermost->folder.size())) {
      innermost = &rule;
    }
  }
  return innermost;
}

/// Why `rule` forbids a quoted include; nullopt when it does not.
inline std::optional<std::string> folder_violation(const Rules& rules, const FolderRule& rule,
                                                   const std::string& header) {
  const FolderRule* target = rule_of(rules, header);
  if (target == nullptr) return "no path from the root into a known folder";
  if (target->folder == rule.folder) return std::nullopt;
  if (std::ranges::find(rule.may_include, target->folder) != rule.may_include.end()) {
    return std::nullopt;
  }
  return rule.folder + " must not depend on " + target->folder;
}

inline bool lies_in(const std::string& path, const std::string& place) {
  return place.ends_with('/') ? path.starts_with(place) : path == place;
}

inline std::optional<std::string> foreign_violation(const Rules& rules, const std::string& path,
                                                    const std::string& header) {
  for (const ForeignRule& rule : rules.foreign) {
    const bool meant =
        rule.header.ends_with('/') ? header.starts_with(rule.header) : header == rule.header;
    if (!meant) continue;
    const bool allowed = std::ranges::any_of(
        rule.only_in, [&](const std::string& place) { return lies_in(path, place); });
    if (!allowed) return "<" + header + "> does not belong here";
  }
  return std::nullopt;
}

/// The namespace of the room that holds `path`; tests have that of what they try.
inline std::string namespace_of(const Rules& rules, const std::string& path) {
  for (const NamespaceRule& rule : rules.namespaces) {
    if (path.starts_with(rule.folder + "/")) return rule.name;
  }
  return "hockney::" + path.substr(0, path.find('/'));
}

/// Every namespace of hockney that a file opens and that is not its room's, or within it.
inline std::vector<std::string> namespace_violations(const Rules& rules, const SourceFile& file) {
  static const std::regex opening("(?:^|\n)namespace (hockney[\\w:]*) \\{");
  const std::string room = namespace_of(rules, file.path);
  std::vector<std::string> found;
  const std::sregex_iterator end;
  for (std::sregex_iterator it(file.text.begin(), file.text.end(), opening); it != end; ++it) {
    const std::string opened = (*it)[1];
    if (opened == room || opened.starts_with(room + "::")) continue;
    found.push_back(file.path + ": opens " + opened + ", its room is " + room);
  }
  return found;
}

/// What is wrong with one file, a line for each: "core/a.hpp:3: core must not depend on models".
inline std::vector<std::string> violations_of(const Rules& rules, const SourceFile& file) {
  std::vector<std::string> found;
  const FolderRule* rule = rule_of(rules, file.path);
  if (rule == nullptr) return {file.path + ": its folder has no rule"};
  for (const Include& include : includes_of(file.text)) {
    const std::string place = file.path + ":" + std::to_string(include.line) + ": ";
    // Quotes do not make a foreign header ours.
    const auto foreign = foreign_violation(rules, file.path, include.header);
    if (foreign) found.push_back(place + *foreign);
    if (foreign || (!include.quoted && rule_of(rules, include.header) == nullptr)) continue;
    const auto folder = folder_violation(rules, *rule, include.header);
    if (folder) found.push_back(place + *folder);
  }
  if (file.path.ends_with(".hpp") && !file.text.starts_with("#pragma once\n")) {
    found.push_back(file.path + ": does not begin with #pragma once");
  }
  std::ranges::copy(namespace_violations(rules, file), std::back_inserter(found));
  return found;
}

/// A header is proven self-contained by being the first include of the .cpp of its name.
inline std::optional<std::string> order_violation(const SourceFile& file,
                                                  const std::set<std::string>& paths) {
  if (!file.path.ends_with(".cpp")) return std::nullopt;
  const std::string own = file.path.substr(0, file.path.size() - 3) + "hpp";
  const std::vector<Include> includes = includes_of(file.text);
  if (!paths.contains(own) || (!includes.empty() && includes.front().header == own)) return {};
  return file.path + ": does not include " + own + " first";
}

/// A text without what stands in unnamed namespaces, as clang-format writes them.
inline std::string without_unnamed(std::string text) {
  const std::string begin_line = "\nnamespace {\n";
  for (std::size_t begin = 0; (begin = text.find(begin_line, begin)) != std::string::npos;) {
    const std::size_t end = text.find("\n}  // namespace\n", begin);
    text.erase(begin, end - begin);
  }
  return text;
}

/// Types that two files define in one namespace, outside the unnamed one, a line for each. Their
/// members would be one function to the linker, which keeps whichever it sees first.
inline std::vector<std::string> doubled_types(const std::vector<SourceFile>& files) {
  static const std::regex space("\nnamespace (\\w[\\w:]*) \\{");
  static const std::regex type("\n(?:struct|class|enum class) (\\w+)(?: final)?(?: : [^;{]*)? \\{");
  std::map<std::string, std::string> home;  // "namespace::type" to the file that has it
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    const std::string text = without_unnamed("\n" + file.text);
    std::smatch named;
    const std::string around = std::regex_search(text, named, space) ? named[1].str() : "";
    const std::sregex_iterator end;
    for (std::sregex_iterator it(text.begin(), text.end(), type); it != end; ++it) {
      const std::string name = around + "::" + (*it)[1].str();
      const auto [known, is_new] = home.emplace(name, file.path);
      if (is_new || known->second == file.path) continue;
      found.push_back(file.path + ": " + name + " is in " + known->second);
    }
  }
  return found;
}

inline std::vector<std::string> violations_of(const Rules& rules,
                                              const std::vector<SourceFile>& files) {
  std::vector<std::string> found = doubled_types(files);
  std::set<std::string> paths;
  for (const SourceFile& file : files) paths.insert(file.path);
  for (const SourceFile& file : files) {
    if (const auto violation = order_violation(file, paths)) found.push_back(*violation);
    for (const std::string& violation : violations_of(rules, file)) found.push_back(violation);
  }
  return found;
}

}  // namespace hockney::architecture
