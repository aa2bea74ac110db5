#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"
#include "core/record.hpp"
#include "core/text.hpp"
#include "core/words.hpp"

namespace hockney {

inline constexpr std::array<Word<PointStatus>, 3> point_status_words{
    {{PointStatus::measured, "measured"},
     {PointStatus::skipped, "skipped"},
     {PointStatus::failed, "failed"}}};

inline constexpr std::array<Word<LaunchStatus>, 3> launch_status_words{
    {{LaunchStatus::complete, "complete"},
     {LaunchStatus::interrupted, "interrupted"},
     {LaunchStatus::failed, "failed"}}};

inline constexpr std::array<Word<Proof>, 3> proof_words{
    {{Proof::proven, "proven"}, {Proof::ignored, "ignored"}, {Proof::unproven, "unproven"}}};

constexpr std::string_view word(PointStatus status) { return word_of(point_status_words, status); }

constexpr std::string_view word(Proof proof) { return word_of(proof_words, proof); }

constexpr std::string_view word(LaunchStatus status) {
  return word_of(launch_status_words, status);
}

// Strict reading of the fields of a record: InputError naming file and key for every value that is
// mistyped or out of range.

template <class Enum, std::size_t count>
Enum read_word(const JsonNode& node, const std::array<Word<Enum>, count>& words) {
  const std::string text = node.text();
  std::vector<std::string> valid;
  for (const auto& known : words) {
    if (known.text == text) return known.value;
    valid.emplace_back(known.text);
  }
  node.reject("is '" + text + "'", "it is none of the known words", suggest(text, valid));
}

/// nullopt where the key is missing or null.
inline std::optional<std::string> optional_text(const JsonNode& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? std::optional(member->text()) : std::nullopt;
}

inline int small_integer(const JsonNode& node) {
  const std::int64_t value = node.integer();
  if (value < 0 || value > std::numeric_limits<int>::max()) {
    node.reject("is " + std::to_string(value), "it is out of range", "");
  }
  return static_cast<int>(value);
}

inline std::vector<int> small_integers(const JsonNode& node) {
  std::vector<int> values;
  for (const JsonNode& element : node.elements()) values.push_back(small_integer(element));
  return values;
}

/// A number that is not below 0: NaN, which documents do not hold but JsonNode may be made of, is
/// refused.
inline double non_negative(const JsonNode& node) {
  const double value = node.number();
  if (!(value >= 0)) node.reject("is " + std::to_string(value), "it cannot be negative", "");
  return value;
}

/// nullopt where the key is missing or null.
inline std::optional<double> optional_non_negative(const JsonNode& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? std::optional(non_negative(*member)) : std::nullopt;
}

/// Times, and counts of events, none of which is below 0.
inline std::vector<double> non_negatives(const JsonNode& node) {
  std::vector<double> values = node.numbers();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0)) non_negative(node.elements()[i]);  // says which
  }
  return values;
}

/// Operations timed together in one sample.
inline std::int64_t batch_length(const JsonNode& node) {
  const std::int64_t value = node.integer();
  if (value < 1) node.reject("is " + std::to_string(value), "a sample times one or more", "");
  return value;
}

/// Bytes of something.
inline std::int64_t amount(const JsonNode& node) {
  const std::int64_t value = node.integer();
  if (value < 0) node.reject("is " + std::to_string(value), "bytes cannot be negative", "");
  return value;
}

/// nullopt where the key is missing or null.
inline std::optional<std::int64_t> optional_amount(const JsonNode& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? std::optional(amount(*member)) : std::nullopt;
}

/// What `read` makes of every element.
template <class Value>
std::vector<Value> read_array(const JsonNode& node, Value (*read)(const JsonNode&)) {
  std::vector<Value> values;
  values.reserve(node.size());
  for (const JsonNode& element : node.elements()) values.push_back(read(element));
  return values;
}

/// The same, and nothing where the key is missing or null.
template <class Value>
std::vector<Value> optional_array(const JsonNode& node, std::string_view key,
                                  Value (*read)(const JsonNode&)) {
  const auto member = node.find(key);
  return member ? read_array(*member, read) : std::vector<Value>();
}

/// Strict, as read_record, of which these are parts.
PlannedPoint read_planned(const JsonNode& node);
Series read_series(const JsonNode& node);

}  // namespace hockney
