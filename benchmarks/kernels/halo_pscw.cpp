#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/kernels/exposed_fields.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// Post, start, complete and wait: every rank opens its window to its neighbours alone.
class PscwHalo final : public Halo {
 public:
  explicit PscwHalo(const HaloBlock& block) : fields_(block) {
    std::vector<int> ranks;
    for (const Face* face : fields_.open_faces()) ranks.push_back(face->neighbour);
    if (ranks.empty()) return;
    UniqueGroup all;
    mpi_check(MPI_Comm_group(block.comm, all.out()));
    mpi_check(
        MPI_Group_incl(all.get(), static_cast<int>(ranks.size()), ranks.data(), neighbours_.out()));
  }

  void begin(int field) override {
    if (!neighbours_) return;
    MPI_Win_post(neighbours_.get(), 0, fields_.window());
    MPI_Win_start(neighbours_.get(), 0, fields_.window());
    fields_.put(field);
  }

  void end(int) override {
    if (!neighbours_) return;
    MPI_Win_complete(fields_.window());
    MPI_Win_wait(fields_.window());
  }

 private:
  ExposedFields fields_;
  UniqueGroup neighbours_;
};

}  // namespace

std::unique_ptr<Halo> make_pscw(const HaloBlock& block) {
  return std::make_unique<PscwHalo>(block);
}

}  // namespace hockney::benchmarks::kernels
