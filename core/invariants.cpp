#include "core/invariants.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hockney {

void reject_broken(const JsonNode& node, const std::string& key, std::string_view statement) {
  constexpr const char* suggestion = "is the file damaged?";
  const auto value = node.find_below(key);
  const nlohmann::json json = value ? value->json() : nlohmann::json();
  // Documents of older versions have other names, and lists are long.
  const bool is_shown = value && !json.is_structured();
  node.reject_member(key, is_shown ? "is " + json.dump() : "is wrong", std::string(statement),
                     suggestion);
}

bool is_above(std::optional<double> number, std::optional<double> most) {
  constexpr double rounding = 1e-9;  // relative, of sums of numbers written with 17 digits
  return number && most && *number > *most + rounding * std::abs(*most);
}

std::string descending(std::initializer_list<KeyNumber> numbers) {
  std::optional<KeyNumber> before;
  for (const KeyNumber& one : numbers) {
    if (!one.number) continue;
    if (before && is_above(before->number, one.number)) return std::string(before->key);
    before = one;
  }
  return {};
}

std::string above(std::optional<double> most, std::initializer_list<KeyNumber> numbers) {
  const auto* const found = std::ranges::find_if(
      numbers, [&](const KeyNumber& one) { return is_above(one.number, most); });
  return found == numbers.end() ? std::string() : std::string(found->key);
}

std::string first_of(std::initializer_list<std::string> keys) {
  const auto* const found =
      std::ranges::find_if(keys, [](const std::string& key) { return !key.empty(); });
  return found == keys.end() ? std::string() : *found;
}

}  // namespace hockney
