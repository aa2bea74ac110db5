#include "benchmarks/harness/remote_links.hpp"

#include <algorithm>
#include <set>

#include "benchmarks/harness/buffers.hpp"

namespace hockney::benchmarks {

std::vector<int> Links::targets() const {
  std::set<int> ranks;
  for (const RemoteSlot& call : calls) ranks.insert(call.rank);
  return {ranks.begin(), ranks.end()};
}

std::vector<int> Links::sources() const {
  const std::set<int> ranks(origins.begin(), origins.end());
  return {ranks.begin(), ranks.end()};
}

Links OneToAll::links(int rank, int ranks) {
  Links made{.own = rank, .slots = ranks - 1, .calls = {}, .origins = {}};
  if (rank > 0) {
    made.origins = {0};
    return made;
  }
  for (int target = 1; target < ranks; ++target) {
    made.calls.push_back(
        {.rank = target, .there = 0, .here = static_cast<std::size_t>(target - 1)});
  }
  return made;
}

Links AllToAll::links(int rank, int ranks) {
  Links made{.own = rank, .slots = ranks - 1, .calls = {}, .origins = {}};
  // A rank has a slot for every other one, in order of ranks.
  const auto slot_of = [](int of, int at) { return static_cast<std::size_t>(of - (of > at)); };
  for (int step = 1; step < ranks; ++step) {
    const int target = (rank + step) % ranks;
    made.calls.push_back(
        {.rank = target, .there = slot_of(rank, target), .here = slot_of(target, rank)});
  }
  for (int origin = 0; origin < ranks; ++origin) {
    if (origin != rank) made.origins.push_back(origin);
  }
  return made;
}

Links BothNeighbours::links(int rank, int ranks) {
  const int left = (rank + ranks - 1) % ranks;
  const int right = (rank + 1) % ranks;
  return {.own = rank,
          .slots = 2,
          .calls = {{.rank = left, .there = 1, .here = 0}, {.rank = right, .there = 0, .here = 1}},
          .origins = {left, right}};
}

void LinkedPutData::refill(std::uint64_t seed, std::span<std::byte> memory) {
  fill_pattern(source_.bytes(), pattern_seed(seed, links_.own));
  for (std::size_t slot = 0; slot < links_.origins.size(); ++slot) {
    fill_wrong_pattern(slots_.in(memory, slot), pattern_seed(seed, links_.origins[slot]));
  }
}

bool LinkedPutData::verify(std::uint64_t seed, std::span<std::byte> memory, std::uint64_t) const {
  for (std::size_t slot = 0; slot < links_.origins.size(); ++slot) {
    const auto right = pattern_seed(seed, links_.origins[slot]);
    if (!holds_message(slots_.in(memory, slot), *message_.type, right)) return false;
  }
  return true;
}

void LinkedGetData::refill(std::uint64_t seed, std::span<std::byte> memory) {
  for (std::size_t slot = 0; slot < slots_.count(); ++slot) {
    fill_pattern(slots_.in(memory, slot), pattern_seed(seed, links_.own));
  }
  for (const RemoteSlot& call : links_.calls) {
    fill_wrong_pattern(results_[call.here].to_spoil(), pattern_seed(seed, call.rank));
  }
}

bool LinkedGetData::verify(std::uint64_t seed, std::span<std::byte>, std::uint64_t) const {
  return std::ranges::all_of(links_.calls, [&](const RemoteSlot& call) {
    return holds_message(results_[call.here].bytes(), *message_.type,
                         pattern_seed(seed, call.rank));
  });
}

}  // namespace hockney::benchmarks
