#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace hockney
