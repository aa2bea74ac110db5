#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "campaign/sweep.hpp"
#include "core/json_node.hpp"

namespace hockney {

/// The keys `axes`, `sweep` and `conditions` of a config, read strictly; nullopt without axes.
std::optional<Sweep> read_sweep(const JsonNode& config);

/// Writes them into the document of a config.
void write_sweep(const std::optional<Sweep>& sweep, nlohmann::json& config);

std::map<std::string, std::string> read_environment(const JsonNode& node);

}  // namespace hockney
