#include "report/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::report {

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  // The exponent of the rounded number: 9.9996 has four digits as 10.00.
  std::ostringstream scientific;
  scientific << std::scientific;
  scientific.precision(digits - 1);
  scientific << value;
  const std::string rounded = scientific.str();
  const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
  return fixed_text(value, std::clamp(digits - 1 - exponent, 0, 15));
}

std::string significant(const std::optional<double>& value, double scale, int digits) {
  return value ? significant(*value * scale, digits) : "-";
}

std::string fixed_text(double value, int decimals) {
  std::ostringstream text;
  text << std::fixed;
  text.precision(decimals);
  text << value;
  return text.str();
}

std::string exact_text(double value) {
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

std::string microseconds_text(const std::optional<double>& seconds) {
  return significant(seconds, microseconds);
}

namespace {

struct UnitText {
  const char* name;
  double scale;  ///< units per second, or per byte/s
};

UnitText unit_of_time(double seconds) {
  if (seconds < 1e-3) return {" us", microseconds};
  if (seconds < 1) return {" ms", 1e3};
  return {" s", 1};
}

}  // namespace

std::string short_time(double seconds, int digits) {
  const UnitText unit = unit_of_time(seconds);
  return significant(seconds * unit.scale, digits) + unit.name;
}

std::string short_time(double seconds, const std::optional<Interval>& interval, int digits) {
  const std::string time = short_time(seconds, digits);
  return interval ? time + " (" + interval_text(interval, unit_of_time(seconds).scale, digits) + ")"
                  : time;
}

std::string short_rate(BytesPerSecond rate, int digits) {
  const UnitText unit = rate.value < 1e9 ? UnitText{" MB/s", 1e-6} : UnitText{" GB/s", 1e-9};
  return significant(rate.value * unit.scale, digits) + unit.name;
}

std::string short_bytes(double bytes) {
  constexpr double largest_in_bytes = 9999;
  if (bytes <= largest_in_bytes) return fixed_text(bytes, 0) + " B";
  if (bytes < 1e6) return significant(bytes * 1e-3, 3) + " KB";
  return bytes < 1e9 ? significant(bytes * 1e-6, 3) + " MB" : significant(bytes * 1e-9, 3) + " GB";
}

std::string interval_text(const std::optional<Interval>& interval, double scale, int digits) {
  if (!interval) return "-";
  return significant(interval->low * scale, digits) + " .. " +
         significant(interval->high * scale, digits);
}

std::string error_text(const std::optional<double>& fraction, int decimals) {
  return fraction ? fixed_text(per_cent * *fraction, decimals) + " %" : "-";
}

std::string count_text(std::size_t count, const std::string& noun) {
  const std::string plural = noun.ends_with("series") ? "" : noun.ends_with("ch") ? "es" : "s";
  return std::to_string(count) + " " + noun + (count == 1 ? "" : plural);
}

std::string places_text(const std::map<std::string, std::string>& places) {
  return places.empty() ? "" : ", at " + escaped(join_assignments(places));
}

}  // namespace hockney::report
