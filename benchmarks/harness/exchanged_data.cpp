#include "benchmarks/harness/exchanged_data.hpp"

#include "benchmarks/harness/roots.hpp"

namespace hockney {
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
