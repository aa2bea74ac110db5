#include <vector>

#include "benchmarks/harness/created_communicators.hpp"

namespace hockney::benchmarks {
namespace {

/// Even and odd ranks, each in reverse order, so that colours and keys count.
struct Split {
  static constexpr CommWords words{
      .name = "comm-split",
      .function = "MPI_Comm_split of all ranks into even and odd ones, in reverse order"};

  explicit Split(const Context& context)
      : parent(context.comm), color(context.rank % 2), key(-context.rank) {
    for (int rank = context.size - 1; rank >= 0; --rank) {
      if (rank % 2 == color) ranks.push_back(rank);
    }
  }

  [[nodiscard]] int make(MPI_Comm* made) const { return MPI_Comm_split(parent, color, key, made); }
  [[nodiscard]] bool is_right(MPI_Comm made) const { return has_ranks(made, parent, ranks); }

  MPI_Comm parent;
  int color;
  int key;
  std::vector<int> ranks;
};

const Registration<CommCreation<Split>> comm_split;
const Registration<CommFreeing<Split>> comm_split_free;

}  // namespace
}  // namespace hockney::benchmarks
