#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "core/guideline.hpp"
#include "core/json_node.hpp"

namespace hockney {

std::string_view word(SideMap map);

/// An element of the record's key `guidelines`.
nlohmann::json to_json(const Guideline& guideline);
/// Strict, as records are.
Guideline read_guideline(const JsonNode& node);

}  // namespace hockney
