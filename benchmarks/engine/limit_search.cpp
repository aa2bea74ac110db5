#include "benchmarks/engine/limit_search.hpp"

#include <algorithm>

namespace hockney::benchmarks {
namespace {

constexpr int confirmations = 3;

class Search {
 public:
  Search(const EagerProbe& probe, std::int64_t most_bytes) : probe_(probe), most_(most_bytes) {}

  LimitFound run() {
    double_until_held();
    while (found_.held_bytes) {
      const std::int64_t held = halve(*found_.held_bytes);
      if (is_held_for_certain(held)) break;
      ++found_.corrections;
      take(held);
      double_until_held();
    }
    look_above();
    look_below();
    std::ranges::sort(found_.exceptions);
    return found_;
  }

 private:
  bool query(std::int64_t bytes, Patience patience) {
    ++found_.probes;
    return probe_(bytes, patience);
  }

  bool is_held_for_certain(std::int64_t bytes) {
    for (int i = 0; i < confirmations; ++i) {
      if (query(bytes, Patience::long_wait)) return false;
    }
    return true;
  }

  /// The size was handed over.
  void take(std::int64_t bytes) {
    found_.limit_bytes = bytes;
    found_.held_bytes.reset();
  }

  /// From the limit so far upwards, with doubling steps, to a size not handed over or to the
  /// largest.
  void double_until_held() {
    for (std::int64_t step = 1; found_.limit_bytes.value_or(-1) < most_; step *= 2) {
      const std::int64_t bytes = std::min(found_.limit_bytes.value_or(-1) + step, most_);
      if (!query(bytes, Patience::short_wait)) {
        found_.held_bytes = bytes;
        return;
      }
      take(bytes);
    }
  }

  /// From a size not handed over down to the smallest such size, which it returns.
  std::int64_t halve(std::int64_t held) {
    std::int64_t good = found_.limit_bytes.value_or(-1);
    while (held - good > 1) {
      const std::int64_t middle = good + (held - good) / 2;
      (query(middle, Patience::short_wait) ? good : held) = middle;
    }
    if (good >= 0) found_.limit_bytes = good;
    found_.held_bytes = held;
    return held;
  }

  /// Checks that no size above the limit is handed over.
  void look_above() {
    if (!found_.held_bytes) return;
    for (std::int64_t gap = 1; *found_.held_bytes + gap <= most_; gap *= 3) {
      const std::int64_t bytes = *found_.held_bytes + gap;
      if (query(bytes, Patience::short_wait)) found_.exceptions.push_back(bytes);
    }
  }

  /// Checks that all sizes below the limit are handed over.
  void look_below() {
    if (!found_.limit_bytes) return;
    for (std::int64_t gap = 1; *found_.limit_bytes - gap >= 0; gap *= 3) {
      const std::int64_t bytes = *found_.limit_bytes - gap;
      if (!query(bytes, Patience::short_wait) && is_held_for_certain(bytes)) {
        found_.exceptions.push_back(bytes);
      }
    }
  }

  const EagerProbe& probe_;
  std::int64_t most_;
  LimitFound found_;
};

}  // namespace

LimitFound find_limit(const EagerProbe& probe, std::int64_t most_bytes) {
  return Search(probe, most_bytes).run();
}

}  // namespace hockney::benchmarks
