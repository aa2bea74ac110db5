#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace hockney {

/// The number that `text` is from its first character to its last; nullopt where it is none, or one
/// that does not fit.
template <class Number>
std::optional<Number> as_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

}  // namespace hockney
