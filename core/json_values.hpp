#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/quantities.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney {

/// A document as text, escaped for terminals; it reads back as the same document. Bytes that are
/// not UTF-8, such as those of an environment variable in another encoding, become U+FFFD. A
/// negative indent gives one line.
template <class Json>
std::string json_text(const Json& document, int indent = 1) {
  const auto odd_bytes = nlohmann::json::error_handler_t::replace;
  return escaped(document.dump(indent, ' ', false, odd_bytes), Breaks::kept);
}

/// null for an empty text or list.
template <class Sized>
nlohmann::json filled_or_null(const Sized& value) {
  return value.empty() ? nlohmann::json(nullptr) : nlohmann::json(value);
}

/// An array with the result of `json_of` for each element.
template <class Value, std::invocable<const Value&> Function>
nlohmann::json array_json(const std::vector<Value>& values, Function json_of) {
  nlohmann::json array = nlohmann::json::array();
  for (const Value& value : values) array.push_back(json_of(value));
  return array;
}

/// The interval's level; null without an interval.
inline std::optional<double> level_of(const std::optional<Interval>& interval) {
  return interval ? std::optional(interval->level) : std::nullopt;
}

}  // namespace hockney

/// [low, high]. Documents that have the level write it under another key.
template <>
struct nlohmann::adl_serializer<hockney::Interval, void> {
  template <class Json>
  static void to_json(Json& json, const hockney::Interval& interval) {
    json = {interval.low, interval.high};
  }
};

/// An enum as its word, a quantity as its number.
template <hockney::WordedEnum Value>
struct nlohmann::adl_serializer<Value, void> {
  template <class Json>
  static void to_json(Json& json, Value value) {
    json = hockney::word(value);
  }
};

template <class Unit, class Number>
struct nlohmann::adl_serializer<hockney::Quantity<Unit, Number>, void> {
  template <class Json>
  static void to_json(Json& json, hockney::Quantity<Unit, Number> quantity) {
    json = quantity.value;
  }
};

/// An optional without a value is null in every document.
template <class Value>
struct nlohmann::adl_serializer<std::optional<Value>, void> {
  template <class Json>
  static void to_json(Json& json, const std::optional<Value>& value) {
    if (value) {
      json = *value;
    } else {
      json = nullptr;
    }
  }
};
