#include "benchmarks/programs/launch/workload.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "benchmarks/harness/obstacles.hpp"
#include "benchmarks/harness/operators.hpp"
#include "benchmarks/harness/rooted_data.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "benchmarks/programs/launch/cache_planning.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/parameters.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/schedule.hpp"

namespace hockney {
namespace {

/// A collective with itself takes a time, a message to nobody does not; a root must be a rank.
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

/// Adds rounds, points and slots to a workload, operation by operation.
class Planner {
 public:
  Planner(const LaunchOptions& options, const JobPlacement& job, const FloorObstacles& floors,
          LaunchPlan& workload)
      : options_(options),
        job_(job),
        floors_(floors),
        workload_(workload),
        ranks_(static_cast<int>(job.sites.size())) {}

  void add(const CatalogueEntry& entry) {
    const GroupShape shape = entry.descriptor.shape;
    if (shape == GroupShape::pairs && ranks_ % 2 != 0) return skip_for_odd_ranks(entry);
    if (shape == GroupShape::pair) return add_rounds(entry, pair_rounds());
    if (shape == GroupShape::pairs || options_.communicators.empty()) {
      return add_rounds(entry, everybody_round());
    }
    for (const std::string& name : options_.communicators) add_communicator(entry, name);
  }

 private:
  [[nodiscard]] std::vector<Bytes> sizes_of(const CatalogueEntry& entry) const {
    return entry.descriptor.sized ? options_.sizes : std::vector<Bytes>{Bytes{0}};
  }

  /// Rounds first .. last-1 of the workload; none until an operation needs them.
  struct Rounds {
    std::size_t first = 0;
    std::size_t last = 0;
    bool at_once = false;  ///< all teams of a round at the same time
  };

  void add_rounds(const CatalogueEntry& entry, const Rounds& rounds) {
    find_cache_obstacles(rounds);
    for (std::size_t round = rounds.first; round < rounds.last; ++round) {
      for (const Parameters& parameters : parameters_of(entry.descriptor, options_)) {
        for (const Bytes bytes : sizes_of(entry)) {
          add_points(entry, {.first = round, .last = round + 1, .at_once = rounds.at_once}, bytes,
                     parameters);
        }
      }
    }
  }

  void add_communicator(const CatalogueEntry& entry, const std::string& name) {
    const auto [known, is_new] = communicators_.try_emplace(name);
    if (is_new) {
      known->second = {.first = workload_.rounds.size(), .at_once = true};
      for (TeamRound& round : split_ranks(name, job_)) {
        workload_.rounds.push_back(std::move(round));
      }
      known->second.last = workload_.rounds.size();
    }
    if (known->second.first < known->second.last) return add_rounds(entry, known->second);
    skip_everywhere(entry, {{"communicator", name}}, split_obstacle(name));
  }

  Rounds pair_rounds() {
    if (pair_rounds_.last == 0) {
      const std::size_t first = workload_.rounds.size();
      for (const Round& round : wanted_rounds(options_, job_)) {
        TeamRound teams;
        for (const RankPair& pair : round) {
          teams.push_back({.ranks = {pair.first, pair.second}, .hop = hop_of(job_, pair)});
        }
        workload_.rounds.push_back(std::move(teams));
      }
      pair_rounds_ = Rounds{first, workload_.rounds.size(), options_.concurrent};
    }
    return pair_rounds_;
  }

  Rounds everybody_round() {
    if (everybody_.last == 0) {
      std::vector<int> all(job_.sites.size());
      std::iota(all.begin(), all.end(), 0);
      everybody_ = Rounds{workload_.rounds.size(), workload_.rounds.size() + 1, false};
      workload_.rounds.push_back({{.ranks = all, .hop = common_hop(job_, all)}});
    }
    return everybody_;
  }

