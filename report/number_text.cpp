#include "report/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace hockney {

std::string significant(double value, int digits) {
  const double magnitude = std::abs(value);
  const int before_point = magnitude > 0 ? static_cast<int>(std::floor(std::log10(magnitude))) : 0;
  std::ostringstream text;
  text << std::fixed << std::setprecision(std::clamp(digits - 1 - before_point, 0, 15)) << value;
  return text.str();
}

std::string interval_text(const std::optional<Interval>& interval, double scale, int digits) {
  if (!interval) return "-";
  return significant(interval->low * scale, digits) + " .. " +
         significant(interval->high * scale, digits);
}

}  // namespace hockney
