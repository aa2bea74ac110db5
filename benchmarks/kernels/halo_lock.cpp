#include "benchmarks/kernels/exposed_fields.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// Puts that nobody answers. The window is locked once; what was flushed has arrived, and an empty
/// message tells the neighbour so. Such a message also says that its sender is through with the
/// field before, whose ghosts the next puts overwrite.
class LockHalo final : public Halo {
 public:
  explicit LockHalo(const HaloBlock& block)
      : comm_(block.comm),
        fields_(block),
        requests_(2 * fields_.open_faces().size(), MPI_REQUEST_NULL) {
    MPI_Win_lock_all(MPI_MODE_NOCHECK, fields_.window());
  }
  LockHalo(const LockHalo&) = delete;
  LockHalo& operator=(const LockHalo&) = delete;
  LockHalo(LockHalo&&) = delete;
  LockHalo& operator=(LockHalo&&) = delete;
  ~LockHalo() override { MPI_Win_unlock_all(fields_.window()); }

  void begin(int field) override { fields_.put(field); }

  void end(int) override {
    MPI_Win_flush_all(fields_.window());
    std::size_t next = 0;
    for (const Face* face : fields_.open_faces()) {
      MPI_Irecv(nullptr, 0, MPI_BYTE, face->neighbour, 0, comm_, &requests_[next++]);
      MPI_Isend(nullptr, 0, MPI_BYTE, face->neighbour, 0, comm_, &requests_[next++]);
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    MPI_Win_sync(fields_.window());
  }

 private:
  MPI_Comm comm_;
  ExposedFields fields_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Halo> make_lock(const HaloBlock& block) {
  return std::make_unique<LockHalo>(block);
}

}  // namespace hockney::benchmarks::kernels
