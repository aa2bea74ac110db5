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

/// Throws MpiError unless `code` is MPI_SUCCESS. Only sees errors where MPI_ERRORS_RETURN is set,
/// which MpiEnvironment does for the predefined communicators and every duplicate inherits.
inline void mpi_check(int code,
                      const std::source_location& where = std::source_location::current()) {
  if (code != MPI_SUCCESS) throw MpiError(code, where);
}

}  // namespace hockney::benchmarks
