#include "benchmarks/kernels/halo.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// All receives and sends at once, then all of them waited for.
class ImmediateHalo final : public Halo {
 public:
  explicit ImmediateHalo(const HaloBlock& block)
      : block_(block), open_(block.open_faces()), requests_(2 * open_.size(), MPI_REQUEST_NULL) {}

  void begin(int field) override {
    double* const cells = block_.field(field);
    std::size_t next = 0;
    for (const Face* face : open_) {
      MPI_Irecv(cells, 1, face->ghosts.get(), face->neighbour, 0, block_.comm, &requests_[next++]);
    }
    for (const Face* face : open_) {
      MPI_Isend(cells, 1, face->inner.get(), face->neighbour, 0, block_.comm, &requests_[next++]);
    }
  }

  void end(int) override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  const HaloBlock& block_;
  std::vector<const Face*> open_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Halo> make_immediate(const HaloBlock& block) {
  return std::make_unique<ImmediateHalo>(block);
}

}  // namespace hockney::benchmarks::kernels
