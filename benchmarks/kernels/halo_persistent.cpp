#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/kernels/halo.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// The same receives and sends described once for each field, and started again and again.
class PersistentHalo final : public Halo {
 public:
  explicit PersistentHalo(const HaloBlock& block) {
    for (int field = 0; field < 2; ++field) describe(block, field);
  }
  PersistentHalo(const PersistentHalo&) = delete;
  PersistentHalo& operator=(const PersistentHalo&) = delete;
  PersistentHalo(PersistentHalo&&) = delete;
  PersistentHalo& operator=(PersistentHalo&&) = delete;
  ~PersistentHalo() override {
    for (std::vector<MPI_Request>& requests : requests_) {
      for (MPI_Request& request : requests) MPI_Request_free(&request);
    }
  }

  void begin(int field) override {
    std::vector<MPI_Request>& requests = of(field);
    MPI_Startall(static_cast<int>(requests.size()), requests.data());
  }

  void end(int field) override {
    std::vector<MPI_Request>& requests = of(field);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

 private:
  std::vector<MPI_Request>& of(int field) { return requests_[static_cast<std::size_t>(field)]; }

  void describe(const HaloBlock& block, int field) {
    double* const cells = block.field(field);
    for (const Face* face : block.open_faces()) {
      mpi_check(MPI_Recv_init(cells, 1, face->ghosts.get(), face->neighbour, 0, block.comm,
                              &of(field).emplace_back(MPI_REQUEST_NULL)));
      mpi_check(MPI_Send_init(cells, 1, face->inner.get(), face->neighbour, 0, block.comm,
                              &of(field).emplace_back(MPI_REQUEST_NULL)));
    }
  }

  std::array<std::vector<MPI_Request>, 2> requests_;
};

}  // namespace

std::unique_ptr<Halo> make_persistent(const HaloBlock& block) {
  return std::make_unique<PersistentHalo>(block);
}

}  // namespace hockney::benchmarks::kernels
