#pragma once

namespace hockney {

/// The key in a point's parameters under which points that are timed as another suite would time
/// them name that suite: "osu", "imb". Points without it are timed in hockney's own way.
inline constexpr const char* timing_parameter = "timing";

}  // namespace hockney
