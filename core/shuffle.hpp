#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace hockney {

/// Random order by Fisher and Yates, the same from the same numbers of `random` on every machine:
/// std::shuffle and std::uniform_int_distribution differ between standard libraries, and with them
/// the order on ranks of a mixed cluster. `random` gives 64-bit numbers; the bias of their
/// remainder is below 2^-40 for up to 2^24 items.
template <class Items, class Engine>
void shuffle(Items& items, Engine& random) {
  static_assert(Engine::max() == UINT64_MAX);
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random() % left]);
  }
}

/// 0 to count - 1 in random order.
template <class Engine>
std::vector<std::size_t> random_order(std::size_t count, Engine& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, random);
  return order;
}

}  // namespace hockney
