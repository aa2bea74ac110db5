#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/json_node.hpp"
#include "health/history/night.hpp"

namespace hockney {

// What the lines of an export hold. All throw InputError, naming file, line and key.

/// Days since 1970 of a text like "2026-11-22".
std::int64_t day_at(const JsonNode& line, std::string_view key);

/// The whole line, of the kind "series".
SeriesKind read_series_kind(const JsonNode& line);

std::size_t count_at(const JsonNode& line, std::string_view key);

/// Finite and above 0, as all figures and times are.
double positive_at(const JsonNode& line, std::string_view key);

}  // namespace hockney
