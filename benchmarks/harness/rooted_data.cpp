#include "benchmarks/harness/rooted_data.hpp"

namespace hockney {

GatherData::GatherData(const Context& context, const Point& point)
    : roots_(context, point),
      rank_(context.rank),
      in_place_(is_in_place(point)),
      type_(message_of(point).type->handle),
      send_(own_block(context, point)),
      receive_(all_blocks(context, point)) {}

void GatherData::refill(std::uint64_t seed) {
  send_.fill(seed);
  if (!roots_.may_be(rank_)) return;
  receive_.spoil(seed);
  if (in_place_) receive_.fill_block(static_cast<std::size_t>(rank_), seed);
}

bool GatherData::verify(std::uint64_t seed) const {
  return roots_.last() != rank_ || receive_.holds(seed);
}

ScatterData::ScatterData(const Context& context, const Point& point)
    : roots_(context, point),
      rank_(context.rank),
      in_place_(is_in_place(point)),
      type_(message_of(point).type->handle),
      send_(all_blocks(context, point)),
      receive_(own_block(context, point)) {}

void ScatterData::refill(std::uint64_t seed) {
  receive_.spoil(seed);
  if (roots_.may_be(rank_)) send_.fill(seed);
}

bool ScatterData::verify(std::uint64_t seed) const {
  return (in_place_ && roots_.last() == rank_) || receive_.holds(seed);
}

}  // namespace hockney