  /// The teams of these rounds, those that are at work at the same time together.
  [[nodiscard]] std::vector<TeamRound> groups(const Rounds& rounds) const {
    std::vector<TeamRound> all;
    for (std::size_t round = rounds.first; round < rounds.last; ++round) {
      const TeamRound& teams = workload_.rounds[round];
      if (rounds.at_once) all.push_back(teams);
      for (const TeamPlan& team : teams) {
        if (!rounds.at_once) all.push_back({team});
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
  [[nodiscard]] std::optional<std::string> obstacle_to(const CatalogueEntry& entry,
                                                       const Point& point,
                                                       const TeamPlan& team) const {
    if (auto reason = floor_obstacle(entry.descriptor.carrier, team)) return reason;
    const auto found = cache_obstacles_.find(cache_of(point.parameters));
    if (found != cache_obstacles_.end()) return found->second;
    if (auto reason = obstacle(point)) return reason;
    if (auto reason = call_obstacle(entry.descriptor, point)) return reason;
    if (auto reason = memory_obstacle(buffer_bytes(entry.descriptor, point), job_, team)) {
      return reason;
    }
    return entry.obstacle == nullptr ? std::nullopt : entry.obstacle(point);
  }

  Point make_point(const CatalogueEntry& entry, const TeamPlan& team, Bytes bytes,
                   const Parameters& parameters) const {
    Point point{.operation = std::string(entry.descriptor.name),
                .bytes = bytes,
                .ranks = static_cast<int>(team.ranks.size()),
                .parameters = parameters};
    point.parameters.insert(team.parameters.begin(), team.parameters.end());
    if (team.hop) point.hop = hop_name(*team.hop);
    if (team.ranks.size() == 2) point.pair = team.ranks;
    if (entry.descriptor.windowed) {
      point.parameters["window"] = std::to_string(options_.window.value_or(default_window(bytes)));
    }
    return point;
  }

  /// One round.
  void add_points(const CatalogueEntry& entry, const Rounds& only, Bytes bytes,
                  const Parameters& parameters) {
    const TeamRound& teams = workload_.rounds[only.first];
    bool has_slot = false;
    for (std::size_t team = 0; team < teams.size(); ++team) {
      Point point = make_point(entry, teams[team], bytes, parameters);
      if (const auto reason = obstacle_to(entry, point, teams[team])) {
        skip(std::move(point), team, *reason);
        continue;
      }
      if (!has_slot || !only.at_once) {
        workload_.slots.push_back({.operation = &entry, .round = only.first});
      }
      has_slot = true;
      workload_.slots.back().points.push_back(workload_.points.size());
      add_point(entry, std::move(point), only, team);
    }
  }

  void add_point(const CatalogueEntry& entry, Point point, const Rounds& only, std::size_t team) {
    const TeamRound& teams = workload_.rounds[only.first];
    const Parameters parameters = point.parameters;
    const Volume volume = entry.volume(point);
    workload_.points.push_back({.point = std::move(point),
                                .bytes_per_sample = volume.bytes.value,
                                .bus_bytes_per_sample = volume.bus_bytes});
    workload_.teams.push_back(team);
    workload_.slow_downs.push_back(slow_down_of(parameters, options_));
    workload_.suites.push_back(suite_of(parameters));
    const TeamRound at_work = only.at_once ? teams : TeamRound{teams[team]};
    workload_.caches.push_back(plan_cache(cache_of(parameters), job_, teams[team], at_work));
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
    skip_everywhere(entry, {}, "it needs an even number of ranks");
  }

  /// All points of an operation, in all ranks, for a reason that is none of the points.
  void skip_everywhere(const CatalogueEntry& entry, const Parameters& more,
                       const std::string& reason) {
    for (const Parameters& parameters : parameters_of(entry.descriptor, options_)) {
      for (const Bytes bytes : sizes_of(entry)) {
        Point point{.operation = std::string(entry.descriptor.name),
                    .bytes = bytes,
                    .ranks = ranks_,
                    .parameters = parameters};
        point.parameters.insert(more.begin(), more.end());
        skip(std::move(point), 0, reason);
      }
    }
  }

  const LaunchOptions& options_;
  const JobPlacement& job_;
  const FloorObstacles& floors_;
  LaunchPlan& workload_;
  int ranks_;
  Rounds pair_rounds_;
  Rounds everybody_;
  std::map<std::string, Rounds> communicators_;
  std::map<CacheState, std::string> cache_obstacles_;  ///< of the operation under way
};

}  // namespace

LaunchPlan plan_workload(const LaunchOptions& options, const JobPlacement& job,
                         const FloorObstacles& floors) {
  check_ranks(options, job);
  LaunchPlan workload;
  Planner planner(options, job, floors, workload);
  for (const std::string& name : options.operations) planner.add(find_operation(name));
  return workload;
}

}  // namespace hockney
