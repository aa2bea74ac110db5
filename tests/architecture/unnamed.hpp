#pragma once

#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/architecture/checker.hpp"

namespace hockney::architecture {

/// What stands between `namespace {` and its end, as clang-format writes them.
inline std::string unnamed_part(const std::string& text) {
  const std::string begin_line = "\nnamespace {\n";
  const std::size_t begin = text.find(begin_line);
  if (begin == std::string::npos) return "";
  const std::size_t end = text.find("\n}  // namespace\n", begin);
  return text.substr(begin, end - begin);
}

/// "const T& a, int b = 3" to "const T&,int,": what tells overloads from each other.
inline std::string parameter_types(const std::string& parameters) {
  static const std::regex gap("\\s+");
  static const std::regex name(" \\w+( = .*)?$");
  std::string types;
  std::string one;
  int depth = 0;
  const auto take = [&] {
    std::string tidy = std::regex_replace(one, gap, " ");
    if (tidy.starts_with(' ')) tidy.erase(0, 1);
    if (!tidy.empty()) types += std::regex_replace(tidy, name, "") + ",";
    one.clear();
  };
  for (const char letter : parameters) {
    depth += letter == '<' || letter == '(' ? 1 : 0;
    depth -= letter == '>' || letter == ')' ? 1 : 0;
    letter == ',' && depth == 0 ? take() : one.push_back(letter);
  }
  take();
  return types;
}

/// Types, constants and functions that a .cpp defines for itself, functions with their parameters'
/// types: what no other file of its folder may define, since they are compiled together.
inline std::vector<std::string> unnamed_definitions(const std::string& text) {
  static const std::regex type("\n(?:struct|class|enum class) (\\w+)[^;\n]*\\{");
  static const std::regex constant("\n(?:constexpr|const) [^=(){};]*[ *&](\\w+)(?:\\{| =)");
  static const std::regex function(
      "\n[\\w\\[][\\w:<>,&*\\[\\] ]*[ *&](\\w+)\\(([^{};]*)\\)[^{};()]*\\{");
  const std::string part = unnamed_part(text);
  std::vector<std::string> found;
  const std::sregex_iterator end;
  for (std::sregex_iterator it(part.begin(), part.end(), type); it != end; ++it) {
    found.push_back((*it)[1]);
  }
  for (std::sregex_iterator it(part.begin(), part.end(), constant); it != end; ++it) {
    found.push_back((*it)[1]);
  }
  for (std::sregex_iterator it(part.begin(), part.end(), function); it != end; ++it) {
    found.push_back((*it)[1].str() + "(" + parameter_types((*it)[2]) + ")");
  }
  return found;
}

/// Two .cpp of one folder that define the same for themselves, a line for each.
inline std::vector<std::string> doubled_definitions(const std::vector<SourceFile>& files) {
  std::map<std::string, std::string> home;  // "folder: definition" to the file that has it
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".cpp")) continue;
    const std::string folder = file.path.substr(0, file.path.rfind('/'));
    for (const std::string& definition : unnamed_definitions(file.text)) {
      const auto [known, is_new] = home.emplace(folder + ": " + definition, file.path);
      if (is_new || known->second == file.path) continue;
      found.push_back(file.path + ": " + definition + " is in " + known->second);
    }
  }
  return found;
}

/// Types that two files define in one namespace, outside the unnamed one, a line for each: one of
/// the two is used in the place of the other, and no compiler says so.
inline std::vector<std::string> doubled_types(const std::vector<SourceFile>& files) {
  static const std::regex space("\nnamespace (\\w[\\w:]*) \\{");
  static const std::regex type("\n(?:struct|class) (\\w+)(?: final)?(?: : [^;{]*)? \\{");
  std::map<std::string, std::string> home;  // "namespace::type" to the file that has it
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    std::string text = "\n" + file.text;
    const std::string own = unnamed_part(text);
    if (!own.empty()) text.erase(text.find(own), own.size());
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

}  // namespace hockney::architecture
