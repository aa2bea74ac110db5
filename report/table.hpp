#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/quantities.hpp"
#include "core/statistics.hpp"

namespace hockney::report {

// Text of cells and sentences.

inline constexpr double microseconds = 1e6;  ///< per second
inline constexpr double nanoseconds = 1e9;
inline constexpr double per_cent = 100;  ///< per whole

inline constexpr int ratio_digits = 4;  ///< digits printed of a ratio of times
inline constexpr int p_digits = 3;      ///< digits printed of a test's p

/// A number with `digits` significant digits and no exponent: 0.1234, 12.34, 1234, 123456; "-" for
/// infinity and NaN.
std::string significant(double value, int digits = 4);

/// significant() of `scale` times the value; "-" for nullopt.
std::string significant(const std::optional<double>& value, double scale, int digits = 4);

/// A number with `decimals` decimals.
std::string fixed_text(double value, int decimals);

/// The shortest text that reads back as this number.
std::string exact_text(double value);

/// A time in microseconds with four significant digits; "-" for nullopt.
std::string microseconds_text(const std::optional<double>& seconds);

/// A time with a suitable unit: "0.331 us", "1.31 ms", "2.10 s".
std::string short_time(double seconds, int digits = 3);

/// A time with its interval: "0.331 us (0.279 .. 0.370)"; without an interval the time alone.
std::string short_time(double seconds, const std::optional<Interval>& interval, int digits = 3);

/// A bandwidth with a suitable unit: "10.5 GB/s", "850 MB/s".
std::string short_rate(BytesPerSecond rate, int digits = 3);

/// An amount of data with a suitable unit: "1503 B", "28.8 KB", "1.05 MB".
std::string short_bytes(double bytes);

/// "low .. high" of an interval times `scale`; "-" for nullopt.
std::string interval_text(const std::optional<Interval>& interval, double scale, int digits = 4);

/// A model's error in per cent, "1.20 %"; "-" for nullopt.
std::string error_text(const std::optional<double>& fraction, int decimals = 2);

/// "1 launch", "2 launches", "3 sizes".
std::string count_text(std::size_t count, const std::string& noun);

/// Suffix with the values on axes: ", at algorithm=4,segment=8192"; "" for none.
std::string places_text(const std::map<std::string, std::string>& places);

}  // namespace hockney::report
