#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hockney {

/// The candidate with the smallest edit distance to `name`; empty when there are no candidates.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// "Did you mean 'pingpong'? Valid: pingpong, exchange." for the suggestion part of a message.
std::string suggest(std::string_view name, const std::vector<std::string>& candidates);

/// "a, b, c"
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

/// "cache=hot,window=64": every key with its value.
std::string join_assignments(const std::map<std::string, std::string>& assignments,
                             std::string_view separator = ",");

/// "a,b,,c" to {"a","b","","c"}; an empty text gives one empty part.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace hockney
