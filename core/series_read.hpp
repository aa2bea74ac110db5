#pragma once

#include "core/json_node.hpp"
#include "core/record.hpp"

namespace hockney {

/// Strict, as read_record, of which these are parts.
PlannedPoint read_planned(const JsonNode& node);
Series read_series(const JsonNode& node);

}  // namespace hockney
