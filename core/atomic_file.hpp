#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace hockney {

/// Writes to a temporary name beside `file`, flushes to the disk and renames, so that `file` is
/// either what it was or whole. RunError when the disk refuses.
void write_atomically(const std::string& file, std::string_view content);

/// The whole content of `file`; InputError when it cannot be read or has more than `most` bytes, of
/// which no more are read.
std::string read_file(const std::string& file,
                      std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace hockney
