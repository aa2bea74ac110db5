#include "benchmarks/harness/exposed_memory.hpp"

#include <algorithm>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks {

ExposedMemory::ExposedMemory(MPI_Comm comm, WindowKind kind, std::size_t bytes)
    : comm_(comm),
      kind_(kind),
      bytes_(std::max<std::size_t>(1, bytes)),
      begins_(static_cast<std::size_t>(size_of(comm)), 0) {
  if (kind == WindowKind::created || kind == WindowKind::dynamic) {
    own_ = map_memory(bytes_, Pages::touched_now);
    memory_ = own_.get();
  }
  make_window();
  take_mpi_errors(window());
}

void ExposedMemory::make_window() {
  const auto size = static_cast<MPI_Aint>(bytes_);
  switch (kind_) {
    case WindowKind::created:
      return mpi_check(MPI_Win_create(memory_, size, 1, MPI_INFO_NULL, comm_, window_.out()));
    case WindowKind::allocated:
      return mpi_check(MPI_Win_allocate(size, 1, MPI_INFO_NULL, comm_, &memory_, window_.out()));
    case WindowKind::shared:
      return mpi_check(
          MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, comm_, &memory_, window_.out()));
    case WindowKind::dynamic:
      return attach();
  }
}

/// Memory in a dynamic window is called by its address, which its owner must tell.
void ExposedMemory::attach() {
  mpi_check(MPI_Win_create_dynamic(MPI_INFO_NULL, comm_, window_.out()));
  mpi_check(MPI_Win_attach(window(), memory_, static_cast<MPI_Aint>(bytes_)));
  MPI_Aint begin = 0;
  mpi_check(MPI_Get_address(memory_, &begin));
  mpi_check(MPI_Allgather(&begin, 1, MPI_AINT, begins_.data(), 1, MPI_AINT, comm_));
}

ExposedMemory::~ExposedMemory() {
  if (kind_ != WindowKind::dynamic) return;  // freeing a window waits for everybody by itself
  MPI_Barrier(comm_);
  MPI_Win_detach(window(), memory_);
}

}  // namespace hockney::benchmarks
