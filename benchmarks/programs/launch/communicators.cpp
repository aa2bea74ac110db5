#include "benchmarks/programs/launch/communicators.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/rooted_data.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {

using placement::Hop;
namespace {

using RankSets = std::vector<std::vector<int>>;

std::vector<int> first_ranks(std::size_t count) {
  std::vector<int> ranks(count);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

RankSets nodes_of(const JobPlacement& job) {
  std::map<int, std::vector<int>> nodes;
  for (const Site& site : job.sites) nodes[site.node].push_back(site.rank);
  RankSets sets;
  for (const auto& [node, ranks] : nodes) sets.push_back(ranks);
  return sets;
}

RankSets leaders_of(const JobPlacement& job) {
  std::vector<int> leaders;
  for (const auto& node : nodes_of(job)) leaders.push_back(node.front());
  return {leaders};
}

RankSets halves_of(const JobPlacement& job) {
  const std::vector<int> all = first_ranks(job.sites.size());
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  return {{all.begin(), middle}, {middle, all.end()}};
}

/// Ranks that are joined by pairs no farther apart than `hop`.
RankSets within(const JobPlacement& job, Hop hop) {
  std::vector<int> heads = first_ranks(job.sites.size());  // the lowest rank each one is joined to
  for (const placement::RankHop& pair : job.hops) {
    if (!pair.hop || *pair.hop > hop) continue;
    const int kept = heads[static_cast<std::size_t>(pair.ranks.first)];
    const int given_up = heads[static_cast<std::size_t>(pair.ranks.second)];
    std::ranges::replace(heads, std::max(kept, given_up), std::min(kept, given_up));
  }
  std::map<int, std::vector<int>> joined;
  for (const int rank : first_ranks(heads.size())) {
    joined[heads[static_cast<std::size_t>(rank)]].push_back(rank);
  }
  RankSets sets;
  for (const auto& [head, ranks] : joined) sets.push_back(ranks);
  return sets;
}

/// The hop classes between any two ranks, nearest first.
std::set<Hop> hops_of(const JobPlacement& job) {
  std::set<Hop> present;
  for (const placement::RankHop& pair : job.hops) {
    if (pair.hop) present.insert(*pair.hop);
  }
  return present;
}

/// One round of all sets that can communicate.
void add_round(const JobPlacement& job, Communicator communicator, RankSets sets,
               std::optional<Hop> hop, std::vector<GroupRound>& rounds) {
  std::erase_if(sets, [](const std::vector<int>& ranks) { return ranks.size() < 2; });
  GroupRound groups;
  for (const std::vector<int>& ranks : sets) {
    GroupPlan group{.ranks = ranks, .hop = hop ? hop : common_hop(job, ranks)};
    group.parameters["communicator"] = name_in(communicator_names, communicator);
    if (sets.size() > 1) group.parameters["team"] = std::to_string(groups.size());
    groups.push_back(std::move(group));
  }
  if (!groups.empty()) rounds.push_back(std::move(groups));
}

bool is_wanted(const LaunchOptions& options, std::optional<Hop> hop) {
  return options.hops.empty() || std::ranges::find(options.hops, hop) != options.hops.end();
}

void require_some(bool some, const std::vector<std::string>& present) {
  if (some) return;
  throw InputError({"no pair of ranks is of a wanted hop class",
                    "the classes present are: " + (present.empty() ? "none" : join(present)),
                    "start more ranks or ask for another class"});
}

/// The first rank of each node; all ranks where there is but one node.
std::vector<int> sparse_players(const JobPlacement& job) {
  std::vector<int> first;
  std::vector<int> all;
  for (const Site& site : job.sites) {
    if (site.local_rank == 0) first.push_back(site.rank);
    all.push_back(site.rank);
  }
  return first.size() > 1 ? first : all;
}

std::vector<placement::Round> sparse_rounds(const LaunchOptions& options, const JobPlacement& job) {
  const std::vector<int> players = sparse_players(job);
  const auto count = static_cast<int>(players.size());
  placement::SparseDesign design = options.sparse;
  design.rounds = std::min(design.rounds, std::max(1, placement::tournament_rounds(count)));
  std::vector<placement::Round> rounds = sparse_tournament(count, design);
  std::set<std::string> present;
  for (placement::Round& round : rounds) {
    std::erase_if(round, [&](placement::RankPair& pair) {
      pair = {players[static_cast<std::size_t>(pair.first)],
              players[static_cast<std::size_t>(pair.second)]};
      const auto hop = hop_of(job, pair);
      if (hop) present.insert(hop_name(*hop));
      return !is_wanted(options, hop);
    });
  }
  std::erase_if(rounds, [](const placement::Round& round) { return round.empty(); });
  require_some(!rounds.empty(), {present.begin(), present.end()});
  return rounds;
}

}  // namespace

Communicator parse_communicator(const std::string& name) {
  return value_in(communicator_names, name, "unknown communicator '" + name + "'",
                  "no way to choose ranks has this name");
}

std::vector<Communicator> communicators_of(const Descriptor& descriptor,
                                           const LaunchOptions& options) {
  if (descriptor.shape == GroupShape::pairs) return {};
  const bool is_usual = descriptor.has_neighbours && options.communicators.empty();
  return is_usual ? std::vector{Communicator::hops} : options.communicators;
}

std::optional<std::string> neighbour_obstacle(const Descriptor& descriptor, const JobPlacement& job,
                                              const GroupPlan& group) {
  if (!descriptor.has_neighbours) return std::nullopt;
  for (std::size_t i = 1; i < group.ranks.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (hop_of(job, {group.ranks[j], group.ranks[i]})) continue;
      return "ranks " + std::to_string(group.ranks[j]) + " and " + std::to_string(group.ranks[i]) +
             " are no neighbours (they share a CPU, or are not bound)";
    }
  }
  if (group.ranks.size() > 1) return std::nullopt;
  return "one rank has no neighbours";
}

