#pragma once

#include <optional>
#include <string>

#include "core/statistics.hpp"

namespace hockney {

/// A number with `digits` significant digits and no exponent: 0.1234, 12.34, 1234, 123456;
/// "-" for what is not finite.
std::string significant(double value, int digits = 4);

/// "low .. high" of an interval times `scale`; "-" where there is none.
std::string interval_text(const std::optional<Interval>& interval, double scale, int digits = 4);

}  // namespace hockney
