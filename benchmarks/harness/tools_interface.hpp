#pragma once

#ifdef HOCKNEY_HAVE_MPI_T

#include <mpi.h>

#include "benchmarks/harness/environment.hpp"

namespace hockney {

/// The tools interface from MPI_T_init_thread to MPI_T_finalize.
class ToolsInterface {
 public:
  ToolsInterface() {
    int provided = 0;
    ready_ = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
  }
  ToolsInterface(const ToolsInterface&) = delete;
  ToolsInterface& operator=(const ToolsInterface&) = delete;
  ToolsInterface(ToolsInterface&&) = delete;
  ToolsInterface& operator=(ToolsInterface&&) = delete;
  /// MPICH 4.0.2 gives its variables up here and crashes when they are asked for once more, so with
  /// MPICH the interface stays open.
  ~ToolsInterface() {
    if (ready_ && !mpi_library().starts_with("MPICH")) MPI_T_finalize();
  }
  [[nodiscard]] bool ready() const { return ready_; }

 private:
  bool ready_ = false;
};

}  // namespace hockney

#endif
