#pragma once

#include <mpi.h>

#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/operators.hpp"

namespace hockney {

/// The MPI handle of an operator of our own, by MPI_Op_create; none for a predefined one.
UniqueOp make_user_operator(const Operator& op);

}  // namespace hockney
