#include "core/shares.hpp"

#include <array>
#include <cstdio>

#include "core/as_number.hpp"
#include "core/error.hpp"

namespace hockney {

double parse_share(std::string_view what, std::string_view text) {
  const bool percent = text.ends_with('%');
  const std::string_view digits = percent ? text.substr(0, text.size() - 1) : text;
  const double number = as_number<double>(digits).value_or(0);
  const double share = percent ? number / 100 : number;
  if (share > 0 && share < 1) return share;
  throw InputError({"bad value '" + std::string(text) + "' for " + std::string(what),
                    "it must be a share above 0 and below 1", "write it like 5% or 0.05"});
}

std::string format_share(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g %%", 100 * share);
  return text.data();
}

}  // namespace hockney
