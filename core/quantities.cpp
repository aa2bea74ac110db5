#include "core/quantities.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/whole_number.hpp"

namespace hockney {
namespace {

struct Suffix {
  char letter;
  int shift;
};
constexpr std::array<Suffix, 4> suffixes{{{'G', 30}, {'M', 20}, {'K', 10}, {'B', 0}}};

[[noreturn]] void reject_size(std::string_view text, const std::string& why) {
  throw InputError({"bad size '" + std::string(text) + "'", why,
                    "write sizes as 64, 4K, 0:4M or 1:4M:8, joined by commas"});
}

/// The shift of "", "B", "K", "KB", "KiB" and so on; the first letter in either case.
std::optional<int> shift_of(std::string_view unit) {
  if (unit.empty()) return 0;
  const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front())));
  const auto* const known = std::ranges::find(suffixes, letter, &Suffix::letter);
  if (known == suffixes.end()) return std::nullopt;
  const std::string_view rest = unit.substr(1);
  const bool spelled_out = letter != 'B' && (rest == "B" || rest == "iB");
  if (!rest.empty() && !spelled_out) return std::nullopt;
  return known->shift;
}

/// Sizes from `low` to `high`, `steps` an octave, each rounded to a whole byte.
void append_range(std::vector<Bytes>& sizes, std::int64_t low, std::int64_t high, int steps) {
  if (low == 0) sizes.push_back({0});
  const double first = static_cast<double>(std::max<std::int64_t>(low, 1));
  for (int i = 0;; ++i) {
    const double size = std::round(first * std::exp2(static_cast<double>(i) / steps));
    if (size >= static_cast<double>(high)) break;  // as doubles: the largest high has no successor
    sizes.push_back({whole_number<std::int64_t>(size)});
  }
  sizes.push_back({high});
}

int parse_steps(std::string_view part, std::string_view text) {
  const int steps = as_number<int>(text).value_or(0);
  if (steps < 1 || steps > 64) {
    reject_size(part, "the number of steps an octave is a whole number from 1 to 64");
  }
  return steps;
}

void append_part(std::vector<Bytes>& sizes, std::string_view part) {
  const std::vector<std::string> ends = split(part, ':');
  if (ends.size() == 1) return sizes.push_back(parse_bytes(part));
  if (ends.size() > 3) reject_size(part, "a range has two ends and at most one step");
  const std::int64_t low = parse_bytes(ends[0]).value;
  const std::int64_t high = parse_bytes(ends[1]).value;
  if (low > high) reject_size(part, "the range runs downwards");
  append_range(sizes, low, high, ends.size() == 3 ? parse_steps(part, ends[2]) : 1);
}

}  // namespace

Bytes parse_bytes(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) reject_size(text, "it is too large");
  if (error != std::errc() || number < 0) reject_size(text, "it is no number of bytes");
  const auto shift = shift_of(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!shift) reject_size(text, "the unit is none of K, M, G");
  if (number > (std::numeric_limits<std::int64_t>::max() >> *shift))
    reject_size(text, "it is too large");
  return {number << *shift};
}

std::string format_bytes(Bytes amount) {
  for (const Suffix& suffix : suffixes) {
    const std::int64_t unit = std::int64_t{1} << suffix.shift;
    if (suffix.shift > 0 && amount.value >= unit && amount.value % unit == 0) {
      return std::to_string(amount.value / unit) + suffix.letter;
    }
  }
  return std::to_string(amount.value);
}

std::vector<Bytes> parse_sizes(std::string_view text) {
  std::vector<Bytes> sizes;
  for (const std::string& part : split(text, ',')) append_part(sizes, part);
  std::ranges::sort(sizes);
  const auto repeated = std::ranges::unique(sizes);
  sizes.erase(repeated.begin(), repeated.end());
  return sizes;
}

double parse_fraction(std::string_view what, std::string_view text) {
  const bool percent = text.ends_with('%');
  const std::string_view digits = percent ? text.substr(0, text.size() - 1) : text;
  const double number = as_number<double>(digits).value_or(0);
  const double share = percent ? number / 100 : number;
  if (share > 0 && share < 1) return share;
  throw InputError({"bad value '" + std::string(text) + "' for " + std::string(what),
                    "it must be a share above 0 and below 1", "write it like 5% or 0.05"});
}

std::string format_fraction(double share) {
  constexpr double three_digits = 99.5;  // from here on two would be an exponent
  const double per_cent = 100 * share;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), per_cent < three_digits ? "%.2g %%" : "%.0f %%",
                per_cent);
  return text.data();
}

}  // namespace hockney
