#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/json_node.hpp"
#include "core/transport.hpp"

namespace hockney {

/// The key `transport` of a series or a visit: the counts, and why they prove no path if they
/// prove none; null where nobody counted.
nlohmann::json transport_json(const std::optional<Transport>& transport);

/// nullopt where the key is missing or null.
std::optional<Transport> read_transport(const JsonNode& holder);

}  // namespace hockney
