#pragma once

#include <functional>

#include "core/error.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace hockney {

/// What a program or subcommand does once its options are known.
using Action = std::function<ExitCode()>;

}  // namespace hockney
