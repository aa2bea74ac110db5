#pragma once

#include <string>

#include "core/error.hpp"

namespace hockney {

/// InputError about the config of that file: "<file>: <problem> (<why>) <suggestion>".
[[noreturn]] inline void reject_config(const std::string& file, const std::string& problem,
                                       const std::string& why, const std::string& suggestion) {
  throw InputError({file + ": " + problem, why, suggestion});
}

}  // namespace hockney
