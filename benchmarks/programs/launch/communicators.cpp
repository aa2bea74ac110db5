#include "benchmarks/programs/launch/communicators.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/rooted_data.hpp"
#include "benchmarks/programs/launch/places.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {

using placement::Hop;
namespace {

std::vector<int> first_ranks(std::size_t count) {
  std::vector<int> ranks(count);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
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

/// Two ranks have a distance in the network too; more are as far apart as `hop` says.
std::string word_of(const JobPlacement& job, const std::vector<int>& ranks, Hop hop) {
  return ranks.size() == 2 ? hop_word(job, {ranks[0], ranks[1]}, hop) : hop_name(hop);
}

/// One round of all sets that can communicate.
void add_round(const JobPlacement& job, Communicator communicator, RankSets sets,
               std::optional<Hop> hop, std::vector<GroupRound>& rounds) {
  std::erase_if(sets, [](const std::vector<int>& ranks) { return ranks.size() < 2; });
  GroupRound groups;
  for (const std::vector<int>& ranks : sets) {
    GroupPlan group{.ranks = ranks,
                    .hop = hop ? word_of(job, ranks, *hop) : common_hop(job, ranks)};
    group.parameters.set(communicator_parameter, communicator);
    if (sets.size() > 1) group.parameters.set(team_parameter, static_cast<int>(groups.size()));
    groups.push_back(std::move(group));
  }
  if (!groups.empty()) rounds.push_back(std::move(groups));
}

GroupRound parted_by(const Cut& cut, CutUse use) {
  GroupPlan group{.ranks = cut.first, .hop = cut.hop};
  if (use == CutUse::hub) group.ranks.resize(1);
  group.ranks.insert(group.ranks.end(), cut.second.begin(), cut.second.end());
  group.parameters.set(communicator_parameter, Communicator::across);
  return {group};
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

std::vector<placement::RankHop> every_pair(const JobPlacement& job) {
  const auto ranks = static_cast<int>(job.sites.size());
  std::vector<placement::RankHop> pairs;
  for (int low = 0; low < ranks; ++low) {
    for (int high = low + 1; high < ranks; ++high) {
      pairs.push_back({{low, high}, hop_of(job, {low, high})});
    }
  }
  return pairs;
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
  if (const auto communicator = find_word<Communicator>(name)) return *communicator;
  throw InputError({"unknown communicator '" + name + "'", "no way to choose ranks has this name",
                    suggest(name, valid_words<Communicator>())});
}

std::vector<Communicator> communicators_of(const Descriptor& descriptor,
                                           const LaunchOptions& options) {
  if (descriptor.shape == GroupShape::pairs) {
    auto kept = options.communicators;
    const bool across = std::ranges::find(kept, Communicator::across) != kept.end();
    std::erase_if(kept, [&](Communicator communicator) {
      return communicator != Communicator::across && communicator != Communicator::world;
    });
    return across ? kept : std::vector<Communicator>();
  }
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

CutUse cut_use(const Descriptor& descriptor) {
  return descriptor.contends && descriptor.shape == GroupShape::everybody ? CutUse::hub
                                                                          : CutUse::halves;
}

std::optional<std::string> meeting_obstacle(const Descriptor& descriptor, const GroupPlan& group) {
  const bool is_cut = group.parameters[communicator_parameter] == Communicator::across;
  const std::size_t least = cut_use(descriptor) == CutUse::hub ? 3 : 4;
  if (!descriptor.contends || !is_cut || group.ranks.size() >= least) return std::nullopt;
  return "one message alone meets nothing, and no two ranks are on either side of this hop";
}

std::optional<std::string> common_hop(const JobPlacement& job, const std::vector<int>& ranks) {
  if (ranks.size() < 2) return std::nullopt;
  const auto common = hop_of(job, {ranks[0], ranks[1]});
  if (!common) return std::nullopt;
  for (std::size_t high = 2; high < ranks.size(); ++high) {
    for (std::size_t low = 0; low < high; ++low) {
      if (hop_of(job, {ranks[low], ranks[high]}) != common) return std::nullopt;
    }
  }
  return word_of(job, ranks, *common);
}

std::vector<GroupRound> split_ranks(Communicator communicator, const JobPlacement& job,
                                    CutUse use) {
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
    case Communicator::across:
      for (const Cut& cut : widest_cuts(job)) rounds.push_back(parted_by(cut, use));
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
    case Communicator::across:
      return "no hop class between two ranks is known (there is one rank, or they are not bound)";
    case Communicator::world:
    case Communicator::half:
    case Communicator::several:
      break;
  }
  return "it needs at least four ranks";
}

void require_two_ranks(const JobPlacement& job, const std::string& operation) {
  if (job.sites.size() >= 2) return;
  throw InputError({"one rank cannot communicate", operation + " needs at least two",
                    "start with mpirun -n 2 or more"});
}

std::vector<placement::RankPair> wanted_pairs(const LaunchOptions& options,
                                              const JobPlacement& job) {
  std::vector<placement::RankPair> pairs;
  std::vector<std::string> present;
  const bool all = options.pairs == PairChoice::all;
  for (const auto& [pair, hop] : all ? every_pair(job) : job.representatives) {
    const std::string word = hop ? hop_name(*hop) : "";
    if (hop && std::ranges::find(present, word) == present.end()) present.push_back(word);
    if (is_wanted(options, hop)) pairs.push_back(pair);
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
  for (const Root& root : options.choices.of(root_parameter)) {
    if (root.rank < ranks) continue;
    throw InputError({"--root " + parameter_text(root) + " of " + std::to_string(ranks) + " ranks",
                      "ranks are counted from 0", "use a smaller number, or start more ranks"});
  }
}

}  // namespace hockney::benchmarks::programs
