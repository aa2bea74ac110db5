#pragma once

#include <mpi.h>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/programs/protocol/pair_link.hpp"
#include "core/provenance.hpp"

namespace hockney::benchmarks::programs {

/// What connections cost: reads the memory of every process before any message of this job
/// ("after-init"), then rank 0 exchanges an empty message with one rank after the other, and both
/// read theirs ("after-peer"). To be called first of all. Each rank gets its own readings, without
/// its number. Collective.
std::vector<MemoryUse> contact_peers(MPI_Comm comm);

/// What LogGP (Alexandrov and others 1995) and PLogP (Kielmann and others 2000) are made of.
enum class Overhead {
  send,       ///< o_s: of MPI_Send, to a receiver that is late
  receive,    ///< o_r: of MPI_Recv, of a message that has arrived
  gap,        ///< g: between messages of a train, where they arrive
  round_trip  ///< half of one, from which L follows
};

/// Every one, in the order of the enumeration.
std::vector<Overhead> all_overheads();

/// The operation of its series: "send-overhead", "receive-overhead", "gap", "half-round-trip". None
/// has the name of an operation of the catalogue, whose times are taken otherwise and not to be
/// pooled.
std::string overhead_name(Overhead overhead);

/// Messages timed together in one sample.
std::int64_t overhead_batch(Overhead overhead);

/// Takes one sample [s], of one message each: on the sender, or on the receiver for what happens
/// there. The messages must be small enough to be handed over. Collective over the pair; the same
/// answer on both ranks.
double time_overhead(PairLink& link, MessageData& data, Overhead overhead, std::int64_t bytes);

}  // namespace hockney::benchmarks::programs
