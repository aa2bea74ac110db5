#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/json_node.hpp"
#include "core/memory_use.hpp"
#include "core/protocol.hpp"

namespace hockney {

/// An element of the record's key `protocols`.
nlohmann::json to_json(const Protocol& protocol);
/// Strict, as records are.
Protocol read_protocol(const JsonNode& node);

/// An element of the record's key `memory`.
nlohmann::json to_json(const MemoryUse& use);
MemoryUse read_memory_use(const JsonNode& node);

}  // namespace hockney
