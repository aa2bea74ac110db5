#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hockney {

/// "8192", "0x2000" or "8K" (K, M, G are powers of two) as a whole number; nullopt for anything
/// else, such as "8192x", though libraries read a number there.
std::optional<std::int64_t> asked_number(std::string_view text);

/// "0.25" as a number; nullopt for what is none.
std::optional<double> asked_real(std::string_view text);

/// "yes", "true", "on", "enabled" or a whole number; nullopt for anything else.
std::optional<bool> asked_boolean(std::string_view text);

}  // namespace hockney
