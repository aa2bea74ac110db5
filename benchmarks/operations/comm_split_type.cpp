#include <algorithm>
#include <vector>

#include "benchmarks/harness/created_communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/placement.hpp"

namespace hockney::benchmarks {
namespace {

/// The ranks that can share memory. Which these are is the library's to say; none may be on another
/// host, they are in order, and this rank is among them.
struct SplitType {
  static constexpr CommWords words{
      .name = "comm-split-type",
      .function = "MPI_Comm_split_type of all ranks into those that share memory"};

  explicit SplitType(const Context& context)
      : parent(context.comm), rank(context.rank), sites(gather_sites(context.comm)) {}

  [[nodiscard]] int make(MPI_Comm* made) const {
    return MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, made);
  }
  [[nodiscard]] bool is_right(MPI_Comm made) const {
    if (made == MPI_COMM_NULL) return false;
    std::vector<int> members = members_of(made);
    if (std::ranges::any_of(members, [&](int member) { return node(member) != node(rank); })) {
      return false;
    }
    std::ranges::sort(members);
    return has_ranks(made, parent, members);
  }

 private:
  [[nodiscard]] int node(int member) const {
    return member < 0 ? -1 : sites[static_cast<std::size_t>(member)].node;
  }

  /// Their ranks in the parent.
  [[nodiscard]] std::vector<int> members_of(MPI_Comm made) const {
    UniqueGroup own;
    UniqueGroup all;
    MPI_Comm_group(made, own.out());
    MPI_Comm_group(parent, all.out());
    const std::vector<int> ranks = ranks_in_order(size_of(made));
    std::vector<int> members(ranks.size(), MPI_UNDEFINED);
    MPI_Group_translate_ranks(own.get(), size_of(made), ranks.data(), all.get(), members.data());
    return members;
  }

  MPI_Comm parent;
  int rank;
  std::vector<Site> sites;
};

const Registration<CommCreation<SplitType>> comm_split_type;
const Registration<CommFreeing<SplitType>> comm_split_type_free;

}  // namespace
}  // namespace hockney::benchmarks
