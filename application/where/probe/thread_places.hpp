#pragma once

#include <string>
#include <vector>

#include "application/where/whereabouts.hpp"

namespace hockney::where {

/// Where the calling thread may run, where it is, and where memory goes that it touches first.
/// RunError when the kernel does not tell its affinity.
ThreadPlace place_of_this_thread();

/// The same of every thread of a parallel region, by number; of one thread where this was built
/// without OpenMP.
std::vector<ThreadPlace> places_of_threads();

/// The file that these threads come from, "libgomp.so.1"; empty where there is none.
std::string openmp_runtime();

/// Lets the calling thread run wherever the job may.
void free_this_process();

}  // namespace hockney::where
