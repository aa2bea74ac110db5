#include "placement/sites.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "core/error.hpp"
#include "placement/binding.hpp"

namespace hockney::placement {
namespace {

/// A site with its PU looked up; `pu` is nullptr for a rank that is not bound.
struct Place {
  RankSite site;
  const Pu* pu = nullptr;
  int beside_zero = 0;
};

Place place_of(const RankSite& site, const std::vector<Topology>& nodes) {
  if (site.node < 0 || static_cast<std::size_t>(site.node) >= nodes.size()) {
    throw InputError(
        {"rank " + std::to_string(site.rank) + " is on node " + std::to_string(site.node),
         "the job has " + std::to_string(nodes.size()) + " nodes", "give every node a topology"});
  }
  if (!site.os_cpu) return {site, nullptr, 0};
  const Topology& node = nodes[static_cast<std::size_t>(site.node)];
  const Pu* pu = find_pu(node, *site.os_cpu);
  if (pu == nullptr) throw InputError(unknown_cpu(node, *site.os_cpu));
  return {site, pu, beside_cpu_zero(node, *pu) ? 1 : 0};
}

std::vector<Place> places_of(const std::vector<RankSite>& sites,
                             const std::vector<Topology>& nodes) {
  std::vector<Place> places;
  places.reserve(sites.size());
  for (const RankSite& site : sites) places.push_back(place_of(site, nodes));
  const auto rank = [](const Place& place) { return place.site.rank; };
  std::ranges::sort(places, {}, rank);
  const auto twice = std::ranges::adjacent_find(places, {}, rank);
  if (twice != places.end()) {
    throw InputError({"rank " + std::to_string(twice->site.rank) + " is placed twice",
                      "a rank lives on one CPU", "list every rank once"});
  }
  return places;
}

std::optional<Hop> hop_between(const Place& a, const Place& b) {
  if (a.site.node != b.site.node) return Hop::cross_node;
  if (a.pu == nullptr || b.pu == nullptr) return std::nullopt;
  return hop_class(*a.pu, *b.pu);
}

/// Calls `visit(lower, higher, hop)` for every pair of ranks.
template <class Visit>
void for_each_pair(const std::vector<Place>& places, Visit visit) {
  for (auto low = places.begin(); low != places.end(); ++low) {
    for (auto high = std::next(low); high != places.end(); ++high) {
      visit(*low, *high, hop_between(*low, *high));
    }
  }
}

}  // namespace

std::vector<RankHop> rank_hops(const std::vector<RankSite>& sites,
                               const std::vector<Topology>& nodes) {
  std::vector<RankHop> hops;
  for_each_pair(places_of(sites, nodes),
                [&](const Place& low, const Place& high, std::optional<Hop> hop) {
                  hops.push_back({{low.site.rank, high.site.rank}, hop});
                });
  return hops;
}

std::vector<RankHop> representative_ranks(const std::vector<RankSite>& sites,
                                          const std::vector<Topology>& nodes,
                                          const NetworkClass& network) {
  using Badness = std::tuple<int, int, int>;
  using Class = std::pair<Hop, std::string>;
  std::map<Class, Badness> best;
  std::map<std::pair<int, int>, std::string> between;  // nodes
  const auto class_of = [&](const Place& low, const Place& high, Hop hop) -> Class {
    if (hop != Hop::cross_node || !network) return {hop, ""};
    const std::pair<int, int> apart = std::minmax(low.site.node, high.site.node);
    const auto known = between.try_emplace(apart);
    if (known.second) known.first->second = network(apart.first, apart.second);
    return {hop, known.first->second};
  };
  for_each_pair(
      places_of(sites, nodes), [&](const Place& low, const Place& high, std::optional<Hop> hop) {
        if (!hop) return;
        const Badness badness(low.beside_zero + high.beside_zero, low.site.rank, high.site.rank);
        const auto known = best.try_emplace(class_of(low, high, *hop), badness).first;
        known->second = std::min(known->second, badness);
      });
  std::vector<RankHop> representatives;
  representatives.reserve(best.size());
  for (const auto& [hop, badness] : best) {
    representatives.push_back({{std::get<1>(badness), std::get<2>(badness)}, hop.first});
  }
  return representatives;
}

}  // namespace hockney::placement
