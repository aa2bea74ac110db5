#include "models/applications/swaps.hpp"

#include <algorithm>
#include <map>

namespace hockney::applications {
namespace {

/// Of each rank, what it exchanges with the ranks of each node.
class Attractions {
 public:
  Attractions(std::size_t ranks, std::size_t nodes) : nodes_(nodes), sums_(ranks * nodes, 0) {}

  double& at(int rank, int node) {
    return sums_[static_cast<std::size_t>(rank) * nodes_ + static_cast<std::size_t>(node)];
  }

 private:
  std::size_t nodes_;
  std::vector<double> sums_;
};

constexpr double of_a_pair = 1e-3;  // less than a byte
constexpr double least_gain = of_a_pair / 2;

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
  for (auto& of_rank : partners_) std::ranges::sort(of_rank, {}, &Partner::rank);
}

double Exchanges::weight_between(int a, int b) const {
  const auto& of_rank = partners_[static_cast<std::size_t>(a)];
  const auto found = std::ranges::lower_bound(of_rank, b, {}, &Partner::rank);
  return found == of_rank.end() || found->rank != b ? 0 : found->weight;
}

std::vector<int> Exchanges::grown_order(const std::vector<int>& slots) const {
  constexpr double placed = -1;
  std::vector<double> whole(partners_.size(), 0);  // what each rank exchanges with those not placed
  for (std::size_t rank = 0; rank < whole.size(); ++rank) {
    for (const Partner& partner : partners_[rank]) whole[rank] += partner.weight;
  }
  std::vector<double> pull(partners_.size(), 0);  // with those on the node
  std::vector<int> order;
  for (const int slot : slots) {
    for (double& each : pull) each = each == placed ? placed : 0;
    for (int i = 0; i < slot; ++i) {
      std::size_t best = pull.size();
      for (std::size_t rank = 0; rank < pull.size(); ++rank) {
        if (pull[rank] == placed) continue;
        // Of equal pull, the rank that leaves the least behind.
        const bool is_better = best == pull.size() || pull[rank] > pull[best] ||
                               (pull[rank] == pull[best] && whole[rank] < whole[best]);
        if (is_better) best = rank;
      }
      order.push_back(static_cast<int>(best));
      pull[best] = placed;
      for (const Partner& partner : partners_[best]) {
        const auto other = static_cast<std::size_t>(partner.rank);
        whole[other] -= partner.weight;
        if (pull[other] != placed) pull[other] += partner.weight;
      }
    }
  }
  return order;
}

bool Exchanges::swap(std::vector<int>& of_rank) const {
  const auto nodes = static_cast<std::size_t>(std::ranges::max(of_rank)) + 1;
  const auto ranks = static_cast<int>(of_rank.size());
  Attractions attractions(of_rank.size(), nodes);
  const auto node_of = [&](int rank) -> int& { return of_rank[static_cast<std::size_t>(rank)]; };
  for (int rank = 0; rank < ranks; ++rank) {
    for (const Partner& partner : partners_[static_cast<std::size_t>(rank)]) {
      attractions.at(rank, node_of(partner.rank)) += partner.weight;
    }
  }
  const auto gain_of = [&](int a, int b) {
    const int from = node_of(a);
    const int to = node_of(b);
    return attractions.at(a, to) - attractions.at(a, from) + attractions.at(b, from) -
           attractions.at(b, to) - 2 * weight_between(a, b);
  };
  const auto move = [&](int rank, int node) {
    for (const Partner& partner : partners_[static_cast<std::size_t>(rank)]) {
      attractions.at(partner.rank, node_of(rank)) -= partner.weight;
      attractions.at(partner.rank, node) += partner.weight;
    }
    node_of(rank) = node;
  };
  bool has_swapped = false;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (int a = 0; a < ranks; ++a) {
      int best = -1;
      double most = least_gain;
      for (int b = 0; b < ranks; ++b) {
        if (node_of(b) == node_of(a)) continue;
        const double gain = gain_of(a, b);
        if (gain <= most) continue;
        most = gain;
        best = b;
      }
      if (best < 0) continue;
      const int from = node_of(a);
      const int to = node_of(best);
      move(a, to);
      move(best, from);
      goes_on = has_swapped = true;
    }
  }
  return has_swapped;
}

}  // namespace hockney::applications
