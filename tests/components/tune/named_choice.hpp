#pragma once

#include <string>

#include "components/tune/rules.hpp"

namespace hockney::tune {

/// An algorithm as its library comes with it.
inline Choice named(const std::string& algorithm) { return {.algorithm = algorithm}; }

}  // namespace hockney::tune
