#pragma once

#include <string>
#include <vector>

namespace hockney {

/// Adds arguments of a command line at its end.
inline void append(std::vector<std::string>& arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

}  // namespace hockney
