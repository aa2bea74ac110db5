#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/statistics.hpp"

namespace hockney {

/// What was not established is null in every document.
template <class Value>
nlohmann::json or_null(const std::optional<Value>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

/// [low, high], without the level.
inline nlohmann::json bounds_or_null(const std::optional<Interval>& interval) {
  return interval ? nlohmann::json{interval->low, interval->high} : nlohmann::json(nullptr);
}

}  // namespace hockney
