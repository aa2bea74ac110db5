#include "apps/suspects.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "core/names.hpp"
#include "core/record_file.hpp"
#include "history/nights/host_pairs.hpp"
#include "verdicts/health/fleet.hpp"

namespace hockney {
namespace {

constexpr std::size_t fewest_companions = 4;  // they tell how far the whole night has moved

/// Two hosts.
struct Link {
  std::string a;
  std::string b;
  friend auto operator<=>(const Link&, const Link&) = default;
};

/// How far a link is from what is expected, at the worst of its points.
struct ScoredLink {
  double worst = 0;  ///< [sigma]
  Link link;
  friend auto operator<=>(const ScoredLink&, const ScoredLink&) = default;
};

std::map<std::string, std::vector<NightlyPair>> pairs_by_point(const std::vector<Record>& records) {
  std::map<std::string, std::vector<NightlyPair>> points;
  for (const NightPair& pair : host_pairs(records, "")) points[pair.point].push_back(pair.pair);
  return points;
}

/// Links to measure again: of each point its suspects, and those nearest to what is expected.
class Chosen {
 public:
  void add(const FleetNight& night) {
    judged_ = judged_ || night.undecided == FleetUndecided::none;
    for (const LinkEffect& link : night.suspects) suspects_.insert({link.a, link.b});
    for (const LinkEffect& link : night.links) {
      double& worst = worst_[Link{link.a, link.b}];
      worst = std::max(worst, std::abs(link.score));
    }
  }

  [[nodiscard]] bool judged() const { return judged_; }
  [[nodiscard]] bool any() const { return !suspects_.empty(); }

  [[nodiscard]] std::vector<Link> links() const {
    std::vector<ScoredLink> others;
    for (const auto& [link, worst] : worst_) {
      if (!suspects_.contains(link)) others.push_back({worst, link});
    }
    std::ranges::sort(others);
    others.resize(std::min(others.size(), std::max(fewest_companions, suspects_.size())));
    std::vector<Link> links(suspects_.begin(), suspects_.end());
    for (const ScoredLink& other : others) links.push_back(other.link);
    return links;
  }

 private:
  bool judged_ = false;
  std::set<Link> suspects_;
  std::map<Link, double> worst_;  ///< score over all points, on either side [sigma]
};

/// "0-3,2-5": the first ranks of the hosts, as the records have them.
std::string as_rank_pairs(const std::vector<Link>& links, const Record& record) {
  std::map<std::string, int> first_rank;
  for (const RankPlace& place : record.ranks) {
    const auto known = first_rank.emplace(place.host, place.rank).first;
    known->second = std::min(known->second, place.rank);
  }
  std::vector<std::string> pairs;
  for (const auto& [a, b] : links) {
    const auto [low, high] = std::minmax(first_rank.at(a), first_rank.at(b));
    pairs.push_back(std::to_string(low) + "-" + std::to_string(high));
  }
  return join(pairs, ",");
}

}  // namespace

bool restrict_to_suspects(CampaignConfig& config, const std::string& folder) {
  std::vector<Record> records = load_records({folder});
  std::erase_if(records, [](const Record& r) { return r.status != LaunchStatus::complete; });
  Chosen chosen;
  for (const auto& [point, pairs] : pairs_by_point(records)) chosen.add(judge_fleet(pairs));
  if (!chosen.judged()) {
    throw InputError({"no suspects can be told from " + folder,
                      "it takes pairs of at least 4 nodes, more of them than nodes",
                      "measure with --pairs all or sparse:16 on one rank a node"});
  }
  if (!chosen.any()) return false;
  const std::string pairs = as_rank_pairs(chosen.links(), records.front());
  config.arguments.insert(config.arguments.end(), {"--pairs", pairs});  // the last one counts
  config.settings.resize(1);
  return true;
}

}  // namespace hockney
