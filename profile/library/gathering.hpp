#pragma once

#include <mpi.h>
#include <string>
#include <vector>

#include "profile/library/recorder.hpp"

namespace hockney::profile {

// How rank 0 gets what all ranks have recorded. Every rank of the communicator calls both.

/// The parts of all ranks without their logs of events, one behind the other, along a binomial
/// tree. Empty on other ranks than 0.
std::string gather_parts(const Recorder& recorder, MPI_Comm comm);

/// Whole parts, of the ranks that log events, into a file that rank 0 writes: one after the other,
/// in pieces, so that it never holds more than one of them. `logging`: those ranks, going up; it
/// counts on rank 0 alone. RunError there when the file cannot be written.
void gather_events(const Recorder& recorder, MPI_Comm comm, const std::vector<int>& logging,
                   const std::string& file);

}  // namespace hockney::profile
