#pragma once

#include <mpi.h>

#include <source_location>

#include "core/error.hpp"

namespace hockney::benchmarks {

/// An MPI call returned an error: text and class of MPI_Error_string, and the place of the call.
class MpiError : public RunError {
 public:
  MpiError(int code, const std::source_location& where);
};

/// Takes the errors of MPI calls on the predefined communicators and what is made of them, and on
/// files. While a point is under way (point_under_way.hpp) they end the job with exit code 3 and a
/// line: codes of timed calls are not looked at. Otherwise they are returned.
void take_mpi_errors();

/// The same of a window.
void take_mpi_errors(MPI_Win window);

/// Throws MpiError unless `code` is MPI_SUCCESS. Only sees errors that are returned: MpiEnvironment
/// calls take_mpi_errors().
inline void mpi_check(int code,
                      const std::source_location& where = std::source_location::current()) {
  if (code != MPI_SUCCESS) throw MpiError(code, where);
}

}  // namespace hockney::benchmarks
