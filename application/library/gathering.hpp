#pragma once

#include <mpi.h>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "application/library/recorder.hpp"

namespace hockney::profile {

// How rank 0 gets what all ranks have recorded. Every rank of the communicator calls both. What
// they exchange does not depend on what fails on rank 0, so that no rank waits for a message that
// never comes.

/// Gives each part, without its log of events, to `take` on rank 0, in the order of the ranks. They
/// come along a binomial tree, whose inner ranks pass them on in pieces: no rank holds more than
/// one part of another. `take` gets nullopt where there is no memory for a part.
void gather_parts(const Recorder& recorder, MPI_Comm comm,
                  const std::function<void(std::optional<std::string_view>)>& take);

/// Whole parts, of the ranks that log events, into a file that rank 0 writes: one after the other,
/// in pieces, so that it never holds more than one of them. `logging`: those ranks, going up, as
/// rank 0 has them; others send nothing. RunError there when the file cannot be written.
void gather_events(const Recorder& recorder, MPI_Comm comm, const std::vector<int>& logging,
                   const std::string& file);

}  // namespace hockney::profile
