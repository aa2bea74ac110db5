#pragma once

namespace hockney::profile {

/// From now on what was recorded is saved when a signal ends the process, and when it ends without
/// MPI_Finalize. Signals that the program, or MPI, has a handler for are left to it, but for those
/// of crashes, whose handler is called afterwards.
void watch_signals();

}  // namespace hockney::profile
