#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/kernels/halo.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// One collective call with the neighbours of a Cartesian communicator, whose order is that of the
/// faces.
class NeighbourhoodHalo final : public Halo {
 public:
  explicit NeighbourhoodHalo(const HaloBlock& block)
      : block_(block), places_(block.faces.size(), 0) {
    const Grid& processes = block.processes;
    const int* const extents = processes.extents.data() + processes.first();
    const Triple open_edges{};
    mpi_check(MPI_Cart_create(block.comm, processes.dimensions, extents, open_edges.data(), 0,
                              comm_.out()));
    for (const Face& face : block.faces) {
      const bool is_open = face.has_neighbour();
      counts_.push_back(is_open ? 1 : 0);
      inner_.push_back(is_open ? face.inner.get() : MPI_DOUBLE);
      ghosts_.push_back(is_open ? face.ghosts.get() : MPI_DOUBLE);
    }
  }

  void begin(int field) override {
    double* const cells = block_.field(field);
    MPI_Ineighbor_alltoallw(cells, counts_.data(), places_.data(), inner_.data(), cells,
                            counts_.data(), places_.data(), ghosts_.data(), comm_.get(), &request_);
  }

  void end(int) override { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

 private:
  const HaloBlock& block_;
  UniqueComm comm_;
  std::vector<MPI_Aint> places_;  ///< [B]
  std::vector<int> counts_;
  std::vector<MPI_Datatype> inner_;
  std::vector<MPI_Datatype> ghosts_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace

std::unique_ptr<Halo> make_neighbourhood(const HaloBlock& block) {
  return std::make_unique<NeighbourhoodHalo>(block);
}

}  // namespace hockney::benchmarks::kernels
