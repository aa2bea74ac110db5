#include "benchmarks/programs/launch/communicators.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {

using placement::Hop;

namespace {

/// Sets of ranks in ascending order; no rank is in two sets.
using RankSets = std::vector<std::vector<int>>;

/// The ranks of each node, in order of nodes.
RankSets nodes_of(const JobPlacement& job);

/// The hop classes between any two ranks, nearest first.
std::set<placement::Hop> hops_of(const JobPlacement& job);

/// Sets of ranks connected by pairs no farther apart than `hop`.
RankSets within(const JobPlacement& job, placement::Hop hop);

/// Two places of the machine and their distance.
struct PlacePair {
  std::string hop;          ///< class of every pair of ranks, one in each place
  std::vector<int> first;   ///< ranks of one place, nearer to each other than that
  std::vector<int> second;  ///< as many ranks of the other place
};

/// The ranks grouped by a property.
template <class PropertyOf>
RankSets grouped(std::size_t ranks, PropertyOf property_of) {
  std::map<decltype(property_of(0)), std::vector<int>> groups;
  for (int rank = 0; rank < static_cast<int>(ranks); ++rank) {
    groups[property_of(rank)].push_back(rank);
  }
  RankSets sets;
  for (auto& [property, members] : groups) sets.push_back(std::move(members));
  return sets;
}

/// Calls `visit` for the pairs of ranks of each set.
template <class Visit>
void for_each_pair(const RankSets& sets, Visit visit) {
  for (const std::vector<int>& ranks : sets) {
    for (std::size_t high = 1; high < ranks.size(); ++high) {
      for (std::size_t low = 0; low < high; ++low) visit({ranks[low], ranks[high]});
    }
  }
}

/// The places of the job from single ranks to the whole, each kind composed of the previous: ranks
/// that share a part of a node, nodes, and nodes that share a part of the network.
std::vector<RankSets> nested_places(const JobPlacement& job) {
  const std::size_t ranks = job.sites.size();
  std::vector<RankSets> places{grouped(ranks, [](int rank) { return rank; })};
  for (const Hop hop : hops_of(job)) {
    if (hop != Hop::cross_node) places.push_back(within(job, hop));
  }
  places.push_back(nodes_of(job));
  for (std::size_t level = 0; job.network && level < job.network->levels.size(); ++level) {
    places.push_back(grouped(ranks, [&](int rank) {
      return sites_of(*job.network, job.sites[static_cast<std::size_t>(rank)].host)[level];
    }));
  }
  places.push_back(grouped(ranks, [](int) { return 0; }));
  return places;
}

/// The widest cut of each class, among cuts between parts of the same larger place.
class WidestCuts {
 public:
  explicit WidestCuts(const JobPlacement& job) : job_(job) {}

  void add(const RankSets& parts) {
    const bool are_single =
        std::ranges::all_of(parts, [](const auto& part) { return part.size() == 1; });
    if (are_single && add_halves(parts)) return;
    for (std::size_t second = 1; second < parts.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) add(parts[first], parts[second]);
    }
  }

  [[nodiscard]] std::vector<PlacePair> take() { return std::move(cuts_); }

 private:
  [[nodiscard]] std::optional<std::string> word_of(int one, int other) const {
    const placement::RankPair ends{std::min(one, other), std::max(one, other)};
    const auto hop = hop_of(job_, ends);
    return hop ? std::optional(hop_word(job_, ends, *hop)) : std::nullopt;
  }

  void keep_wider(PlacePair cut) {
    const auto known = std::ranges::find(cuts_, cut.hop, &PlacePair::hop);
    if (known == cuts_.end()) {
      cuts_.push_back(std::move(cut));
    } else if (known->first.size() < cut.first.size()) {
      *known = std::move(cut);
    }
  }

  /// Adds the halves of single ranks with equal distances. Returns whether there are such halves.
  bool add_halves(const RankSets& parts) {
    const std::size_t width = parts.size() / 2;
    if (width < 2) return false;
    const auto word = word_of(parts[0].front(), parts[width].front());
    if (!word) return false;
    PlacePair cut{.hop = *word, .first = {}, .second = {}};
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = width; j < 2 * width; ++j) {
        if (word_of(parts[i].front(), parts[j].front()) != word) return false;
      }
      cut.first.push_back(parts[i].front());
      cut.second.push_back(parts[width + i].front());
    }
    keep_wider(std::move(cut));
    return true;
  }

  void add(const std::vector<int>& one, const std::vector<int>& other) {
    const auto word = word_of(one.front(), other.front());
    if (!word) return;
    const auto width = static_cast<std::ptrdiff_t>(std::min(one.size(), other.size()));
    keep_wider({*word, {one.begin(), one.begin() + width}, {other.begin(), other.begin() + width}});
  }

  const JobPlacement& job_;
  std::vector<PlacePair> cuts_;
};

