#include "core/durations.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"

namespace hockney {
namespace {

struct DurationUnit {
  std::string_view suffix;
  double seconds;
};

constexpr std::array<DurationUnit, 6> units{
    {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}}};

[[noreturn]] void reject_duration(std::string_view text) {
  throw InputError({"bad duration '" + std::string(text) + "'",
                    "it is not a number with an optional unit of ms, s, m or h",
                    "write it like 60, 90s, 1.5m or 500ms"});
}

}  // namespace

Seconds parse_duration(std::string_view text) {
  // from_chars would also read "inf" and "nan", and a sign.
  if (text.empty() || text.front() < '0' || text.front() > '9') reject_duration(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) reject_duration(text);
  const std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const DurationUnit& unit : units) {
    if (unit.suffix == suffix && std::isfinite(number * unit.seconds)) {
      return {number * unit.seconds};
    }
  }
  reject_duration(text);
}

std::string format_duration(Seconds duration) {
  const double seconds = duration.value;
  const auto whole = static_cast<long>(std::lround(seconds));
  std::array<char, 32> text{};
  if (seconds < 9.95) {
    std::snprintf(text.data(), text.size(), "%.2g s", seconds);
  } else if (whole < 60) {
    std::snprintf(text.data(), text.size(), "%ld s", whole);
  } else if (whole < 3600) {
    std::snprintf(text.data(), text.size(), "%ld min %02ld s", whole / 60, whole % 60);
  } else {
    std::snprintf(text.data(), text.size(), "%ld h %02ld min", whole / 3600, whole % 3600 / 60);
  }
  return text.data();
}

}  // namespace hockney
