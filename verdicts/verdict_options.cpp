#include "verdicts/verdict_options.hpp"

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::verdicts {
namespace {

/// The whole of `text` as a finite number.
std::optional<double> parse_number(std::string_view text) {
  const auto number = as_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace

double parse_alpha(const std::string& text) {
  const auto alpha = parse_number(text);
  if (alpha && *alpha > 0 && *alpha <= 0.5) return *alpha;
  throw InputError({"bad --alpha '" + text + "'",
                    "it is the chance of a false alarm, above 0 and at most 0.5",
                    "write it like 0.05"});
}

double parse_margin(const std::string& option, const std::string& text,
                    const std::string& meaning) {
  const auto percent =
      text.ends_with('%') ? parse_number({text.data(), text.size() - 1}) : std::nullopt;
  if (percent && *percent >= 0) return *percent / 100;
  throw InputError(
      {"bad " + option + " '" + text + "'", meaning + ", 0% or more", "write it like 5%"});
}

Correction parse_correction(const std::string& text) {
  std::vector<std::string> words;
  for (const Correction known : corrections) {
    if (text == word(known)) return known;
    words.emplace_back(word(known));
  }
  throw InputError({"bad --correction '" + text + "'", "it says how p-values are adjusted",
                    suggest(text, words)});
}

}  // namespace hockney::verdicts
