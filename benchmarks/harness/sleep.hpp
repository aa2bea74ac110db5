#pragma once

#include <chrono>

namespace hockney {

/// Lets the core go for so long; nothing for a time that is not positive. Under a simulator it is
/// simulated time: its mpi.h replaces the call of the system, but only where that is written out.
/// std::this_thread::sleep_for is a copy in every file that uses it, of which the linker keeps any,
/// and that may be one that really sleeps.
void sleep_for(std::chrono::nanoseconds time);

}  // namespace hockney
