#pragma once

#include <string>
#include <string_view>

#include "core/units.hpp"

namespace hockney {

/// "60" and "60s" are sixty seconds; "500ms", "1.5m", "2h" as they read. InputError on anything
/// else, on negative and on infinite durations.
Seconds parse_duration(std::string_view text);

/// A duration for people, rounded to what matters: "0.42 s", "12 s", "3 min 20 s", "2 h 05 min".
std::string format_duration(Seconds duration);

}  // namespace hockney
