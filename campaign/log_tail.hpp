#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hockney {

/// The last `count` lines of a log that say something (neither blank nor a ruler), each cut to 200
/// characters and free of control characters; empty when there is no log. What the launcher says
/// between rulers counts only when the program itself said nothing.
std::vector<std::string> last_lines(const std::string& log_file, std::size_t count);

}  // namespace hockney
