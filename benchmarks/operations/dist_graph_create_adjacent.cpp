#include <array>
#include <optional>
#include <string>

#include "benchmarks/harness/created_communicators.hpp"
#include "benchmarks/harness/environment.hpp"

namespace hockney::benchmarks {
namespace {

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
    std::array<int, 3> counts{};  // of sources and destinations, and whether they have weights
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
