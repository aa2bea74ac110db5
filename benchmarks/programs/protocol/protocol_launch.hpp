#pragma once

#include <mpi.h>
#include <optional>
#include <string>

#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/protocol/pair_protocol.hpp"
#include "benchmarks/programs/protocol/protocol_options.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

/// What one rank found, as a text for all: a protocol and times of the pair's first rank only.
std::string to_text(const std::optional<Protocol>& protocol, const std::vector<MemoryUse>& memory,
                    const std::vector<TimedOverhead>& times);

/// Puts what was found into the record: the times as points with series.
void add_findings(const std::string& text, Record& record);

/// How long a launch, and the examination of each pair, may take; nullopt: without end.
std::optional<Seconds> protocol_limit(const LaunchOptions& options);

/// One launch of hockney-protocol from binding to record: one pair of each hop class after the
/// other, the other ranks asleep. After every pair the record so far is written, as interrupted.
/// Returns the record on rank 0 and nullopt elsewhere. InputError when there are fewer than two
/// ranks, or no pair is of a wanted class. Collective.
std::optional<Record> run_protocol(MPI_Comm comm, const ProtocolOptions& options);

/// hockney-protocol.
NamedProgram protocol_program();

}  // namespace hockney::benchmarks::programs
