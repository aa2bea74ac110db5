#include <algorithm>
#include <vector>

#include "benchmarks/harness/created_communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/placement.hpp"

namespace hockney::benchmarks {
namespace {

/// The ranks that can share memory. Which these are is the library's to say: the same each time,
/// none of them on another host, in order.
struct SplitType {
  static constexpr CommWords words{
      .name = "comm-split-type",
      .function = "MPI_Comm_split_type of all ranks into those that share memory"};

  explicit SplitType(const Context& context) : parent(context.comm), rank(context.rank) {
    UniqueComm first;
    mpi_check(make(first.out()));
    members = members_of(first.get());
    const std::vector<Site> sites = gather_sites(parent);
    const auto node = [&](int member) { return sites[static_cast<std::size_t>(member)].node; };
    is_possible = std::ranges::is_sorted(members) && std::ranges::all_of(members, [&](int member) {
                    return node(member) == node(rank);
                  });
  }

  [[nodiscard]] int make(MPI_Comm* made) const {
    return MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, made);
  }
  [[nodiscard]] bool is_right(MPI_Comm made) const {
    return is_possible && has_ranks(made, parent, members);
  }

 private:
  /// Their ranks in the parent.
  [[nodiscard]] std::vector<int> members_of(MPI_Comm made) const {
    UniqueGroup own;
    UniqueGroup all;
    MPI_Comm_group(made, own.out());
    MPI_Comm_group(parent, all.out());
    const std::vector<int> ranks = ranks_in_order(size_of(made));
    std::vector<int> found(ranks.size(), MPI_UNDEFINED);
    MPI_Group_translate_ranks(own.get(), size_of(made), ranks.data(), all.get(), found.data());
    return found;
  }

  MPI_Comm parent;
  int rank;
  std::vector<int> members;  ///< as ranks of the parent
  bool is_possible = false;
};

const Registration<CommCreation<SplitType>> comm_split_type;
const Registration<CommFreeing<SplitType>> comm_split_type_free;

}  // namespace
}  // namespace hockney::benchmarks
