#include "benchmarks/kernels/exposed_fields.hpp"

#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks::kernels {

ExposedFields::ExposedFields(const HaloBlock& block) : block_(block), open_(block.open_faces()) {
  mpi_check(MPI_Win_create(block.field(0), static_cast<MPI_Aint>(2 * block.field_bytes), 1,
                           MPI_INFO_NULL, block.comm, window_.out()));
  take_mpi_errors(window_.get());
}

void ExposedFields::put(int field) const {
  const double* const cells = block_.field(field);
  for (const Face* face : open_) {
    MPI_Put(cells, 1, face->inner.get(), face->neighbour, field * face->their_field_bytes, 1,
            face->their_ghosts.get(), window());
  }
}

}  // namespace hockney::benchmarks::kernels
