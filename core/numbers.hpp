#pragma once

#include <charconv>
#include <limits>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace hockney {

/// A whole number of at least `least`; InputError naming `what` (an option or a key) otherwise.
template <class Number>
Number parse_count(std::string_view what, std::string_view text, Number least) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range && !text.starts_with('-')) {
    throw InputError({"bad value '" + std::string(text) + "' for " + std::string(what),
                      "it is too large",
                      "give at most " + std::to_string(std::numeric_limits<Number>::max())});
  }
  if (error != std::errc() || end != text.data() + text.size() || number < least) {
    throw InputError({"bad value '" + std::string(text) + "' for " + std::string(what),
                      "it must be a whole number of at least " + std::to_string(least),
                      "see --help"});
  }
  return number;
}

}  // namespace hockney
