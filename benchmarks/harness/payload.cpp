#include "benchmarks/harness/payload.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "benchmarks/harness/buffers.hpp"

namespace hockney::benchmarks {
namespace {

double weight(Distribution distribution, int rank, int ranks) {
  constexpr int heavy = 3;  // times what all others have together
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

void Pattern::spoil(std::span<std::byte> data, std::uint64_t seed, int owner) const {
  fill_wrong_pattern(data, pattern_seed(seed, owner));
}

bool Pattern::holds(std::span<const std::byte> data, std::uint64_t seed, int owner) const {
  return holds_message(data, *type, pattern_seed(seed, owner));
}

Division blocks_of(const Point& point, int ranks) {
  const std::int64_t mean = message_of(point).count;
  return divide(mean * ranks, ranks, point.parameters[counts_parameter]);
}

std::vector<int> owners_from(int count, int first, int step) {
  std::vector<int> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all.push_back(first + i * step);
  return all;
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

Volume blocks_volume(const Point& point, double busiest_elements) {
  return {.operations = 1,
          .bytes = point.bytes * point.ranks,
          .bus_bytes = busiest_elements * static_cast<double>(message_of(point).type->size)};
}

}  // namespace hockney::benchmarks
