#pragma once

#include <string_view>

namespace hockney {

/// Whether `text` is `pattern`, in which * stands for any text.
bool matches(std::string_view text, std::string_view pattern);

}  // namespace hockney
