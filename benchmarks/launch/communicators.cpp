#include "benchmarks/launch/communicators.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "core/error.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

using Groups = std::vector<std::vector<int>>;

std::vector<int> first_ranks(std::size_t count) {
  std::vector<int> ranks(count);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Groups nodes_of(const JobPlacement& job) {
  std::map<int, std::vector<int>> nodes;
  for (const Site& site : job.sites) nodes[site.node].push_back(site.rank);
  Groups groups;
  for (const auto& [node, ranks] : nodes) groups.push_back(ranks);
  return groups;
}

Groups leaders_of(const JobPlacement& job) {
  std::vector<int> leaders;
  for (const auto& node : nodes_of(job)) leaders.push_back(node.front());
  return {leaders};
}

Groups halves_of(const JobPlacement& job) {
  const std::vector<int> all = first_ranks(job.sites.size());
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  return {{all.begin(), middle}, {middle, all.end()}};
}

/// Ranks that are joined by pairs no farther apart than `hop`.
Groups within(const JobPlacement& job, Hop hop) {
  std::vector<int> heads = first_ranks(job.sites.size());  // the lowest rank each one is joined to
  for (const RankHop& pair : job.hops) {
    if (!pair.hop || *pair.hop > hop) continue;
    const int kept = heads[static_cast<std::size_t>(pair.ranks.first)];
    const int given_up = heads[static_cast<std::size_t>(pair.ranks.second)];
    std::ranges::replace(heads, std::max(kept, given_up), std::min(kept, given_up));
  }
  std::map<int, std::vector<int>> joined;
  for (const int rank : first_ranks(heads.size())) {
    joined[heads[static_cast<std::size_t>(rank)]].push_back(rank);
  }
  Groups groups;
  for (const auto& [head, ranks] : joined) groups.push_back(ranks);
  return groups;
}

/// One round of all groups that can communicate.
void add_round(const JobPlacement& job, const std::string& communicator, Groups groups,
               std::optional<Hop> hop, std::vector<TeamRound>& rounds) {
  std::erase_if(groups, [](const std::vector<int>& ranks) { return ranks.size() < 2; });
  TeamRound teams;
  for (const std::vector<int>& ranks : groups) {
    TeamPlan team{.ranks = ranks, .hop = hop ? hop : common_hop(job, ranks)};
    team.parameters["communicator"] = communicator;
    if (groups.size() > 1) team.parameters["team"] = std::to_string(teams.size());
    teams.push_back(std::move(team));
  }
  if (!teams.empty()) rounds.push_back(std::move(teams));
}

}  // namespace

const std::vector<std::string>& communicator_names() {
  static const std::vector<std::string> names{"world", "node", "leaders",
                                              "hops",  "half", "several"};
  return names;
}

void check_communicator(const std::string& name) {
  const auto& names = communicator_names();
  if (std::ranges::find(names, name) != names.end()) return;
  throw InputError({"unknown communicator '" + name + "'", "no way to choose ranks has this name",
                    suggest(name, names)});
}

std::optional<Hop> common_hop(const JobPlacement& job, const std::vector<int>& ranks) {
  const auto is_in = [&](int rank) { return std::ranges::binary_search(ranks, rank); };
  std::optional<Hop> common;
  bool is_first = true;
  for (const RankHop& pair : job.hops) {
    if (!is_in(pair.ranks.first) || !is_in(pair.ranks.second)) continue;
    if (!is_first && pair.hop != common) return std::nullopt;
    common = pair.hop;
    is_first = false;
  }
  return common;
}

std::vector<TeamRound> split_ranks(const std::string& communicator, const JobPlacement& job) {
  std::vector<TeamRound> rounds;
  const auto add = [&](Groups groups, std::optional<Hop> hop = std::nullopt) {
    add_round(job, communicator, std::move(groups), hop, rounds);
  };
  if (communicator == "world") add({first_ranks(job.sites.size())});
  if (communicator == "node") add(nodes_of(job));
  if (communicator == "leaders") add(leaders_of(job));
  if (communicator == "half") add({halves_of(job).front()});
  if (communicator == "several" && job.sites.size() >= 4) add(halves_of(job));
  if (communicator != "hops") return rounds;
  std::vector<Hop> present;
  for (const RankHop& pair : job.hops) {
    if (pair.hop && std::ranges::find(present, *pair.hop) == present.end()) {
      present.push_back(*pair.hop);
    }
  }
  std::ranges::sort(present);
  for (const Hop hop : present) add(within(job, hop), hop);
  return rounds;
}

std::string split_obstacle(const std::string& communicator) {
  if (communicator == "node") return "no node has two ranks";
  if (communicator == "leaders") return "all ranks are on one node";
  if (communicator == "hops") return "no hop class between ranks is known";
  return "it needs at least four ranks";
}

}  // namespace hockney
