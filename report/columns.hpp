#pragma once

namespace hockney {

/// Widths of the columns that several tables have [characters].
inline constexpr int bytes_width = 9;      ///< of a message size
inline constexpr int time_width = 12;      ///< of a time [us]
inline constexpr int interval_width = 22;  ///< of the interval of a time or of a ratio of times
inline constexpr int share_width = 8;      ///< of a share [%]
inline constexpr int count_width = 10;     ///< of a count, mostly of launches

}  // namespace hockney
