#include <algorithm>
#include <vector>

#include "benchmarks/harness/created_communicators.hpp"

namespace hockney::benchmarks {
namespace {

/// A group of all ranks in reverse order.
struct CreateGroup {
  static constexpr CommWords words{
      .name = "comm-create-group",
      .function = "MPI_Comm_create_group of a group of all ranks in reverse order"};

  explicit CreateGroup(const Context& context)
      : parent(context.comm), ranks(ranks_in_order(context.size)) {
    std::ranges::reverse(ranks);
    UniqueGroup all;
    MPI_Comm_group(parent, all.out());
    MPI_Group_incl(all.get(), context.size, ranks.data(), group.out());
  }

  [[nodiscard]] int make(MPI_Comm* made) const {
    return MPI_Comm_create_group(parent, group.get(), tag, made);
  }
  [[nodiscard]] bool is_right(MPI_Comm made) const { return has_ranks(made, parent, ranks); }

  static constexpr int tag = 5;

  MPI_Comm parent;
  std::vector<int> ranks;
  UniqueGroup group;
};

const Registration<CommCreation<CreateGroup>> comm_create_group;
const Registration<CommFreeing<CreateGroup>> comm_create_group_free;

}  // namespace
}  // namespace hockney::benchmarks
