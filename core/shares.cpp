#include "core/shares.hpp"

#include <array>
#include <charconv>
#include <cstdio>

#include "core/error.hpp"

namespace hockney {

double parse_share(std::string_view what, std::string_view text) {
  const bool percent = text.ends_with('%');
  const std::string_view digits = percent ? text.substr(0, text.size() - 1) : text;
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const double share = percent ? number / 100 : number;
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (whole && share > 0 && share < 1) return share;
  throw InputError({"bad value '" + std::string(text) + "' for " + std::string(what),
                    "it must be a share above 0 and below 1", "write it like 5% or 0.05"});
}

std::string format_share(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g %%", 100 * share);
  return text.data();
}

}  // namespace hockney
