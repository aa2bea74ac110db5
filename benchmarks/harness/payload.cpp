#include "benchmarks/harness/payload.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <utility>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney::benchmarks {
namespace {

double weight(Distribution distribution, int rank, int ranks) {
  constexpr int heavy = 3;  // ratio of the last rank's share to that of all others
  switch (distribution) {
    case Distribution::linear:
      return rank + 1;
    case Distribution::one_heavy:
      return rank + 1 == ranks ? std::max(1, heavy * rank) : 1;
    case Distribution::zipf:
      return 1.0 / (rank + 1);
    case Distribution::zeros:
      return rank % 2 == 0 ? 1 : 0;
    case Distribution::equal:
      break;
  }
  return 1;
}

/// first, first + step, ...: `count` numbers.
std::vector<int> owners_from(int count, int first = 0, int step = 1) {
  std::vector<int> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all.push_back(first + i * step);
  return all;
}

/// One operation that counts the blocks of all ranks. The busiest rank passes `busiest_elements`.
Volume blocks_volume(const Point& point, double busiest_elements) {
  return {.operations = 1,
          .bytes = point.bytes * point.ranks,
          .bus_bytes = busiest_elements * static_cast<double>(message_of(point).type->size)};
}

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

constexpr int dimensions = 2;
using Extents = std::array<int, dimensions>;

Extents extents_of(int ranks) {
  Extents extents{};
  mpi_check(MPI_Dims_create(ranks, dimensions, extents.data()));
  return extents;
}

/// A block for each neighbour; `owner` computes its owner from the neighbour's rank and place.
template <class Owner>
Payload<> neighbour_blocks(const Context& context, const Point& point, const Neighbours& neighbours,
                           Owner owner) {
  const MessageShape message = message_of(point);
  std::vector<int> owners;
  for (int place = 0; place < Neighbours::most; ++place) {
    const int rank = neighbours.ranks()[static_cast<std::size_t>(place)];
    owners.push_back(rank == MPI_PROC_NULL ? no_rank : owner(rank, place));
  }
  const Division blocks = divide(std::int64_t{message.count} * Neighbours::most, Neighbours::most);
  return {context, *message.type, {blocks, std::move(owners), blocks.total()}};
}

/// Owner of the block for the neighbour at a place, if each neighbour gets a different one.
int owner_at(int rank, int place) { return rank * Neighbours::most + place; }
/// A rank's place from the view of its neighbour at a place.
int opposite(int place) { return place ^ 1; }

Payload<> sent_blocks(const Context& context, const Point& point, const Neighbours& neighbours) {
  return neighbour_blocks(context, point, neighbours,
                          [&](int, int place) { return owner_at(context.rank, place); });
}

}  // namespace

int Division::largest() const { return counts.empty() ? 0 : std::ranges::max(counts); }
int Division::smallest() const { return counts.empty() ? 0 : std::ranges::min(counts); }

Division divide(std::int64_t total, int ranks, Distribution distribution) {
  std::vector<double> sums;  // of the weights up to each rank
  sums.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    sums.push_back((sums.empty() ? 0 : sums.back()) + weight(distribution, rank, ranks));
  }
  Division division;
  std::int64_t before = 0;
  for (const double sum : sums) {
    const bool is_all = sum >= sums.back();
    const double up_to_it = static_cast<double>(total) * sum / sums.back();
    const std::int64_t end = is_all ? total : static_cast<std::int64_t>(up_to_it);
    division.displacements.push_back(static_cast<int>(before));
    division.counts.push_back(static_cast<int>(end - before));
    before = end;
  }
  return division;
}

void Pattern::fill(std::span<std::byte> data, std::uint64_t seed, int owner) const {
  fill_pattern(data, pattern_seed(seed, owner));
}

void Pattern::poison(std::span<std::byte> data, std::uint64_t seed, int owner) const {
  fill_wrong_pattern(data, pattern_seed(seed, owner));
}

bool Pattern::holds(std::span<const std::byte> data, std::uint64_t seed, int owner) const {
  return holds_message(data, *type, pattern_seed(seed, owner));
}

Division blocks_of(const Point& point, int ranks) {
  const std::int64_t mean = message_of(point).count;
  return divide(mean * ranks, ranks, point.parameters[counts_parameter]);
}

Payload<> own_block(const Context& context, const Point& point) {
  const Division blocks = blocks_of(point, context.size);
  const int count = blocks.counts[static_cast<std::size_t>(context.rank)];
  return {context, *message_of(point).type, {divide(count, 1), {context.rank}, blocks.largest()}};
}

Payload<> all_blocks(const Context& context, const Point& point) {
  const Division blocks = blocks_of(point, context.size);
  return {context, *message_of(point).type, {blocks, owners_from(context.size), blocks.total()}};
}

Volume message_volume(const Point& point, double bus_share) {
  return {.operations = 1,
          .bytes = point.bytes,
          .bus_bytes = bus_share * static_cast<double>(point.bytes.value)};
}

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

AlltoallData::AlltoallData(const Context& context, const Point& point)
    : CollectiveData{context, point, sent_blocks(context, point), received_blocks(context, point)} {
}

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

std::string parameter_text(const Root& root) {
  if (root.choice == Root::Choice::number) return std::to_string(root.rank);
  return root.choice == Root::Choice::first ? "first" : "rotating";
}

Root parse_root(const std::string& name) {
  if (name == "first") return {};
  if (name == "rotating") return {.choice = Root::Choice::rotating};
  if (!name.empty() && name.find_first_not_of("0123456789") == std::string::npos) {
    return {.choice = Root::Choice::number, .rank = parse_count<int>("--root", name, 0)};
  }
  throw InputError({fmt::format("bad value '{}' for --root", name), "it is no rank",
                    "use first, rotating or the number of a rank"});
}

Volume GatherData::volume(const Point& point) {
  const Division blocks = blocks_of(point, point.ranks);
  const double total = blocks.total();
  const auto root = static_cast<std::size_t>(std::min(root_of(point), point.ranks - 1));
  return blocks_volume(point,
                       total - (root_rotates(point) ? total / point.ranks : blocks.counts[root]));
}

void GatherData::refill(std::uint64_t seed) {
  roots_.may_be() ? AllgatherData::refill(seed) : send_.fill(seed);
}

ScatterData::ScatterData(const Context& context, const Point& point)
    : CollectiveData{context, point, all_blocks(context, point), own_block(context, point)},
      roots_(context, point) {}

void ScatterData::refill(std::uint64_t seed) {
  receive_.poison(seed);
  if (roots_.may_be()) send_.fill(seed);
}

}  // namespace hockney::benchmarks
