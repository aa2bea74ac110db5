#pragma once

#include <optional>
#include <string>

#include "core/error.hpp"

namespace hockney::benchmarks::programs {

/// Lets the other ranks say nothing on stdout and stderr. After std::cout has its buffer, since
/// std::ios::rdbuf() clears the state of a stream.
void silence_others(bool speaks);

/// What is wrong when a launcher started several ranks and MPI made a job of its own of each: the
/// launcher is not that of the library, of which `library` is the version text. `ranks` are those
/// of MPI_COMM_WORLD. nullopt where they are more than one, or one is what was started; by the
/// variables of the library's own launcher, if there are any, or else of others. What only tells of
/// an allocation (SLURM_NTASKS) counts for nothing: one rank in the shell of salloc is fine.
std::optional<Message> foreign_launcher(int ranks, const std::string& library);

}  // namespace hockney::benchmarks::programs
