#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace hockney {

/// The candidate with the smallest edit distance to `name`; empty when there are no candidates.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// "Did you mean 'pingpong'? Valid: pingpong, exchange." for the suggestion part of a message.
std::string suggest(std::string_view name, const std::vector<std::string>& candidates);

/// What `part`, a member or a function, makes of each of the items.
template <std::ranges::sized_range Items, class Part>
std::vector<std::string> strings_of(const Items& items, Part part) {
  std::vector<std::string> strings;
  strings.reserve(std::ranges::size(items));
  for (const auto& item : items) strings.push_back(std::invoke(part, item));
  return strings;
}

/// "a, b, c"
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

/// "0, 1, 5"
template <std::ranges::input_range Integers>
std::string join_numbers(const Integers& numbers, std::string_view separator = ", ") {
  return join(strings_of(numbers, [](std::integral auto number) { return std::to_string(number); }),
              separator);
}

/// "cache=hot,window=64": every key with its value.
std::string join_assignments(const std::map<std::string, std::string>& assignments,
                             std::string_view separator = ",");

/// "a,b,,c" to {"a","b","","c"}; an empty text gives one empty part.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace hockney
