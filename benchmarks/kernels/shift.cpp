#include "benchmarks/kernels/shift.hpp"

#include <algorithm>

#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// One factor after the other, each waited for.
class BlockingShift final : public Shift {
 public:
  explicit BlockingShift(const FactorBlocks& blocks) : blocks_(blocks) {}

  void begin(int) override {}

  void end(int turn) override {
    for (std::size_t factor = 0; factor < 2; ++factor) {
      MPI_Sendrecv(blocks_.block(turn, factor), blocks_.elements, MPI_DOUBLE, blocks_.to[factor], 0,
                   blocks_.block(1 - turn, factor), blocks_.elements, MPI_DOUBLE,
                   blocks_.from[factor], 0, blocks_.comm, MPI_STATUS_IGNORE);
    }
  }

 private:
  const FactorBlocks& blocks_;
};

/// Both factors at once.
class ImmediateShift final : public Shift {
 public:
  explicit ImmediateShift(const FactorBlocks& blocks) : blocks_(blocks) {}

  void begin(int turn) override {
    for (std::size_t factor = 0; factor < 2; ++factor) {
      const int tag = static_cast<int>(factor);
      MPI_Irecv(blocks_.block(1 - turn, factor), blocks_.elements, MPI_DOUBLE, blocks_.from[factor],
                tag, blocks_.comm, &requests_[2 * factor]);
      MPI_Isend(blocks_.block(turn, factor), blocks_.elements, MPI_DOUBLE, blocks_.to[factor], tag,
                blocks_.comm, &requests_[2 * factor + 1]);
    }
  }

  void end(int) override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  const FactorBlocks& blocks_;
  std::array<MPI_Request, 4> requests_{};
};

/// Both factors into the memory of those who take them; a fence tells all that they are there.
class FenceShift final : public Shift {
 public:
  explicit FenceShift(const FactorBlocks& blocks) : blocks_(blocks) {
    const auto bytes = static_cast<MPI_Aint>(4 * sizeof(double)) * blocks.elements;
    mpi_check(MPI_Win_create(blocks.block(0, 0), bytes, sizeof(double), MPI_INFO_NULL, blocks.comm,
                             window_.out()));
    take_mpi_errors(window_.get());
    mpi_check(MPI_Win_fence(0, window_.get()));
  }
  FenceShift(const FenceShift&) = delete;
  FenceShift& operator=(const FenceShift&) = delete;
  FenceShift(FenceShift&&) = delete;
  FenceShift& operator=(FenceShift&&) = delete;
  ~FenceShift() override { MPI_Win_fence(MPI_MODE_NOSUCCEED, window_.get()); }

  void begin(int turn) override {
    for (std::size_t factor = 0; factor < 2; ++factor) {
      const auto place =
          static_cast<MPI_Aint>(blocks_.block(1 - turn, factor) - blocks_.block(0, 0));
      MPI_Put(blocks_.block(turn, factor), blocks_.elements, MPI_DOUBLE, blocks_.to[factor], place,
              blocks_.elements, MPI_DOUBLE, window_.get());
    }
  }

  void end(int) override { MPI_Win_fence(0, window_.get()); }

 private:
  const FactorBlocks& blocks_;
  UniqueWin window_;
};

template <class OneWay>
std::unique_ptr<Shift> make(const FactorBlocks& blocks) {
  return std::make_unique<OneWay>(blocks);
}

}  // namespace

const std::vector<ShiftWay>& shift_ways() {
  static const std::vector<ShiftWay> ways{
      {"blocking", "MPI_Sendrecv of each factor", Overlap::impossible, make<BlockingShift>},
      {"immediate", "MPI_Irecv and MPI_Isend of both factors, MPI_Waitall", Overlap::possible,
       make<ImmediateShift>},
      {"fence", "MPI_Put of both factors, MPI_Win_fence", Overlap::possible, make<FenceShift>}};
  return ways;
}

const ShiftWay& find_shift_way(const std::string& name) {
  const auto& ways = shift_ways();
  const auto found = std::ranges::find(ways, name, &ShiftWay::name);
  if (found != ways.end()) return *found;
  throw InputError({"unknown way '" + name + "'", "no blocks are passed on like that",
                    suggest(name, strings_of(ways, [](const ShiftWay& way) { return way.name; }))});
}

}  // namespace hockney::benchmarks::kernels
