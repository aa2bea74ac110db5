#pragma once

#include <string>
#include <string_view>

namespace hockney {

/// "5%" and "0.05" are one twentieth. InputError naming `what` on anything else, and on what is not
/// between 0 and 1, both excluded.
double parse_share(std::string_view what, std::string_view text);

/// A share for people, with two digits: "5 %", "0.25 %".
std::string format_share(double share);

}  // namespace hockney