std::optional<Hop> common_hop(const JobPlacement& job, const std::vector<int>& ranks) {
  const auto is_in = [&](int rank) { return std::ranges::binary_search(ranks, rank); };
  std::optional<Hop> common;
  bool is_first = true;
  for (const placement::RankHop& pair : job.hops) {
    if (!is_in(pair.ranks.first) || !is_in(pair.ranks.second)) continue;
    if (!is_first && pair.hop != common) return std::nullopt;
    common = pair.hop;
    is_first = false;
  }
  return common;
}

std::vector<GroupRound> split_ranks(Communicator communicator, const JobPlacement& job) {
  std::vector<GroupRound> rounds;
  const auto add = [&](RankSets sets, std::optional<Hop> hop = std::nullopt) {
    add_round(job, communicator, std::move(sets), hop, rounds);
  };
  switch (communicator) {
    case Communicator::world:
      add({first_ranks(job.sites.size())});
      break;
    case Communicator::node:
      add(nodes_of(job));
      break;
    case Communicator::leaders:
      add(leaders_of(job));
      break;
    case Communicator::half:
      add({halves_of(job).front()});
      break;
    case Communicator::several:
      if (job.sites.size() >= 4) add(halves_of(job));
      break;
    case Communicator::hops:
      for (const Hop hop : hops_of(job)) add(within(job, hop), hop);
      break;
  }
  return rounds;
}

std::string split_obstacle(Communicator communicator) {
  switch (communicator) {
    case Communicator::node:
      return "no node has two ranks";
    case Communicator::leaders:
      return "all ranks are on one node";
    case Communicator::hops:
      return "no hop class between two ranks is known (there is one rank, or they are not bound)";
    case Communicator::world:
    case Communicator::half:
    case Communicator::several:
      break;
  }
  return "it needs at least four ranks";
}

std::optional<Hop> hop_of(const JobPlacement& job, const placement::RankPair& pair) {
  // Thousands of nodes have millions of pairs; rank_hops gives them in order.
  const auto place = [](const placement::RankPair& ranks) {
    return std::pair(ranks.first, ranks.second);
  };
  const auto known = std::ranges::lower_bound(
      job.hops, place(pair), {}, [&](const placement::RankHop& hop) { return place(hop.ranks); });
  return known == job.hops.end() || known->ranks != pair ? std::nullopt : known->hop;
}

void require_two_ranks(const JobPlacement& job, const std::string& operation) {
  if (job.sites.size() >= 2) return;
  throw InputError({"one rank cannot communicate", operation + " needs at least two",
                    "start with mpirun -n 2 or more"});
}

std::vector<placement::RankPair> wanted_pairs(const LaunchOptions& options,
                                              const JobPlacement& job) {
  const bool all = options.pairs == PairChoice::all;
  std::vector<placement::RankPair> pairs;
  std::vector<std::string> present;
  for (const placement::RankHop& candidate : all ? job.hops : job.representatives) {
    if (candidate.hop) present.push_back(hop_name(*candidate.hop));
    if (is_wanted(options, candidate.hop)) pairs.push_back(candidate.ranks);
  }
  if (pairs.empty() && options.hops.empty()) pairs.push_back({0, 1});
  require_some(!pairs.empty(), present);
  return pairs;
}

std::vector<placement::Round> wanted_rounds(const LaunchOptions& options, const JobPlacement& job) {
  if (options.pairs == PairChoice::sparse) return sparse_rounds(options, job);
  const bool listed = options.pairs == PairChoice::listed;
  return tournament(static_cast<int>(job.sites.size()),
                    listed ? options.listed : wanted_pairs(options, job));
}

void check_ranks(const LaunchOptions& options, const JobPlacement& job) {
  const auto ranks = static_cast<int>(job.sites.size());
  for (const std::string& name : options.operations) {
    if (find_operation(name).descriptor.shape != GroupShape::everybody)
      require_two_ranks(job, name);
  }
  for (const std::string& root : options.roots) {
    if (root_of({.parameters = {{"root", root}}}) < ranks) continue;
    throw InputError({"--root " + root + " of " + std::to_string(ranks) + " ranks",
                      "ranks are counted from 0", "use a smaller number, or start more ranks"});
  }
}

}  // namespace hockney::benchmarks::programs
