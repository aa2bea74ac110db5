#include "benchmarks/launch/workload.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "benchmarks/harness/operators.hpp"
#include "benchmarks/harness/window.hpp"
#include "benchmarks/launch/cache_planning.hpp"
#include "benchmarks/launch/pair_choice.hpp"
#include "benchmarks/launch/parameters.hpp"
#include "core/error.hpp"
#include "core/names.hpp"
#include "placement/schedule.hpp"

namespace hockney {
namespace {

/// The one distance between any two ranks of the job; nullopt when there are several.
std::optional<Hop> common_hop(const JobPlacement& job) {
  if (job.hops.empty()) return std::nullopt;
  const auto differs = [&](const RankHop& pair) { return pair.hop != job.hops.front().hop; };
  return std::ranges::any_of(job.hops, differs) ? std::nullopt : job.hops.front().hop;
}

/// Adds rounds, points and slots to a workload, operation by operation.
class Planner {
 public:
  Planner(const LaunchOptions& options, const JobPlacement& job, const FloorObstacles& floors,
          Workload& workload)
      : options_(options),
        job_(job),
        floors_(floors),
        workload_(workload),
        ranks_(static_cast<int>(job.sites.size())) {}

  void add(const CatalogueEntry& entry) {
    const TeamShape shape = entry.descriptor.shape;
    if (shape == TeamShape::pairs && ranks_ % 2 != 0) return skip_for_odd_ranks(entry);
    const Rounds rounds = shape == TeamShape::pair ? pair_rounds() : everybody_round();
    find_cache_obstacles(rounds);
    for (std::size_t round = rounds.first; round < rounds.last; ++round) {
      for (const Parameters& parameters : parameters_of(entry.descriptor, options_)) {
        for (const Bytes bytes : sizes_of(entry)) add_points(entry, round, bytes, parameters);
      }
    }
  }

 private:
  [[nodiscard]] std::vector<Bytes> sizes_of(const CatalogueEntry& entry) const {
    return entry.descriptor.sized ? options_.sizes : std::vector<Bytes>{Bytes{0}};
  }

  /// Rounds first .. last-1 of the workload; none until an operation needs them.
  struct Rounds {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  Rounds pair_rounds() {
    if (pair_rounds_.last == 0) {
      const std::size_t first = workload_.rounds.size();
      for (const Round& round : tournament(ranks_, wanted_pairs(options_, job_))) {
        TeamRound teams;
        for (const RankPair& pair : round) {
          teams.push_back({{pair.first, pair.second}, hop_of(job_, pair)});
        }
        workload_.rounds.push_back(std::move(teams));
      }
      pair_rounds_ = Rounds{first, workload_.rounds.size()};
    }
    return pair_rounds_;
  }

  Rounds everybody_round() {
    if (everybody_.last == 0) {
      std::vector<int> all(job_.sites.size());
      std::iota(all.begin(), all.end(), 0);
      everybody_ = Rounds{workload_.rounds.size(), workload_.rounds.size() + 1};
      workload_.rounds.push_back({{all, common_hop(job_)}});
    }
    return everybody_;
  }

  /// The teams of these rounds, those that are at work at the same time together.
  [[nodiscard]] std::vector<TeamRound> groups(const Rounds& rounds) const {
    std::vector<TeamRound> all;
    for (std::size_t round = rounds.first; round < rounds.last; ++round) {
      const TeamRound& teams = workload_.rounds[round];
      if (options_.concurrent) all.push_back(teams);
      for (const TeamPlan& team : teams) {
        if (!options_.concurrent) all.push_back({team});
      }
    }
    return all;
  }

  void find_cache_obstacles(const Rounds& rounds) {
    cache_obstacles_.clear();
    for (const CacheState state : options_.caches) {
      if (state == CacheState::hot) continue;
      if (auto reason = cache_obstacle(state, job_, groups(rounds))) {
        cache_obstacles_[state] = std::move(*reason);
      }
    }
  }

