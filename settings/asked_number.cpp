#include "settings/asked_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "core/as_number.hpp"

namespace hockney {
namespace {

std::optional<std::int64_t> multiplier(std::string_view unit) {
  if (unit.empty()) return 1;
  if (unit.size() != 1) return std::nullopt;
  constexpr std::string_view units = "kmgKMG";
  const std::size_t at = units.find(unit.front());
  if (at == std::string_view::npos) return std::nullopt;
  return std::int64_t{1} << (10 * (at % 3 + 1));
}

}  // namespace

std::optional<std::int64_t> asked_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  std::int64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc()) return std::nullopt;
  const auto factor = multiplier(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!factor || number > std::numeric_limits<std::int64_t>::max() / *factor) return std::nullopt;
  return number * *factor;
}

std::optional<double> asked_real(std::string_view text) { return as_number<double>(text); }

std::optional<bool> asked_boolean(std::string_view text) {
  constexpr std::array<std::string_view, 6> yes{"true", "t", "yes", "y", "on", "enabled"};
  constexpr std::array<std::string_view, 6> no{"false", "f", "no", "n", "off", "disabled"};
  std::string word(text);
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  if (std::ranges::find(yes, word) != yes.end()) return true;
  if (std::ranges::find(no, word) != no.end()) return false;
  const auto number = asked_number(text);
  return number ? std::optional(*number != 0) : std::nullopt;
}

}  // namespace hockney
