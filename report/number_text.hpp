#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/statistics.hpp"

namespace hockney {

/// Widths of the columns that several tables have [characters].
inline constexpr int bytes_width = 9;      ///< of a message size
inline constexpr int time_width = 12;      ///< of a time [us]
inline constexpr int interval_width = 22;  ///< of the interval of a time or of a ratio of times
inline constexpr int share_width = 8;      ///< of a share [%]
inline constexpr int count_width = 10;     ///< of a count, mostly of launches

/// Where on axes something lies, to follow its name: ", at algorithm=4,segment=8192"; "" for none.
std::string places_text(const std::map<std::string, std::string>& places);

inline constexpr double microseconds = 1e6;  ///< in a second
inline constexpr double nanoseconds = 1e9;
inline constexpr double per_cent = 100;  ///< in a whole

inline constexpr int ratio_digits = 4;  ///< that are shown of a ratio of times
inline constexpr int p_digits = 3;      ///< that are shown of the p of a test

/// A number with `digits` significant digits and no exponent: 0.1234, 12.34, 1234, 123456;
/// "-" for what is not finite.
std::string significant(double value, int digits = 4);

/// The shortest text that reads back as exactly this number.
std::string exact_text(double value);

/// A time in microseconds with four significant digits; "-" where there is none.
std::string microseconds_text(const std::optional<double>& seconds);

/// "low .. high" of an interval times `scale`; "-" where there is none.
std::string interval_text(const std::optional<Interval>& interval, double scale, int digits = 4);

/// A model's error in per cent with two decimals, "1.20 %"; "-" where there is none.
std::string error_text(const std::optional<double>& fraction);

}  // namespace hockney
