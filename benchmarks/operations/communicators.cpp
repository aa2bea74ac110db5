#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/placement.hpp"

/// Ways to make a communicator: with the same ranks, with some of them, or with a topology.
namespace hockney::benchmarks {
namespace {

/// A duplicate of the same ranks.
struct Dup {
  static constexpr CommWords words{.name = "comm-dup",
                                   .function = "MPI_Comm_dup of the communicator of all ranks"};

  explicit Dup(const Context& context) : parent(context.comm) {}

  [[nodiscard]] int make(MPI_Comm* made) const { return MPI_Comm_dup(parent, made); }
  [[nodiscard]] bool is_right(MPI_Comm made) const {
    int size = 0;
    MPI_Comm_size(parent, &size);
    return has_ranks(made, parent, ranks_in_order(size));
  }

  MPI_Comm parent;
};

/// The same with a nonblocking call.
struct Idup : Dup {
  static constexpr CommWords words{
      .name = "comm-idup",
      .function = "MPI_Comm_idup of the communicator of all ranks, and MPI_Wait"};

  using Dup::Dup;

  [[nodiscard]] int make(MPI_Comm* made) const {
    MPI_Request request = MPI_REQUEST_NULL;
    const int result = MPI_Comm_idup(parent, made, &request);
    return result == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : result;
  }
};

const Registration<CommCreation<Dup>> comm_dup;
const Registration<CommFreeing<Dup>> comm_dup_free;
const Registration<CommCreation<Idup>> comm_idup;

/// Even and odd ranks, each in reverse order, to test colours and keys.
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

/// The ranks that can share memory. The library chooses them: the same ones each time, in order,
/// none on another host.
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
  /// The ranks of its members in the parent.
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

/// A plane of all ranks in their order, as square as possible, periodic in one dimension.
struct Cart {
  static constexpr CommWords words{
      .name = "cart-create",
      .function = "MPI_Cart_create of a plane of all ranks, without reordering"};
  static constexpr int dimensions = 2;
  using Numbers = std::array<int, dimensions>;

  explicit Cart(const Context& context)
      : parent(context.comm), rank(context.rank), size(context.size) {
    MPI_Dims_create(size, dimensions, lengths.data());
  }

  [[nodiscard]] int make(MPI_Comm* made) const {
    return MPI_Cart_create(parent, dimensions, lengths.data(), periods.data(), 0, made);
  }
  [[nodiscard]] bool is_right(MPI_Comm made) const {
    if (!has_ranks(made, parent, ranks_in_order(size))) return false;
    int topology = MPI_CART;
    int found = 0;
    if (!is_simulated()) MPI_Topo_test(made, &topology);  // SMPI lacks this function
    if (topology != MPI_CART || MPI_Cartdim_get(made, &found) != MPI_SUCCESS) return false;
    if (found != dimensions) return false;
    Numbers its_lengths{};
    Numbers its_periods{};
    Numbers place{};
    MPI_Cart_get(made, dimensions, its_lengths.data(), its_periods.data(), place.data());
    return its_lengths == lengths && its_periods[0] != 0 && its_periods[1] == 0 &&
           place == Numbers{rank / lengths[1], rank % lengths[1]};
  }

  MPI_Comm parent;
  int rank;
  int size;
  Numbers lengths{};
  Numbers periods{1, 0};
};

const Registration<CommCreation<Cart>> cart_create;
const Registration<CommFreeing<Cart>> cart_create_free;

/// A ring of all ranks: each receives from the one before it and sends to the next one.
struct Graph {
  static constexpr CommWords words{
      .name = "dist-graph-create-adjacent",
      .function = "MPI_Dist_graph_create_adjacent of a ring of all ranks, without reordering"};

  static std::optional<std::string> obstacle(const Point&) {
    if (is_simulated()) return "SMPI has no graph topologies";
    return std::nullopt;
  }

  explicit Graph(const Context& context)
      : parent(context.comm),
        size(context.size),
        source((context.rank + size - 1) % size),
        destination((context.rank + 1) % size) {}

  [[nodiscard]] int make(MPI_Comm* made) const {
    return MPI_Dist_graph_create_adjacent(parent, 1, &source, MPI_UNWEIGHTED, 1, &destination,
                                          MPI_UNWEIGHTED, MPI_INFO_NULL, 0, made);
  }
  [[nodiscard]] bool is_right(MPI_Comm made) const {
    if (!has_ranks(made, parent, ranks_in_order(size))) return false;
    int topology = MPI_UNDEFINED;
    MPI_Topo_test(made, &topology);
    if (topology != MPI_DIST_GRAPH) return false;
    std::array<int, 3> counts{};  // numbers of sources and destinations, and whether they have
                                  // weights
    MPI_Dist_graph_neighbors_count(made, &counts[0], &counts[1], &counts[2]);
    if (counts[0] != 1 || counts[1] != 1) return false;
    int its_source = MPI_UNDEFINED;
    int its_destination = MPI_UNDEFINED;
    MPI_Dist_graph_neighbors(made, 1, &its_source, MPI_UNWEIGHTED, 1, &its_destination,
                             MPI_UNWEIGHTED);
    return its_source == source && its_destination == destination;
  }

  MPI_Comm parent;
  int size;
  int source;
  int destination;
};

const Registration<CommCreation<Graph>> dist_graph_create_adjacent;
const Registration<CommFreeing<Graph>> dist_graph_create_adjacent_free;

}  // namespace
}  // namespace hockney::benchmarks