RankSets nodes_of(const JobPlacement& job) {
  return grouped(job.sites.size(),
                 [&](int rank) { return job.sites[static_cast<std::size_t>(rank)].node; });
}

std::set<Hop> hops_of(const JobPlacement& job) {
  std::set<Hop> present;
  const RankSets nodes = nodes_of(job);
  if (nodes.size() > 1) present.insert(Hop::cross_node);
  for_each_pair(nodes, [&](const placement::RankPair& pair) {
    if (const auto hop = hop_of(job, pair)) present.insert(*hop);
  });
  return present;
}

RankSets within(const JobPlacement& job, Hop hop) {
  std::vector<int> heads(job.sites.size());  // the lowest rank that each is connected to
  std::iota(heads.begin(), heads.end(), 0);
  if (hop == Hop::cross_node) return {heads};
  for_each_pair(nodes_of(job), [&](const placement::RankPair& pair) {
    const auto apart = hop_of(job, pair);
    if (!apart || *apart > hop) return;
    const auto [kept, given_up] = std::minmax({heads[static_cast<std::size_t>(pair.first)],
                                               heads[static_cast<std::size_t>(pair.second)]});
    if (kept != given_up) std::ranges::replace(heads, given_up, kept);
  });
  return grouped(heads.size(), [&](int rank) { return heads[static_cast<std::size_t>(rank)]; });
}

/// For each hop class, near to far, with those of the network: the two places between which most
/// pairs of ranks can communicate; the first of equal ones. If places are single ranks, such as
/// cores of one cache, the two halves of all. Unknown classes, as of unbound ranks, are left out.
std::vector<PlacePair> widest_cuts(const JobPlacement& job) {
  const std::vector<RankSets> places = nested_places(job);
  WidestCuts cuts(job);
  for (std::size_t kind = 1; kind < places.size(); ++kind) {
    for (const std::vector<int>& larger : places[kind]) {
      RankSets parts;
      for (const std::vector<int>& part : places[kind - 1]) {
        if (std::ranges::binary_search(larger, part.front())) parts.push_back(part);
      }
      cuts.add(parts);
    }
  }
  return cuts.take();
}

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

/// Two ranks also have a distance in the network; for more ranks it is `hop`.
std::string word_of(const JobPlacement& job, const std::vector<int>& ranks, Hop hop) {
  return ranks.size() == 2 ? hop_word(job, {ranks[0], ranks[1]}, hop) : hop_name(hop);
}

/// Adds one round of all sets that can communicate.
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

GroupRound parted_by(const PlacePair& cut, CutUse use) {
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

/// The first rank of each node; all ranks if there is only one node.
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
  return parse_word<Communicator>(name, fmt::format("unknown communicator '{}'", name),
                                  "no way to choose ranks has this name");
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
      return fmt::format("ranks {} and {} are no neighbours (they share a CPU, or are not bound)",
                         group.ranks[j], group.ranks[i]);
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
      for (const PlacePair& cut : widest_cuts(job)) rounds.push_back(parted_by(cut, use));
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

std::vector<placement::RankPair> more_pairs_of_devices(const LaunchOptions& options,
                                                       const JobPlacement& job,
                                                       const DevicePlaces& devices) {
  if (options.pairs != PairChoice::representative) return {};
  std::vector<placement::RankHop> known;
  for (const placement::RankPair& pair : wanted_pairs(options, job)) {
    known.push_back({pair, hop_of(job, pair)});
  }
  std::vector<placement::RankPair> pairs = pairs_of_devices(devices, job, known);
  std::erase_if(pairs, [&](const placement::RankPair& pair) {
    return !is_wanted(options, hop_of(job, pair));
  });
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
    throw InputError({fmt::format("--root {} of {} ranks", parameter_text(root), ranks),
                      "ranks are counted from 0", "use a smaller number, or start more ranks"});
  }
}

}  // namespace hockney::benchmarks::programs
