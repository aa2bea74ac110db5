#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/json_node.hpp"
#include "core/shared_list.hpp"
#include "core/units.hpp"
#include "core/words.hpp"

namespace hockney {

// Strict reading of a value: InputError naming file and key where it is mistyped or out of range.

void read_into(const JsonNode& node, std::string& value);
void read_into(const JsonNode& node, bool& value);
/// Not below 0, as the following.
void read_into(const JsonNode& node, double& value);
void read_into(const JsonNode& node, int& value);
void read_into(const JsonNode& node, std::int64_t& value);
void read_into(const JsonNode& node, std::uint64_t& value);
void read_into(const JsonNode& node, Bytes& value);
void read_into(const JsonNode& node, Seconds& value);
void read_into(const JsonNode& node, std::vector<double>& values);
void read_into(const JsonNode& node, std::vector<std::string>& values);
void read_into(const JsonNode& node, std::map<std::string, std::string>& values);

/// Any number and any whole number, below 0 too.
double any_number(const JsonNode& node);
std::int64_t any_integer(const JsonNode& node);
/// A number above 0.
double positive_number(const JsonNode& node);
/// A whole number from 1.
int positive_integer(const JsonNode& node);

/// A moment as documents write it (core/time.hpp); an empty text where it is not known.
std::string utc_moment(const JsonNode& node);

/// InputError for a text that is none of the words, with the nearest one.
[[noreturn]] void reject_word(const JsonNode& node, const std::vector<std::string>& words);

template <WordedEnum Enum>
void read_into(const JsonNode& node, Enum& value) {
  const auto found = find_word<Enum>(node.text());
  if (!found) reject_word(node, valid_words<Enum>());
  value = *found;
}

template <class Value>
void read_into(const JsonNode& node, std::vector<Value>& values) {
  values.clear();
  values.reserve(node.size());
  for (const JsonNode& element : node.elements()) read_into(element, values.emplace_back());
}

template <class Value>
void read_into(const JsonNode& node, std::map<std::string, Value>& values) {
  values.clear();
  for (const std::string& name : node.keys()) read_into(node.at(name), values[name]);
}

template <class Value>
void read_into(const JsonNode& node, SharedList<Value>& values) {
  read_into(node, values.own());
}

/// The value of a node, by its type.
template <class Value>
Value read_value(const JsonNode& node) {
  Value value{};
  read_into(node, value);
  return value;
}

}  // namespace hockney
