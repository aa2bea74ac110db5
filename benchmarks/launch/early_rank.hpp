#pragma once

namespace hockney {

/// Launchers start every rank with the same command line; only the first one answers it. Known
/// before MPI_Init, by what launchers put into the environment; true outside of all of them.
bool speaks_before_mpi();

/// Lets the other ranks say nothing on stdout and stderr.
void silence_others(bool speaks);

}  // namespace hockney
