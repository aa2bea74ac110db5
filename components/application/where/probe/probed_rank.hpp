#pragma once

#include <span>
#include <string>
#include <vector>

#include "components/application/where/rank_bindings.hpp"

namespace hockney::where {

/// Allowed CPUs of the calling thread, its current CPU, and the NUMA node of a newly touched page.
/// RunError if the affinity cannot be read.
ThreadPlace place_of_this_thread();

/// The same for every thread of an OpenMP parallel region, by number; for one thread if this was
/// built without OpenMP.
std::vector<ThreadPlace> places_of_threads();

/// File name of the OpenMP runtime, "libgomp.so.1"; empty without one.
std::string openmp_runtime();

/// Variable with the CPUs that a rank might use at its start and after each wrapper: "0-1;0".
inline constexpr const char* started_variable = "HOCKNEY_WHERE_STARTED_ON";

/// This rank without its threads: number, host, OpenMP variables, limits of CPU time, and the CPUs
/// at its start. `program`: the index of its program. RunError if no launcher has started it.
RankPlace begin_part(int program);

/// Writes the part of this rank to a folder. The first rank of a node also writes the node's part,
/// and loses its own binding.
void leave_parts(const RankPlace& place, const std::string& folder);

/// Runs a step of the probe and returns its exit code; prints an error as one line on stderr.
int exit_code_of(int (&step)(std::span<char*>), std::span<char*> arguments);

}  // namespace hockney::where
