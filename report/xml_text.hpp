#pragma once

#include <string>
#include <string_view>

namespace hockney {

/// Any text for attributes in double quotes and for text of XML 1.0: what it cannot hold, control
/// characters and what is not UTF-8 (RFC 3629), becomes "?".
std::string xml_text(std::string_view text);

}  // namespace hockney
