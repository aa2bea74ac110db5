#include "placement/rank_pairs.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"

namespace hockney::placement {
namespace {

bool share(const std::optional<int>& a, const std::optional<int>& b) { return a && a == b; }

const Pu& known_pu(const Topology& topology, int os_cpu) {
  const Pu* pu = find_pu(topology, os_cpu);
  if (pu == nullptr) throw InputError(unknown_cpu(topology, os_cpu));
  return *pu;
}

bool wanted(const Pu& a, const Pu& b, Hop hop) { return hop_class(a, b) == hop; }

/// Pairs of the class, matched greedily; each PU is in at most one.
std::vector<CpuPair> match(const std::vector<Pu>& pus, Hop hop) {
  std::vector<CpuPair> pairs;
  std::vector<bool> used(pus.size(), false);
  for (std::size_t i = 0; i < pus.size(); ++i) {
    for (std::size_t j = i + 1; j < pus.size() && !used[i]; ++j) {
      if (used[j] || !wanted(pus[i], pus[j], hop)) continue;
      used[i] = used[j] = true;
      pairs.push_back(make_pair_of(pus[i].os_cpu, pus[j].os_cpu));
    }
  }
  return pairs;
}

std::vector<CpuPair> evenly_spaced(const std::vector<CpuPair>& pairs, std::size_t count) {
  if (pairs.size() <= count) return pairs;
  std::vector<CpuPair> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(pairs[i * pairs.size() / count]);
  return chosen;
}

/// One usable PU per core (the first), in order: pairs of these leave SMT siblings idle.
std::vector<Pu> first_of_each_core(const Topology& topology) {
  std::set<int> cores;
  std::vector<Pu> firsts;
  for (const Pu& pu : topology.pus) {
    if (cores.insert(pu.core).second) firsts.push_back(pu);
  }
  return firsts;
}

RankPair ascending(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

/// One round of an even number of players, by the circle method. The last player is paired with
/// player `turn`. The others are on a circle and paired across `turn`, at equal distances from it.
Round round_of(int seats, int turn) {
  const int circle = seats - 1;
  Round round{ascending(circle, turn)};
  for (int away = 1; away < seats / 2; ++away) {
    round.push_back(ascending((turn + away) % circle, (turn - away + circle) % circle));
  }
  return round;
}

void check_pair(int ranks, const RankPair& pair) {
  const auto [low, high] = ascending(pair.first, pair.second);
  if (low >= 0 && high < ranks && low != high) return;
  throw InputError({fmt::format("ranks {} and {} are no pair", pair.first, pair.second),
                    fmt::format("there are {} ranks, counted from 0", ranks),
                    "pair two different ranks"});
}

constexpr int fewest_that_report = 3;  // two rounds form only even cycles

void require_sound(int players, int rounds) {
  if (players < 2) {
    throw InputError(
        {fmt::format("{} nodes make no pair", players), "a pair has two", "give at least 2"});
  }
  const int all = tournament_rounds(players);
  if (rounds >= 1 && rounds <= all) return;
  throw InputError({fmt::format("{} rounds of pairs of {}", rounds, players),
                    fmt::format("after {} all pairs have been measured", all),
                    fmt::format("give 1 to {}", all)});
}

std::vector<int> shuffled(int n, std::mt19937_64& random) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, random);
  return order;
}

/// Round number `turn`, counted from 0, of the tournament.
Round tournament_round(int ranks, int turn) {
  Round round = round_of(ranks + ranks % 2, turn);
  std::erase_if(round, [&](const RankPair& pair) { return pair.second >= ranks; });
  return round;
}

/// A round of the tournament with these names of the players.
Round named_round(const std::vector<int>& names, int turn) {
  Round round = tournament_round(static_cast<int>(names.size()), turn);
  for (RankPair& pair : round) {
    const int first = names[static_cast<std::size_t>(pair.first)];
    const int second = names[static_cast<std::size_t>(pair.second)];
    pair = {std::min(first, second), std::max(first, second)};
  }
  return round;
}

bool reports_players_apart(const std::vector<Round>& rounds, int players) {
  std::vector<Edge> edges;
  for (const Round& round : rounds) {
    for (const RankPair& pair : round) {
      edges.push_back(
          {static_cast<std::size_t>(pair.first), static_cast<std::size_t>(pair.second)});
    }
  }
  return every_part_has_an_odd_cycle(edges, static_cast<std::size_t>(players));
}

/// A candidate rank for the pair of a class; the smaller one is preferred.
struct RankChoice {
  int beside_zero = 0;  ///< 1 if on the core of CPU 0
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
struct NodeRanks {
  std::vector<RankChoice> ranks;
  std::vector<RankSite> sites;
};

std::map<int, NodeRanks> nodes_of(const std::vector<RankSite>& sites) {
  std::map<int, int> zero_cores;  // of nodes with a rank on CPU 0
  for (const RankSite& site : sites) {
    if (site.pu != nullptr && site.pu->os_cpu == 0) zero_cores[site.node] = site.pu->core;
  }
  std::map<int, NodeRanks> nodes;
  for (std::size_t rank = 0; rank < sites.size(); ++rank) {
    const RankSite& site = sites[rank];
    const auto zero = zero_cores.find(site.node);
    const bool is_beside =
        site.pu != nullptr && zero != zero_cores.end() && site.pu->core == zero->second;
    NodeRanks& node = nodes[site.node];
    node.ranks.push_back({is_beside ? 1 : 0, static_cast<int>(rank)});
    node.sites.push_back(site);
  }
  return nodes;
}

void offer_pairs_of(const NodeRanks& node, BestPairs& best) {
  for (std::size_t high = 1; high < node.ranks.size(); ++high) {
    for (std::size_t low = 0; low < high; ++low) {
      const auto hop = hop_between(node.sites[low], node.sites[high]);
      if (hop) best.offer(*hop, "", node.ranks[low], node.ranks[high]);
    }
  }
}

/// The best two ranks of a network place, on different nodes.
struct PlaceRanks {
  std::string host;  ///< one of its nodes
  std::vector<RankChoice> best;
};

void add_to(PlaceRanks& place, const RankChoice& rank) {
  place.best.push_back(rank);
  std::ranges::sort(place.best);
  if (place.best.size() > 2) place.best.pop_back();
}

std::vector<PlaceRanks> places_of(const std::map<int, NodeRanks>& nodes,
                                  const NodeNetwork* network) {
  std::map<std::vector<std::string>, PlaceRanks> places;
  for (const auto& [number, node] : nodes) {
    std::vector<std::string> where;
    std::string host;
    if (network != nullptr) {
      host = network->hosts[static_cast<std::size_t>(number)];
      where = sites_of(network->sites, host);
    }
    PlaceRanks& place = places.try_emplace(where, PlaceRanks{host, {}}).first->second;
    add_to(place, std::ranges::min(node.ranks));
  }
  std::vector<PlaceRanks> all;
  all.reserve(places.size());
  for (auto& [where, place] : places) all.push_back(std::move(place));
  return all;
}

}  // namespace

std::string hop_name(Hop hop) { return std::string(word(hop)); }

Hop parse_hop(std::string_view name) {
  return parse_word<Hop>(name, fmt::format("unknown hop class '{}'", name),
                         "it is no distance between ranks");
}

std::vector<Hop> parse_hops(std::string_view names) {
  std::vector<Hop> hops;
  for (const std::string& name : split(names, ',')) hops.push_back(parse_hop(name));
  return hops;
}

std::optional<Hop> hop_class(const Pu& a, const Pu& b) {
  if (a.os_cpu == b.os_cpu) return std::nullopt;
  if (a.core == b.core) return Hop::smt;
  if (share(a.l2, b.l2)) return Hop::l2;
  if (a.package != b.package && !share(a.l3, b.l3)) return Hop::cross_package;
  if (a.kind != b.kind) return Hop::kinds;
  if (share(a.l3, b.l3)) return a.kind.value_or(0) == 0 ? Hop::l3 : Hop::l3_efficient;
  return a.numa == b.numa ? Hop::numa : Hop::package;
}

std::optional<Hop> hop_class(const Topology& topology, int cpu_a, int cpu_b) {
  return hop_class(known_pu(topology, cpu_a), known_pu(topology, cpu_b));
}

CpuPair make_pair_of(int cpu_a, int cpu_b) {
  return {std::min(cpu_a, cpu_b), std::max(cpu_a, cpu_b)};
}

std::vector<HopPair> all_pairs(const Topology& topology) {
  const std::vector<Pu>& pus = topology.pus;
  std::vector<HopPair> pairs;
  pairs.reserve(pus.size() * (pus.size() - 1) / 2);
  for (std::size_t i = 0; i < pus.size(); ++i) {
    for (std::size_t j = i + 1; j < pus.size(); ++j) {
      const std::optional<Hop> hop = hop_class(pus[i], pus[j]);
      if (hop) pairs.push_back({*hop, make_pair_of(pus[i].os_cpu, pus[j].os_cpu)});
    }
  }
  return pairs;
}

std::vector<HopCount> count_pairs(const Topology& topology) {
  const std::vector<Pu>& pus = topology.pus;
  std::map<Hop, std::size_t> counts;
  for (std::size_t i = 0; i < pus.size(); ++i) {
    for (std::size_t j = i + 1; j < pus.size(); ++j) {
      const std::optional<Hop> hop = hop_class(pus[i], pus[j]);
      if (hop) ++counts[*hop];
    }
  }
  std::vector<HopCount> listed;
  listed.reserve(counts.size());
  for (const auto& [hop, pairs] : counts) listed.push_back({hop, pairs});
  return listed;
}

bool beside_cpu_zero(const Topology& topology, const Pu& pu) {
  const Pu* zero = find_pu(topology, 0);
  return zero != nullptr && zero->core == pu.core;
}

std::vector<CpuPair> spread_pairs(const Topology& topology, Hop hop, std::size_t count) {
  const std::vector<Pu> candidates = hop == Hop::smt ? topology.pus : first_of_each_core(topology);
  std::vector<Pu> quiet = candidates;
  std::erase_if(quiet, [&](const Pu& pu) { return beside_cpu_zero(topology, pu); });
  const std::vector<CpuPair> pairs = match(quiet, hop);
  return evenly_spaced(pairs.size() < count ? match(candidates, hop) : pairs, count);
}

int tournament_rounds(int ranks) { return ranks < 2 ? 0 : ranks + ranks % 2 - 1; }

std::vector<Round> tournament(int ranks) {
  if (ranks < 0) throw InputError({fmt::format("cannot pair {} ranks", ranks), {}, {}});
  const int turns = tournament_rounds(ranks);
  std::vector<Round> rounds;
  rounds.reserve(static_cast<std::size_t>(turns));
  for (int turn = 0; turn < turns; ++turn) {
    rounds.push_back(tournament_round(ranks, turn));
  }
  return rounds;
}

std::vector<Round> tournament(int ranks, const std::vector<RankPair>& wanted) {
  std::set<std::pair<int, int>> kept;
  for (const RankPair& pair : wanted) {
    check_pair(ranks, pair);
    const RankPair sorted = ascending(pair.first, pair.second);
    kept.emplace(sorted.first, sorted.second);
  }
  std::vector<Round> rounds = tournament(ranks);
  for (Round& round : rounds) {
    std::erase_if(round, [&](const RankPair& pair) {
      return !kept.contains({pair.first, pair.second});
    });
  }
  std::erase_if(rounds, [](const Round& round) { return round.empty(); });
  return rounds;
}

std::vector<Round> isolated(const std::vector<Round>& rounds) {
  std::vector<Round> single;
  for (const Round& round : rounds) {
    for (const RankPair& pair : round) single.push_back({pair});
  }
  return single;
}

std::vector<Round> sparse_tournament(int players, const SparseDesign& design) {
  require_sound(players, design.rounds);
  std::mt19937_64 random(design.seed);
  const std::vector<int> names = shuffled(players, random);
  const std::vector<int> order = shuffled(tournament_rounds(players), random);
  const auto wanted = static_cast<std::size_t>(design.rounds);
  const std::size_t first = design.night % order.size() * wanted % order.size();
  const auto nth = [&](std::size_t k) {
    return named_round(names, order[(first + k) % order.size()]);
  };
  std::vector<Round> rounds;
  for (std::size_t k = 0; k < wanted; ++k) rounds.push_back(nth(k));
  if (design.rounds < fewest_that_report) return rounds;
  for (std::size_t k = wanted; k < order.size() && !reports_players_apart(rounds, players); ++k) {
    rounds.back() = nth(k);
  }
  return rounds;
}

std::optional<Hop> hop_between(const RankSite& one, const RankSite& other) {
  if (one.node != other.node) return Hop::cross_node;
  if (one.pu == nullptr || other.pu == nullptr) return std::nullopt;
  return hop_class(*one.pu, *other.pu);
}

std::vector<RankHop> representative_ranks(const std::vector<RankSite>& sites,
                                          const NodeNetwork* network) {
  BestPairs best;
  const std::map<int, NodeRanks> nodes = nodes_of(sites);
  for (const auto& [number, node] : nodes) offer_pairs_of(node, best);
  const std::vector<PlaceRanks> places = places_of(nodes, network);
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
