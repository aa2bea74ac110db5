#pragma once

#include <optional>
#include <string>

#include "core/memory_use.hpp"

namespace hockney {

/// The sizes by the text of /proc/self/smaps_rollup and /proc/self/status; nullopt when either does
/// not say.
std::optional<MemoryUse> parse_memory_use(const std::string& rollup, const std::string& status);

/// Of this process, now; rank and moment are left to the caller. nullopt where Linux does not tell.
std::optional<MemoryUse> read_memory_use();

}  // namespace hockney