  /// Why a team cannot go without MPI; nullopt when it can, or need not.
  [[nodiscard]] std::optional<std::string> floor_obstacle(Carrier carrier,
                                                          const TeamPlan& team) const {
    if (const auto& obstacle = floors_.of(carrier)) return obstacle;
    const auto node = [&](int rank) { return job_.sites[static_cast<std::size_t>(rank)].node; };
    const bool apart = node(team.ranks.front()) != node(team.ranks.back());
    if (carrier == Carrier::mpi || !apart) return std::nullopt;
    return "the ranks are on different nodes, and share no memory";
  }

  /// Why a point cannot be measured; nullopt when it can.
  [[nodiscard]] std::optional<std::string> obstacle_to(const Point& point, Carrier carrier,
                                                       const TeamPlan& team) const {
    if (auto reason = floor_obstacle(carrier, team)) return reason;
    const auto found = cache_obstacles_.find(cache_of(point.parameters));
    return found == cache_obstacles_.end() ? obstacle(point) : found->second;
  }

  Point make_point(const CatalogueEntry& entry, const TeamPlan& team, Bytes bytes,
                   const Parameters& parameters) const {
    Point point{.operation = std::string(entry.descriptor.name),
                .bytes = bytes,
                .ranks = static_cast<int>(team.ranks.size()),
                .parameters = parameters};
    if (team.hop) point.hop = hop_name(*team.hop);
    if (team.ranks.size() == 2) point.pair = team.ranks;
    if (entry.descriptor.windowed) {
      point.parameters["window"] = std::to_string(options_.window.value_or(default_window(bytes)));
    }
    return point;
  }

  void add_points(const CatalogueEntry& entry, std::size_t round, Bytes bytes,
                  const Parameters& parameters) {
    const TeamRound& teams = workload_.rounds[round];
    const double slow_down = slow_down_of(parameters, options_);
    for (std::size_t team = 0; team < teams.size(); ++team) {
      Point point = make_point(entry, teams[team], bytes, parameters);
      if (const auto reason = obstacle_to(point, entry.descriptor.carrier, teams[team])) {
        skip(std::move(point), team, *reason);
        continue;
      }
      // What stands in one team's way stands in all teams' way, so the first one opens the slot.
      if (team == 0 || !options_.concurrent) {
        workload_.slots.push_back({.operation = &entry, .round = round});
      }
      workload_.slots.back().points.push_back(workload_.points.size());
      const std::int64_t counted = entry.account(point).bytes.value;
      workload_.points.push_back({.point = std::move(point), .bytes_per_sample = counted});
      workload_.teams.push_back(team);
      workload_.slow_downs.push_back(slow_down);
      workload_.suites.push_back(suite_of(parameters));
      const TeamRound at_work = options_.concurrent ? teams : TeamRound{teams[team]};
      workload_.caches.push_back(plan_cache(cache_of(parameters), job_, teams[team], at_work));
    }
  }

  void skip(Point point, std::size_t team, const std::string& reason) {
    workload_.points.push_back(
        {.point = std::move(point), .status = PointStatus::skipped, .reason = reason});
    workload_.teams.push_back(team);
    workload_.slow_downs.push_back(0);
    workload_.suites.emplace_back();
    workload_.caches.emplace_back();
  }

  void skip_for_odd_ranks(const CatalogueEntry& entry) {
    for (const Parameters& parameters : parameters_of(entry.descriptor, options_)) {
      for (const Bytes bytes : sizes_of(entry)) {
        skip({.operation = std::string(entry.descriptor.name),
              .bytes = bytes,
              .ranks = ranks_,
              .parameters = parameters},
             0, "it needs an even number of ranks");
      }
    }
  }

  const LaunchOptions& options_;
  const JobPlacement& job_;
  const FloorObstacles& floors_;
  Workload& workload_;
  int ranks_;
  Rounds pair_rounds_;
  Rounds everybody_;
  std::map<CacheState, std::string> cache_obstacles_;  ///< of the operation under way
};

}  // namespace

Workload plan_workload(const LaunchOptions& options, const JobPlacement& job,
                       const FloorObstacles& floors) {
  require_two_ranks(job);
  Workload workload;
  Planner planner(options, job, floors, workload);
  for (const std::string& name : options.operations) planner.add(find_operation(name));
  return workload;
}

}  // namespace hockney
