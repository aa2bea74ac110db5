#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/names.hpp"
#include "core/numbers.hpp"

namespace hockney {

/// nullopt for an option that was not given.
template <class Number>
std::optional<Number> optional_count(const std::string& option, const std::string& text,
                                     Number least) {
  return text.empty() ? std::nullopt : std::optional(parse_count<Number>(option, text, least));
}

/// "a,b" or "all" of the names there are, each once. `check` throws for an unknown name.
template <class Check>
std::vector<std::string> parse_names(const std::string& text, const std::vector<std::string>& all,
                                     Check check) {
  if (text == "all") return all;
  std::vector<std::string> names;
  for (const std::string& name : split(text, ',')) {
    check(name);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace hockney
