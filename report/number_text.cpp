#include "report/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "core/text.hpp"

namespace hockney {

std::string places_text(const std::map<std::string, std::string>& places) {
  return places.empty() ? "" : ", at " + inert(join_assignments(places));
}

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

std::string exact_text(double value) {
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

std::string microseconds_text(const std::optional<double>& seconds) {
  return seconds ? significant(*seconds * microseconds) : "-";
}

std::string error_text(const std::optional<double>& fraction) {
  if (!fraction) return "-";
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << per_cent * *fraction << " %";
  return text.str();
}

std::string interval_text(const std::optional<Interval>& interval, double scale, int digits) {
  if (!interval) return "-";
  return significant(interval->low * scale, digits) + " .. " +
         significant(interval->high * scale, digits);
}

}  // namespace hockney
