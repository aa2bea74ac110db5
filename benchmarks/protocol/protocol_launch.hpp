#pragma once

#include <mpi.h>

#include <optional>

#include "benchmarks/protocol/protocol_options.hpp"
#include "core/record.hpp"

namespace hockney {

/// One launch of hockney-protocol from binding to record: one pair of each hop class after the
/// other, the other ranks asleep. After every pair the record so far is written, as interrupted.
/// Returns the record on rank 0 and nullopt elsewhere. InputError when there are fewer than two
/// ranks, or no pair is of a wanted class. Collective.
std::optional<Record> run_protocol(MPI_Comm comm, const ProtocolOptions& options);

}  // namespace hockney
