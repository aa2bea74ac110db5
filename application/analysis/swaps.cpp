#include "application/analysis/swaps.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace hockney::applications {
namespace {

constexpr double of_a_pair = 1e-3;  // less than a byte
constexpr double least_gain = of_a_pair / 2;

/// Nodes that are filled one after the other.
class NodeFilling {
 public:
  explicit NodeFilling(const std::vector<Exchanges::Partners>& partners)
      : partners_(partners), left_(partners.size(), 0), pull_(partners.size(), 0) {
    for (std::size_t rank = 0; rank < left_.size(); ++rank) {
      for (const Exchanges::Partner& partner : partners[rank]) left_[rank] += partner.weight;
    }
  }

  void begin_node() {
    for (double& each : pull_) each = each == placed ? placed : 0;
  }

  /// The rank that exchanges the most with those on the node; of several the one that leaves the
  /// least behind.
  int take() {
    std::size_t best = pull_.size();
    for (std::size_t rank = 0; rank < pull_.size(); ++rank) {
      if (pull_[rank] != placed && (best == pull_.size() || is_better(rank, best))) best = rank;
    }
    pull_[best] = placed;
    for (const Exchanges::Partner& partner : partners_[best]) {
      const auto other = static_cast<std::size_t>(partner.rank);
      left_[other] -= partner.weight;
      if (pull_[other] != placed) pull_[other] += partner.weight;
    }
    return static_cast<int>(best);
  }

 private:
  static constexpr double placed = -1;

  [[nodiscard]] bool is_better(std::size_t rank, std::size_t than) const {
    return pull_[rank] > pull_[than] || (pull_[rank] == pull_[than] && left_[rank] < left_[than]);
  }

  const std::vector<Exchanges::Partners>& partners_;
  std::vector<double> left_;  ///< what each rank exchanges with those that have no place
  std::vector<double> pull_;  ///< and with those on the node
};

/// Ranks that change places, with what each exchanges with the ranks of every node.
class Places {
 public:
  Places(const std::vector<Exchanges::Partners>& partners, std::vector<int>& of_rank)
      : partners_(partners),
        of_rank_(of_rank),
        nodes_(static_cast<std::size_t>(std::ranges::max(of_rank)) + 1),
        sums_(of_rank.size() * nodes_, 0) {
    for (int rank = 0; rank < size(); ++rank) {
      for (const Exchanges::Partner& partner : partners_of(rank)) {
        sum(rank, node_of(partner.rank)) += partner.weight;
      }
    }
  }

  [[nodiscard]] int size() const { return static_cast<int>(of_rank_.size()); }

  /// The rank that `a` had better change places with; nullopt where there is none.
  [[nodiscard]] std::optional<int> best_for(int a) const {
    std::optional<int> best;
    double most = least_gain;
    for (int b = 0; b < size(); ++b) {
      const double gain = node_of(b) == node_of(a) ? 0 : gain_of(a, b);
      if (gain <= most) continue;
      most = gain;
      best = b;
    }
    return best;
  }

  void swap(int a, int b) {
    const int from = node_of(a);
    move(a, node_of(b));
    move(b, from);
  }

 private:
  [[nodiscard]] const Exchanges::Partners& partners_of(int rank) const {
    return partners_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] int node_of(int rank) const { return of_rank_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::size_t index(int rank, int node) const {
    return static_cast<std::size_t>(rank) * nodes_ + static_cast<std::size_t>(node);
  }
  double& sum(int rank, int node) { return sums_[index(rank, node)]; }
  [[nodiscard]] double sum(int rank, int node) const { return sums_[index(rank, node)]; }

  [[nodiscard]] double gain_of(int a, int b) const {
    const int from = node_of(a);
    const int to = node_of(b);
    const auto& partners = partners_of(a);
    const auto found = std::ranges::lower_bound(partners, b, {}, &Exchanges::Partner::rank);
    const bool are_partners = found != partners.end() && found->rank == b;
    return sum(a, to) - sum(a, from) + sum(b, from) - sum(b, to) -
           2 * (are_partners ? found->weight : 0);
  }

  void move(int rank, int node) {
    for (const Exchanges::Partner& partner : partners_of(rank)) {
      sum(partner.rank, node_of(rank)) -= partner.weight;
      sum(partner.rank, node) += partner.weight;
    }
    of_rank_[static_cast<std::size_t>(rank)] = node;
  }

  const std::vector<Exchanges::Partners>& partners_;
  std::vector<int>& of_rank_;
  std::size_t nodes_;
  std::vector<double> sums_;
};

}  // namespace

Exchanges::Exchanges(const MessageMatrix& by_rank)
    : partners_(static_cast<std::size_t>(by_rank.size)) {
  std::map<std::pair<int, int>, std::int64_t> larger;
  for (const MatrixCell& cell : by_rank.cells) {
    if (cell.from == cell.to) continue;
    std::int64_t& bytes = larger[std::minmax(cell.from, cell.to)];
    bytes = std::max(bytes, cell.volume.bytes);
  }
  for (const auto& [ends, bytes] : larger) {
    const double weight = static_cast<double>(bytes) + of_a_pair;
    partners_[static_cast<std::size_t>(ends.first)].push_back({ends.second, weight});
    partners_[static_cast<std::size_t>(ends.second)].push_back({ends.first, weight});
  }
  for (Partners& of_rank : partners_) std::ranges::sort(of_rank, {}, &Partner::rank);
}

std::vector<int> Exchanges::grown_order(const std::vector<int>& slots) const {
  NodeFilling filling(partners_);
  std::vector<int> order;
  order.reserve(partners_.size());
  for (const int slot : slots) {
    filling.begin_node();
    for (int i = 0; i < slot; ++i) order.push_back(filling.take());
  }
  return order;
}

bool Exchanges::swap(std::vector<int>& of_rank) const {
  Places places(partners_, of_rank);
  bool has_swapped = false;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (int a = 0; a < places.size(); ++a) {
      const auto best = places.best_for(a);
      if (!best) continue;
      places.swap(a, *best);
      goes_on = has_swapped = true;
    }
  }
  return has_swapped;
}

}  // namespace hockney::applications
