#include "benchmarks/kernels/exposed_fields.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// A fence ends the puts of all ranks and opens the window for the next ones.
class FenceHalo final : public Halo {
 public:
  explicit FenceHalo(const HaloBlock& block) : fields_(block) {
    MPI_Win_fence(0, fields_.window());
  }
  FenceHalo(const FenceHalo&) = delete;
  FenceHalo& operator=(const FenceHalo&) = delete;
  FenceHalo(FenceHalo&&) = delete;
  FenceHalo& operator=(FenceHalo&&) = delete;
  ~FenceHalo() override { MPI_Win_fence(MPI_MODE_NOSUCCEED, fields_.window()); }

  void begin(int field) override { fields_.put(field); }
  void end(int) override { MPI_Win_fence(0, fields_.window()); }

 private:
  ExposedFields fields_;
};

}  // namespace

std::unique_ptr<Halo> make_fence(const HaloBlock& block) {
  return std::make_unique<FenceHalo>(block);
}

}  // namespace hockney::benchmarks::kernels
