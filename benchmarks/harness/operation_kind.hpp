#pragma once

#include "benchmarks/engine/suites.hpp"
#include "benchmarks/harness/operation.hpp"

namespace hockney {

/// What an operation is to suites that time kinds of operations differently.
OperationKind kind_of(const Descriptor& descriptor);

}  // namespace hockney
