#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hockney {

/// The last `count` lines of a log that say something (neither blank nor a ruler), each cut to
/// `longest` characters and free of control characters; empty when there is no log. What the
/// launcher says, between rulers or in its own name, counts only when the program itself said
/// nothing.
std::vector<std::string> last_lines(const std::string& log_file, std::size_t count,
                                    std::size_t longest = 200);

}  // namespace hockney
