#include "benchmarks/programs/launch/places.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace hockney::benchmarks::programs {

using placement::Hop;
namespace {

/// The ranks by some property of each.
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

/// Visits the pairs of ranks of each set.
template <class Visit>
void for_each_pair(const RankSets& sets, Visit visit) {
  for (const std::vector<int>& ranks : sets) {
    for (std::size_t high = 1; high < ranks.size(); ++high) {
      for (std::size_t low = 0; low < high; ++low) visit({ranks[low], ranks[high]});
    }
  }
}

/// The places of the job from single ranks to all of it, each kind made of those before it: what
/// ranks of a node share, nodes, and what nodes share in the network.
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

/// The wider one of each class, of cuts between places that are parts of the same larger one.
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

  [[nodiscard]] std::vector<Cut> take() { return std::move(cuts_); }

 private:
  [[nodiscard]] std::optional<std::string> word_of(int one, int other) const {
    const placement::RankPair ends{std::min(one, other), std::max(one, other)};
    const auto hop = hop_of(job_, ends);
    return hop ? std::optional(hop_word(job_, ends, *hop)) : std::nullopt;
  }

  void keep_wider(Cut cut) {
    const auto known = std::ranges::find(cuts_, cut.hop, &Cut::hop);
    if (known == cuts_.end()) {
      cuts_.push_back(std::move(cut));
    } else if (known->first.size() < cut.first.size()) {
      *known = std::move(cut);
    }
  }

  /// Single ranks that are all as far apart: one half of them and the other. Whether they are.
  bool add_halves(const RankSets& parts) {
    const std::size_t width = parts.size() / 2;
    if (width < 2) return false;
    const auto word = word_of(parts[0].front(), parts[width].front());
    if (!word) return false;
    Cut cut{.hop = *word, .first = {}, .second = {}};
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
  std::vector<Cut> cuts_;
};

}  // namespace

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
  std::vector<int> heads(job.sites.size());  // the lowest rank each one is joined to
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

std::vector<Cut> widest_cuts(const JobPlacement& job) {
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

}  // namespace hockney::benchmarks::programs
