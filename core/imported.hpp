#pragma once

#include <string_view>

#include "core/record.hpp"

namespace hockney {

/// Why a record ended whose figures another suite printed (`stopped_because`).
inline constexpr std::string_view imported_reason = "imported";

/// Whether another suite printed the record's figures.
inline bool is_imported(const Record& record) { return record.stopped_because == imported_reason; }

}  // namespace hockney
