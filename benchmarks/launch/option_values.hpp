#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/durations.hpp"
#include "core/error.hpp"
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

inline Seconds parse_budget(const std::string& text) {
  const Seconds budget = parse_duration(text);
  if (budget.value > 0) return budget;
  throw InputError({"bad value '" + text + "' for --budget", "nothing can be measured in no time",
                    "give more than 0 seconds"});
}

}  // namespace hockney
