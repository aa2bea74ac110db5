#include "core/json_fields.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/quantities.hpp"

namespace hockney {
namespace {

/// Relative rounding of sums and differences of numbers written with 17 digits.
constexpr double limit_rounding = 1e-9;

/// The largest or smallest number at a path; nullopt without numbers.
std::optional<double> extreme(const JsonNode& object, std::string_view path, bool is_largest) {
  std::optional<double> found;
  static_cast<void>(object.find_number(path, [&](double number) {
    if (!found || (is_largest ? number > *found : number < *found)) found = number;
    return false;
  }));
  return found;
}

/// The sum of the numbers at a path; nullopt if there are none.
std::optional<double> sum_at(const JsonNode& object, std::string_view path) {
  std::optional<double> found;
  static_cast<void>(object.find_number(path, [&](double number) {
    found = found.value_or(0) + number;
    return false;
  }));
  return found;
}

std::optional<double> two_keys(const JsonNode& object, const Bound& bound) {
  const auto first = sum_at(object, bound.key);
  const auto second = sum_at(object, bound.other);
  if (!first || !second) return std::nullopt;
  if (bound.of == Bound::Of::product) return *first * *second;
  return *second > 0 ? std::optional(*first / *second) : std::nullopt;
}

std::optional<double> one_key(const JsonNode& object, const Bound& bound) {
  const auto value = extreme(object, bound.key, true);
  if (bound.of == Bound::Of::number || !value) return value;
  if (!(*value > 0)) return std::nullopt;
  return bound.of == Bound::Of::inverse ? 1 / *value : *value;
}

/// nullopt for 0, which other programs write for values not measured.
std::optional<double> measured(std::optional<double> value) {
  return value && *value > 0 ? value : std::nullopt;
}

/// The bound before multiplication by its factor.
std::optional<double> plain_value(const JsonNode& object, const Bound& bound) {
  switch (bound.of) {
    case Bound::Of::constant:
      return 1;
    case Bound::Of::size: {
      const auto array = object.find(bound.key);
      if (!array || array->size() == 0) return std::nullopt;
      return static_cast<double>(array->size());
    }
    case Bound::Of::largest:
      return measured(extreme(object, bound.key, true));
    case Bound::Of::smallest:
      return extreme(object, bound.key, false);
    case Bound::Of::sum:
      return measured(sum_at(object, bound.key));
    case Bound::Of::ratio:
    case Bound::Of::product:
      return measured(two_keys(object, bound));
    case Bound::Of::number:
    case Bound::Of::known:
    case Bound::Of::inverse:
      break;
  }
  return one_key(object, bound);
}

/// Writes whole numbers without decimals.
std::string number_text(double number) {
  constexpr double largest_whole = 1e15;
  if (std::abs(number) > largest_whole || std::floor(number) != number) {
    return nlohmann::json(number).dump();
  }
  return std::to_string(whole_number<std::int64_t>(number));
}

/// Description of a bound, placed before its value: "the number of 'visits', ".
std::string origin_words(const Bound& bound) {
  const std::string times =
      bound.factor == 1 ? "" : fmt::format("{} times ", number_text(bound.factor));
  switch (bound.of) {
    case Bound::Of::constant:
      return "";
    case Bound::Of::size:
      return fmt::format("{}the number of '{}', ", times, bound.key);
    case Bound::Of::largest:
      return fmt::format("{}the largest of '{}', ", times, bound.key);
    case Bound::Of::smallest:
      return fmt::format("{}the smallest of '{}', ", times, bound.key);
    case Bound::Of::sum:
      return fmt::format("{}the sum of '{}', ", times, bound.key);
    case Bound::Of::ratio:
      return fmt::format("{}'{}' / '{}', ", times, bound.key, bound.other);
    case Bound::Of::product:
      return fmt::format("{}'{}' x '{}', ", times, bound.key, bound.other);
    case Bound::Of::inverse:
      return fmt::format("{}1 / '{}', ", times, bound.key);
    case Bound::Of::number:
    case Bound::Of::known:
      break;
  }
  return fmt::format("{}'{}', ", times, bound.key);
}

std::string_view side_words(NumberLimit::Side side) {
  switch (side) {
    case NumberLimit::Side::least:
      return "it is at least ";
    case NumberLimit::Side::below:
      return "it is below ";
    case NumberLimit::Side::magnitude:
      return "its magnitude is at most ";
    case NumberLimit::Side::most:
      break;
  }
  return "it is at most ";
}

bool is_outside(double number, NumberLimit::Side side, double bound) {
  const double slack = limit_rounding * std::abs(bound);
  switch (side) {
    case NumberLimit::Side::least:
      return number < bound - slack;
    case NumberLimit::Side::below:
      return number >= bound;
    case NumberLimit::Side::magnitude:
      return std::abs(number) > bound + slack;
    case NumberLimit::Side::most:
      break;
  }
  return number > bound + slack;
}

}  // namespace

void NumberLimit::check(const JsonNode& object) const {
  const auto plain = plain_value(object, bound);
  if (!plain) return;
  const double value = *plain * bound.factor;
  const auto wrong =
      object.find_number(path, [&](double number) { return is_outside(number, side, value); });
  if (!wrong) return;
  wrong->reject("is " + wrong->json().dump(),
                fmt::format("{}{}{}", side_words(side), origin_words(bound), number_text(value)),
                "");
}

}  // namespace hockney
