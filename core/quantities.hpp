#pragma once

#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/units.hpp"

namespace hockney {

/// "64", "4K", "2M", "1G" (powers of two, optional B or iB) to bytes; InputError on anything else.
Bytes parse_bytes(std::string_view text);

/// The shortest exact spelling that parse_bytes reads back: 4096 is "4K", 4097 is "4097".
std::string format_bytes(Bytes amount);

/// A list of sizes in ascending order without repetition:
///   "0,8,1K"    these sizes
///   "1:4M"      powers of two from 1 to 4 MiB; a range that starts at 0 holds 0 and then 1, 2, 4
///   ... "1:4M:8"    eight sizes an octave, on a logarithmic grid
/// Parts are joined by commas. InputError on malformed, negative or descending parts.
std::vector<Bytes> parse_sizes(std::string_view text);

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

/// "5%" and "0.05" are one twentieth. InputError naming `what` on anything else, and on what is not
/// between 0 and 1, both excluded.
double parse_fraction(std::string_view what, std::string_view text);

/// A share for people, with two digits: "5 %", "0.25 %".
std::string format_fraction(double share);

}  // namespace hockney
