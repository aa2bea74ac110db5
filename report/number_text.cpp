#include "report/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace hockney {

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  // The exponent of the rounded number: 9.9996 has four digits as 10.00.
  std::ostringstream scientific;
  scientific << std::scientific << std::setprecision(digits - 1) << value;
  const std::string rounded = scientific.str();
  const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
  std::ostringstream text;
  text << std::fixed << std::setprecision(std::clamp(digits - 1 - exponent, 0, 15)) << value;
  return text.str();
}

std::string interval_text(const std::optional<Interval>& interval, double scale, int digits) {
  if (!interval) return "-";
  return significant(interval->low * scale, digits) + " .. " +
         significant(interval->high * scale, digits);
}

}  // namespace hockney
