#include "placement/sites.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace hockney::placement {
namespace {

/// A rank that may stand for a class; the lesser one had better.
struct RankChoice {
  int beside_zero = 0;  ///< 1 on the core of CPU 0
  int rank = 0;

  friend auto operator<=>(const RankChoice&, const RankChoice&) = default;
};

/// The best pair of each class so far.
class BestPairs {
 public:
  void offer(Hop hop, const std::string& word, const RankChoice& one, const RankChoice& other) {
    const auto [low, high] = std::minmax(one.rank, other.rank);
    const Badness badness(one.beside_zero + other.beside_zero, low, high);
    const auto known = best_.try_emplace({hop, word}, badness).first;
    known->second = std::min(known->second, badness);
  }

  [[nodiscard]] std::vector<RankHop> pairs() const {
    std::vector<RankHop> pairs;
    pairs.reserve(best_.size());
    for (const auto& [kind, badness] : best_) {
      pairs.push_back({{std::get<1>(badness), std::get<2>(badness)}, kind.first});
    }
    return pairs;
  }

 private:
  using Badness = std::tuple<int, int, int>;
  std::map<std::pair<Hop, std::string>, Badness> best_;
};

/// The ranks of a node with their sites.
struct Node {
  std::vector<RankChoice> ranks;
  std::vector<RankSite> sites;
};

std::map<int, Node> nodes_of(const std::vector<RankSite>& sites) {
  std::map<int, int> zero_cores;  // of those nodes whose CPU 0 has a rank
  for (const RankSite& site : sites) {
    if (site.pu != nullptr && site.pu->os_cpu == 0) zero_cores[site.node] = site.pu->core;
  }
  std::map<int, Node> nodes;
  for (std::size_t rank = 0; rank < sites.size(); ++rank) {
    const RankSite& site = sites[rank];
    const auto zero = zero_cores.find(site.node);
    const bool is_beside =
        site.pu != nullptr && zero != zero_cores.end() && site.pu->core == zero->second;
    Node& node = nodes[site.node];
    node.ranks.push_back({is_beside ? 1 : 0, static_cast<int>(rank)});
    node.sites.push_back(site);
  }
  return nodes;
}

void offer_pairs_of(const Node& node, BestPairs& best) {
  for (std::size_t high = 1; high < node.ranks.size(); ++high) {
    for (std::size_t low = 0; low < high; ++low) {
      const auto hop = hop_between(node.sites[low], node.sites[high]);
      if (hop) best.offer(*hop, "", node.ranks[low], node.ranks[high]);
    }
  }
}

/// The best two ranks of a place of the network, on different nodes.
struct Place {
  std::string host;  ///< one of its nodes
  std::vector<RankChoice> best;
};

void add_to(Place& place, const RankChoice& rank) {
  place.best.push_back(rank);
  std::ranges::sort(place.best);
  if (place.best.size() > 2) place.best.pop_back();
}

std::vector<Place> places_of(const std::map<int, Node>& nodes, const NodeNetwork* network) {
  std::map<std::vector<std::string>, Place> places;
  for (const auto& [number, node] : nodes) {
    std::vector<std::string> where;
    std::string host;
    if (network != nullptr) {
      host = network->hosts[static_cast<std::size_t>(number)];
      where = sites_of(network->sites, host);
    }
    Place& place = places.try_emplace(where, Place{host, {}}).first->second;
    add_to(place, std::ranges::min(node.ranks));
  }
  std::vector<Place> all;
  all.reserve(places.size());
  for (auto& [where, place] : places) all.push_back(std::move(place));
  return all;
}

}  // namespace

std::optional<Hop> hop_between(const RankSite& one, const RankSite& other) {
  if (one.node != other.node) return Hop::cross_node;
  if (one.pu == nullptr || other.pu == nullptr) return std::nullopt;
  return hop_class(*one.pu, *other.pu);
}

std::vector<RankHop> representative_ranks(const std::vector<RankSite>& sites,
                                          const NodeNetwork* network) {
  BestPairs best;
  const std::map<int, Node> nodes = nodes_of(sites);
  for (const auto& [number, node] : nodes) offer_pairs_of(node, best);
  const std::vector<Place> places = places_of(nodes, network);
  const std::string nearest = network == nullptr ? "" : network_hops(network->sites).front();
  for (auto high = places.begin(); high != places.end(); ++high) {
    if (high->best.size() > 1) {
      best.offer(Hop::cross_node, nearest, high->best[0], high->best[1]);
    }
    for (auto low = places.begin(); low != high; ++low) {
      best.offer(Hop::cross_node, network_hop(network->sites, low->host, high->host),
                 low->best.front(), high->best.front());
    }
  }
  return best.pairs();
}

}  // namespace hockney::placement
