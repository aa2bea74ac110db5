#include "benchmarks/harness/neighbours.hpp"

#include <algorithm>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney {
namespace {

constexpr int dimensions = 2;
using Extents = std::array<int, dimensions>;

Extents extents_of(int ranks) {
  Extents extents{};
  mpi_check(MPI_Dims_create(ranks, dimensions, extents.data()));
  return extents;
}

}  // namespace

Neighbours::Neighbours(const Context& context) {
  const Extents extents = extents_of(context.size);
  const Extents open_edges{};
  mpi_check(MPI_Cart_create(context.comm, dimensions, extents.data(), open_edges.data(), 0,
                            plane_.out()));
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    const auto before = 2 * static_cast<std::size_t>(dimension);
    mpi_check(MPI_Cart_shift(comm(), dimension, 1, &ranks_[before], &ranks_[before + 1]));
  }
}

int most_neighbours(int ranks) {
  int most = 0;
  for (const int extent : extents_of(ranks)) most += std::min(2, extent - 1);
  return most;
}

Account neighbour_account(const Point& point) {
  const Bytes bytes = point.bytes * most_neighbours(point.ranks);
  return {.operations = 1, .bytes = bytes, .bus_bytes = static_cast<double>(bytes.value)};
}

std::optional<std::string> neighbour_obstacle() {
  if (!is_simulated()) return std::nullopt;
  return "SMPI has no neighbourhood collectives";
}

}  // namespace hockney
