#include "placement/network/average_linkage.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace hockney::placement {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Clusters by their least items, and the sums of what was measured between any two.
class Clusters {
 public:
  Clusters(std::size_t items, const std::vector<ItemDistance>& measured)
      : items_(items), between_(items * items), nearest_(items), alive_(items, true) {
    for (const ItemDistance& pair : measured) {
      add(pair.first, pair.second, {.distances = pair.distance, .pairs = 1});
    }
    for (std::size_t item = 0; item < items; ++item) find_nearest(item);
  }

  std::optional<Join> join() {
    std::size_t best = items_;
    for (std::size_t item = 0; item < items_; ++item) {
      const bool is_nearer =
          alive_[item] && nearest_[item] < items_ &&
          (best == items_ || mean(item, nearest_[item]) < mean(best, nearest_[best]));
      if (is_nearer) best = item;
    }
    if (best == items_) return std::nullopt;
    const Join join{std::min(best, nearest_[best]), std::max(best, nearest_[best]),
                    mean(best, nearest_[best])};
    merge(join.kept, join.given_up);
    return join;
  }

 private:
  struct Sum {
    double distances = 0;
    double pairs = 0;
  };

  /// In both directions.
  void add(std::size_t one, std::size_t other, const Sum& more) {
    for (const std::size_t place : {one * items_ + other, other * items_ + one}) {
      between_[place].distances += more.distances;
      between_[place].pairs += more.pairs;
    }
  }

  [[nodiscard]] double mean(std::size_t one, std::size_t other) const {
    const Sum& sum = between_[one * items_ + other];
    return sum.pairs > 0 ? sum.distances / sum.pairs : never;
  }

  void find_nearest(std::size_t item) {
    std::size_t& nearest = nearest_[item];
    nearest = items_;
    for (std::size_t other = 0; other < items_; ++other) {
      if (other == item || !alive_[other] || mean(item, other) == never) continue;
      if (nearest == items_ || mean(item, other) < mean(item, nearest)) nearest = other;
    }
  }

  void merge(std::size_t kept, std::size_t given_up) {
    alive_[given_up] = false;
    for (std::size_t other = 0; other < items_; ++other) {
      if (!alive_[other] || other == kept) continue;
      const Sum more = between_[given_up * items_ + other];
      add(kept, other, more);
      const std::size_t was = nearest_[other];
      if (was == kept || was == given_up || was == items_) find_nearest(other);
      // Averages do not come nearer than both were, so other nearest ones stay.
    }
    find_nearest(kept);
  }

  std::size_t items_;
  std::vector<Sum> between_;
  std::vector<std::size_t> nearest_;  ///< of each cluster; `items_` where nothing was measured
  std::vector<bool> alive_;
};

}  // namespace

std::vector<Join> average_linkage(std::size_t items, const std::vector<ItemDistance>& measured) {
  Clusters clusters(items, measured);
  std::vector<Join> joins;
  for (auto join = clusters.join(); join.has_value(); join = clusters.join()) {
    joins.push_back(join.value());
  }
  return joins;
}

std::vector<std::size_t> clusters_below(std::size_t items, const std::vector<Join>& joins,
                                        double distance) {
  std::vector<std::size_t> cluster(items);
  std::iota(cluster.begin(), cluster.end(), std::size_t{0});
  for (const Join& join : joins) {
    // Where pairs are missing, a later join can be nearer than one before it.
    if (join.distance >= distance) break;
    std::ranges::replace(cluster, join.given_up, join.kept);
  }
  return cluster;
}

}  // namespace hockney::placement
