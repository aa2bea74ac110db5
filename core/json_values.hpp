#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"
#include "core/point.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney {

/// A document as text that is inert and reads back as the same; what is not UTF-8, such as a
/// variable of the environment in another encoding, becomes U+FFFD. No line breaks with a negative
/// indent.
template <class Json>
std::string json_text(const Json& document, int indent = 1) {
  const auto odd_bytes = nlohmann::json::error_handler_t::replace;
  return inert(document.dump(indent, ' ', false, odd_bytes), Breaks::kept);
}

/// What was not established is null in every document.
template <class Value>
nlohmann::json or_null(const std::optional<Value>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

/// null for an empty text or list.
template <class Sized>
nlohmann::json filled_or_null(const Sized& value) {
  return value.empty() ? nlohmann::json(nullptr) : nlohmann::json(value);
}

/// What `json_of` makes of every element.
template <class Value>
nlohmann::json array_json(const std::vector<Value>& values,
                          nlohmann::json (*json_of)(const Value&)) {
  nlohmann::json array = nlohmann::json::array();
  for (const Value& value : values) array.push_back(json_of(value));
  return array;
}

/// [low, high], without the level.
inline nlohmann::json bounds_or_null(const std::optional<Interval>& interval) {
  return interval ? nlohmann::json{interval->low, interval->high} : nlohmann::json(nullptr);
}

/// A point's key `point` in every document: all of it but the operation.
inline nlohmann::json point_json(const Point& point) {
  return {{"bytes", point.bytes.value},
          {"ranks", point.ranks},
          {"hop", or_null(point.hop)},
          {"path", or_null(point.path)},
          {"algorithm", or_null(point.algorithm)},
          {"pair", point.pair},
          {"parameters", point.parameters}};
}

/// nullopt where the key is missing or null.
inline std::optional<double> optional_number(const JsonNode& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? std::optional(member->number()) : std::nullopt;
}

/// Empty where the key is missing or null.
inline std::vector<std::string> texts_or_none(const JsonNode& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? member->texts() : std::vector<std::string>();
}

}  // namespace hockney
