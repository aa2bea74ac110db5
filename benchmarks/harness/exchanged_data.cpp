#include "benchmarks/harness/exchanged_data.hpp"

#include <algorithm>
#include <utility>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks {

Volume AllgatherData::volume(const Point& point) {
  const Division blocks = blocks_of(point, point.ranks);
  return blocks_volume(point, blocks.total() - blocks.smallest());
}

AllgatherData::AllgatherData(const Context& context, const Point& point)
    : CollectiveData{context, point, own_block(context, point), all_blocks(context, point)} {}

void AllgatherData::refill(std::uint64_t seed) {
  CollectiveData::refill(seed);
  if (in_place_) receive_.fill_block(static_cast<std::size_t>(rank_), seed);
}

Volume AlltoallData::volume(const Point& point) {
  const Division blocks = blocks_of(point, point.ranks);
  const double sent = blocks.total() - blocks.smallest();
  const double received = static_cast<double>(point.ranks - 1) * blocks.largest();
  return blocks_volume(point, std::max(sent, received));
}

namespace {

/// A block for every rank.
Payload<> sent_blocks(const Context& context, const Point& point) {
  const Division blocks = blocks_of(point, context.size);
  return {context,
          *message_of(point).type,
          {blocks, owners_from(context.size, context.rank * context.size), blocks.total()}};
}

/// A block from every rank, all of one length, with room for the largest that any rank receives.
Payload<> received_blocks(const Context& context, const Point& point) {
  const Division blocks = blocks_of(point, context.size);
  const auto alike = [&](std::int64_t count) { return divide(count * context.size, context.size); };
  return {context,
          *message_of(point).type,
          {alike(blocks.counts[static_cast<std::size_t>(context.rank)]),
           owners_from(context.size, context.rank, context.size), alike(blocks.largest()).total()}};
}

}  // namespace

AlltoallData::AlltoallData(const Context& context, const Point& point)
    : CollectiveData{context, point, sent_blocks(context, point), received_blocks(context, point)} {
}

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

std::optional<std::string> neighbour_obstacle() {
  if (!is_simulated()) return std::nullopt;
  return "SMPI has no neighbourhood collectives";
}

Volume NeighbourData::volume(const Point& point) {
  int most = 0;
  for (const int extent : extents_of(point.ranks)) most += std::min(2, extent - 1);
  const Bytes bytes = point.bytes * most;
  return {.operations = 1, .bytes = bytes, .bus_bytes = static_cast<double>(bytes.value)};
}

namespace {

/// A block for each neighbour, whose owner `owner` tells for its rank and its place.
template <class Owner>
Payload<> neighbour_blocks(const Context& context, const Point& point, const Neighbours& neighbours,
                           Owner owner) {
  const MessageShape message = message_of(point);
  std::vector<int> owners;
  for (int place = 0; place < Neighbours::most; ++place) {
    const int rank = neighbours.ranks()[static_cast<std::size_t>(place)];
    owners.push_back(rank == MPI_PROC_NULL ? nobody : owner(rank, place));
  }
  const Division blocks = divide(std::int64_t{message.count} * Neighbours::most, Neighbours::most);
  return {context, *message.type, {blocks, std::move(owners), blocks.total()}};
}

/// Of the block that a rank sends to the neighbour of a place, where it is another one for each.
int owner_at(int rank, int place) { return rank * Neighbours::most + place; }
/// Where a rank is to its neighbour of a place.
int opposite(int place) { return place ^ 1; }

Payload<> sent_blocks(const Context& context, const Point& point, const Neighbours& neighbours) {
  return neighbour_blocks(context, point, neighbours,
                          [&](int, int place) { return owner_at(context.rank, place); });
}

}  // namespace

NeighbourData::NeighbourData(const Context& context, const Point& point, Sends sends,
                             Neighbours neighbours)
    : CollectiveData{context, point,
                     sends == Sends::same ? own_block(context, point)
                                          : sent_blocks(context, point, neighbours),
                     neighbour_blocks(context, point, neighbours,
                                      [&](int rank, int place) {
                                        return sends == Sends::same
                                                   ? rank
                                                   : owner_at(rank, opposite(place));
                                      })},
      neighbours_(std::move(neighbours)),
      count_(message_of(point).count) {
  types_.fill(type());
  for (std::size_t place = 0; place < offsets_.size(); ++place) {
    offsets_[place] =
        displacements()[place] * static_cast<MPI_Aint>(message_of(point).type->extent);
  }
}

}  // namespace hockney::benchmarks
