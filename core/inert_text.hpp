#pragma once

#include <string>
#include <string_view>

namespace hockney {

/// What becomes of line breaks and tabs (also U+0085, U+2028 and U+2029) in inert text.
enum class Breaks {
  blanks,   ///< a blank each: text of one line, in tables and messages
  kept,     ///< \n and \t stay as they are: documents and whole outputs
  escaped,  ///< like every other control character, and backslashes are doubled: nothing is lost
};

/// Text from elsewhere, such as names in a record, which does nothing to a terminal and shows all
/// that it holds. The control, format and separator characters of Unicode (categories Cc, Cf, Zl
/// and Zp: escape sequences, bidirectional controls, what has no width) become \uXXXX, as in JSON,
/// and bytes that are no UTF-8 (RFC 3629) \xNN. Text without them stays as it is.
std::string inert(std::string_view text, Breaks breaks = Breaks::blanks);

/// Bytes at the end of `text`, 3 at most, that may be the beginning of a character whose other
/// bytes are yet to come.
std::size_t unfinished_bytes(std::string_view text);

}  // namespace hockney
