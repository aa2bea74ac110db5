#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/algorithm_use.hpp"
#include "core/json_node.hpp"

namespace hockney {

/// An element of the record's key `algorithms`.
nlohmann::json to_json(const AlgorithmUse& use);
/// Strict, as records are.
AlgorithmUse read_algorithm_use(const JsonNode& node);

}  // namespace hockney
