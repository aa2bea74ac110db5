#pragma once

#include <string>
#include <string_view>

namespace hockney {

/// Any text for attributes in double quotes and for text of XML 1.0, inert: what that cannot hold
/// is shown as core/inert_text.hpp shows it.
std::string xml_text(std::string_view text);

}  // namespace hockney
