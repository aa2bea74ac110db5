#include "benchmarks/harness/exchanged_data.hpp"

#include <algorithm>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/rooted_data.hpp"

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

namespace {

/// So many blocks of the same length.
Division alike(int count, int ranks) {
  return divide(static_cast<std::int64_t>(count) * ranks, ranks);
}

}  // namespace

AllgatherData::AllgatherData(const Context& context, const Point& point)
    : rank_(context.rank),
      in_place_(is_in_place(point)),
      type_(message_of(point).type->handle),
      send_(own_block(context, point)),
      receive_(all_blocks(context, point)) {}

void AllgatherData::refill(std::uint64_t seed) {
  send_.fill(seed);
  receive_.spoil(seed);
  if (in_place_) receive_.fill_block(static_cast<std::size_t>(rank_), seed);
}

AlltoallData::AlltoallData(const Context& context, const Point& point)
    : in_place_(is_in_place(point)),
      type_(message_of(point).type->handle),
      send_(context, *message_of(point).type, blocks_of(point, context.size),
            identities(context.size, context.rank * context.size),
            blocks_of(point, context.size).total()),
      receive_(context, *message_of(point).type,
               alike(blocks_of(point, context.size).counts[static_cast<std::size_t>(context.rank)],
                     context.size),
               identities(context.size, context.rank, context.size),
               alike(blocks_of(point, context.size).largest(), context.size).total()) {}

void AlltoallData::refill(std::uint64_t seed) {
  send_.fill(seed);
  receive_.spoil(seed);
  ready();
}

}  // namespace hockney
