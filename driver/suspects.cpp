#include "driver/suspects.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"

namespace hockney::driver {
namespace {

constexpr std::size_t fewest_companions = 4;  // they show how far all links moved that night

/// Two hosts.
struct Link {
  std::string a;
  std::string b;
  friend auto operator<=>(const Link&, const Link&) = default;
};

/// Distance of a link from its expectation, at the worst of its points.
struct ScoredLink {
  double worst = 0;  ///< [sigma]
  Link link;
  friend auto operator<=>(const ScoredLink&, const ScoredLink&) = default;
};

std::map<std::string, std::vector<fleet::NightlyPair>> pairs_by_point(
    const std::vector<Record>& records) {
  std::map<std::string, std::vector<fleet::NightlyPair>> points;
  for (const fleet::NightPair& pair : fleet::host_pairs(records, ""))
    points[pair.point].push_back(pair.pair);
  return points;
}

/// Links to measure again: the suspects of each point, and the links nearest to their expectation.
class Chosen {
 public:
  void add(const fleet::FleetNight& night) {
    judged_ = judged_ || night.undecided == fleet::FleetUndecided::none;
    for (const fleet::LinkEffect& link : night.suspects) suspects_.insert({link.a, link.b});
    for (const fleet::LinkEffect& link : night.links) {
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

/// "0-3,2-5": the first ranks of the hosts.
std::string as_rank_pairs(const std::vector<Link>& links, const fleet::HostsOfRanks& hosts) {
  std::map<std::string, int> first_rank;
  for (const auto& [rank, host] : hosts) first_rank.emplace(host, rank);
  std::vector<std::string> pairs;
  for (const auto& [a, b] : links) {
    const auto [low, high] = std::minmax(first_rank.at(a), first_rank.at(b));
    pairs.push_back(fmt::format("{}-{}", low, high));
  }
  return join(pairs, ",");
}

bool is_of(const Record& record, const campaign::Config& config) {
  return record.campaign && record.campaign->name == config.name;
}

/// The complete launches of the campaign's first setting.
std::vector<Record> records_of(const campaign::Config& config, const std::string& folder) {
  std::vector<Record> records = load_records({folder}, Kept::times);
  std::erase_if(records, [&](const Record& record) { return !is_of(record, config); });
  if (records.empty()) {
    throw InputError({fmt::format("no records of the campaign '{}' in {}", config.name, folder),
                      "suspects are measured again by the campaign that found them",
                      "name its config and its folder"});
  }
  std::erase_if(records, [&](const Record& record) {
    return record.status != LaunchStatus::complete ||
           record.campaign->setting != config.settings.front().name;
  });
  return records;
}

void require_one_placement(const std::vector<Record>& records, const std::string& folder) {
  const bool same = std::ranges::all_of(records, [&](const Record& record) {
    return fleet::hosts_by_rank(record) == fleet::hosts_by_rank(records.front());
  });
  if (same) return;
  throw InputError({fmt::format("the launches in {} had their ranks on different hosts", folder),
                    "pairs are measured again by their ranks",
                    "start them all in one allocation, on the same nodes in the same order"});
}

}  // namespace

std::optional<fleet::HostsOfRanks> restrict_to_suspects(campaign::Config& config,
                                                        const std::string& folder) {
  if (config.sweep) {
    throw InputError({"--suspects of a sweep", "its settings are not nights of one machine",
                      "use a campaign without axes"});
  }
  const std::vector<Record> records = records_of(config, folder);
  Chosen chosen;
  for (const auto& [point, pairs] : pairs_by_point(records)) chosen.add(fleet::judge_fleet(pairs));
  if (!chosen.judged()) {
    throw InputError({"no suspects can be found in " + folder,
                      "it takes pairs of at least 4 nodes, more of them than nodes",
                      "measure with --pairs all or sparse:16 on one rank a node"});
  }
  require_one_placement(records, folder);
  if (!chosen.any()) return std::nullopt;
  fleet::HostsOfRanks hosts = fleet::hosts_by_rank(records.front());
  // The last --pairs counts.
  config.arguments.insert(config.arguments.end(),
                          {"--pairs", as_rank_pairs(chosen.links(), hosts)});
  config.settings.resize(1);
  return hosts;
}

void require_hosts(std::span<const Record> records, const fleet::HostsOfRanks& hosts) {
  for (const Record& record : records) {
    for (const auto& [rank, host] : fleet::hosts_by_rank(record)) {
      const auto known = hosts.find(rank);
      if (known != hosts.end() && known->second == host) continue;
      throw RunError({fmt::format("rank {} ran on {} this time", rank, host),
                      "the suspects are links of other nodes, and have not been measured",
                      "repeat in the allocation of the night, with as many ranks"});
    }
  }
}

}  // namespace hockney::driver
