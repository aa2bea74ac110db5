#pragma once

#include <string>
#include <string_view>

namespace hockney {

/// What stands for a content: equal for equal bytes, and for others so rarely that it never happens
/// (122 bits of SHA-1, as a UUID of version 5, RFC 4122; no protection against forgery).
std::string content_digest(std::string_view content);

}  // namespace hockney
