#include "benchmarks/programs/launch/workload.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/resources.hpp"
#include "core/error.hpp"
#include "core/point_choice.hpp"
#include "core/text.hpp"
#include "placement/rank_pairs.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// Adds rounds, points and slots to a workload, operation by operation.
class Planner {
 public:
  Planner(const LaunchOptions& options, const JobPlacement& job, const FloorObstacles& floors,
          const MemoryFacts& memories, LaunchPlan& workload)
      : options_(options),
        job_(job),
        floors_(floors),
        memories_(memories),
        workload_(workload),
        ranks_(static_cast<int>(job.sites.size())) {
    for (const PointChoice& choice : options.left_out) unused_.insert(choice.text());
  }

  void add(const CatalogueEntry& entry) {
    if (entry.descriptor.threaded && options_.same_cores) return add_on_same_cores(entry);
    const GroupShape shape = entry.descriptor.shape;
    if (shape == GroupShape::pair) return add_rounds(entry, pair_rounds());
    const auto communicators = communicators_of(entry.descriptor, options_);
    if (communicators.empty()) return add_everybody(entry);
    for (const Communicator communicator : communicators) {
      const bool all = shape == GroupShape::pairs && communicator == Communicator::world;
      all ? add_everybody(entry) : add_communicator(entry, communicator);
    }
  }

  /// InputError for a choice of --leave-out that names no point. Choices of a campaign may: its
  /// launches can differ in their pairs.
  void check_left_out() const {
    if (unused_.empty() || options_.campaign) return;
    throw InputError({fmt::format("--leave-out '{}'", *unused_.begin()),
                      "it names no point of this launch",
                      "write a point as the summary does, or leave out some of its parameters"});
  }

 private:
  void add_everybody(const CatalogueEntry& entry) {
    if (entry.descriptor.shape == GroupShape::pairs && ranks_ % 2 != 0) {
      return skip_everywhere(entry, {}, "it needs an even number of ranks");
    }
    add_rounds(entry, everybody_round());
  }

  [[nodiscard]] std::vector<Bytes> sizes_of(const CatalogueEntry& entry,
                                            const Parameters& parameters) const {
    if (!entry.descriptor.sized) return {Bytes{0}};
    if (!entry.descriptor.one_element) {
      std::vector<Bytes> sizes = options_.sizes;
      if (!options_.has_usual_sizes) return sizes;
      std::erase_if(sizes, [&](Bytes bytes) {
        return size_obstacle({.bytes = bytes, .parameters = parameters}).has_value();
      });
      return sizes;
    }
    return {Bytes{static_cast<std::int64_t>(datatype_of({.parameters = parameters}).size)}};
  }

  /// Rounds first .. last-1 of the workload; empty until an operation needs them.
  struct Rounds {
    std::size_t first = 0;
    std::size_t last = 0;
    bool at_once = false;  ///< all groups of a round work at the same time
  };

  void add_rounds(const CatalogueEntry& entry, const Rounds& rounds) {
    add_rounds(entry, rounds, parameters_of(entry.descriptor, options_));
  }
  void add_rounds(const CatalogueEntry& entry, const Rounds& rounds,
                  const std::vector<Parameters>& sets) {
    find_cache_obstacles(rounds);
    for (std::size_t round = rounds.first; round < rounds.last; ++round) {
      for (const Parameters& parameters : sets) {
        for (const Bytes bytes : sizes_of(entry, parameters)) {
          add_points(entry, {.first = round, .last = round + 1, .at_once = rounds.at_once}, bytes,
                     parameters);
        }
      }
    }
  }

  /// Uses every N-th rank for points with N threads.
  void add_on_same_cores(const CatalogueEntry& entry) {
    for (const Parameters& set : parameters_of(entry.descriptor, options_)) {
      const int threads = set[threads_parameter];
      if (const auto reason = spread_obstacle(job_, entry.descriptor.shape, threads)) {
        skip_everywhere(entry, {set}, {}, *reason);
        continue;
      }
      const auto [known, is_new] = spread_.try_emplace(threads);
      if (is_new) {
        known->second = Rounds{workload_.rounds.size(), workload_.rounds.size() + 1, false};
        workload_.rounds.push_back(spread_ranks(job_, threads));
      }
      add_rounds(entry, known->second, {set});
    }
  }

  void add_communicator(const CatalogueEntry& entry, Communicator communicator) {
    const CutUse use = cut_use(entry.descriptor);
    const auto [known, is_new] = communicators_.try_emplace({communicator, use});
    if (is_new) {
      known->second = {.first = workload_.rounds.size(), .at_once = true};
      for (GroupRound& round : split_ranks(communicator, job_, use)) {
        workload_.rounds.push_back(std::move(round));
      }
      known->second.last = workload_.rounds.size();
    }
    Rounds rounds = known->second;
    rounds.at_once = !entry.descriptor.has_neighbours;  // other groups would be neighbours too
    if (rounds.first < rounds.last) return add_rounds(entry, rounds);
    skip_everywhere(entry, {{communicator_parameter, communicator}}, split_obstacle(communicator));
  }

  [[nodiscard]] GroupPlan group_of(const placement::RankPair& pair) const {
    GroupPlan group{.ranks = {pair.first, pair.second}};
    if (const auto hop = hop_of(job_, pair)) group.hop = hop_word(job_, pair, *hop);
    group.devices = device_hop(memories_.devices, job_.sites, pair);
    return group;
  }

  Rounds pair_rounds() {
    if (pair_rounds_.last == 0) {
      const std::size_t first = workload_.rounds.size();
      for (const placement::Round& round : wanted_rounds(options_, job_)) {
        GroupRound groups;
        for (const placement::RankPair& pair : round) groups.push_back(group_of(pair));
        workload_.rounds.push_back(std::move(groups));
      }
      for (const placement::RankPair& pair :
           more_pairs_of_devices(options_, job_, memories_.devices)) {
        workload_.rounds.push_back({group_of(pair)});
        workload_.rounds.back().front().for_devices = true;
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

  /// Groups of these rounds that work at the same time, together.
  [[nodiscard]] std::vector<GroupRound> together(const Rounds& rounds) const {
    std::vector<GroupRound> all;
    for (std::size_t round = rounds.first; round < rounds.last; ++round) {
      const GroupRound& groups = workload_.rounds[round];
      if (rounds.at_once) all.push_back(groups);
      for (const GroupPlan& group : groups) {
        if (!rounds.at_once) all.push_back({group});
      }
    }
    return all;
  }

  void find_cache_obstacles(const Rounds& rounds) {
    cache_obstacles_.clear();
    for (const CacheState state : options_.choices.of(cache_parameter)) {
      const auto groups = together(rounds);
      if (auto reason = cache_obstacle(state, job_, groups, options_.buffer_space)) {
        cache_obstacles_[state] = std::move(*reason);
      }
    }
  }

  /// Why files cannot be opened without caching; nullopt if they can, or need not be.
  [[nodiscard]] std::optional<std::string> direct_obstacle(const CatalogueEntry& entry,
                                                           const Point& point) const {
    const bool direct = entry.descriptor.files && file_access_of(point).cache == FileCache::direct;
    const std::string& obstacle = options_.files.direct_obstacle;
    return direct && !obstacle.empty() ? std::optional(obstacle) : std::nullopt;
  }

  /// Why a point cannot be measured; nullopt if it can.
  [[nodiscard]] std::optional<std::string> obstacle_to(const CatalogueEntry& entry,
                                                       const Point& point,
                                                       const GroupPlan& group) const {
    const CacheState state = point.parameters[cache_parameter];
    if (auto reason = sharing_obstacle(entry.descriptor, point, job_, group, floors_))
      return reason;
    if (auto reason = neighbour_obstacle(entry.descriptor, job_, group)) return reason;
    if (auto reason = meeting_obstacle(entry.descriptor, group)) return reason;
    if (auto reason = direct_obstacle(entry, point)) return reason;
    const auto found = cache_obstacles_.find(state);
    if (found != cache_obstacles_.end()) return found->second;
    if (auto reason = obstacle(point)) return reason;
    if (auto reason = call_obstacle(entry.descriptor, point)) return reason;
    if (auto reason = kind_obstacle(entry.descriptor, point, state, job_, group, memories_)) {
      return reason;
    }
    if (auto reason = memory_obstacle(entry.descriptor, point, state, job_, group, options_)) {
      return reason;
    }
    return entry.obstacle == nullptr ? std::nullopt : entry.obstacle(point);
  }

  static bool has_both_on_devices(const Parameters& parameters) {
    const MemorySides& sides = parameters[memory_parameter];
    return is_on_device(sides.first) && is_on_device(sides.second);
  }

  static Point make_point(const CatalogueEntry& entry, const GroupPlan& group, Bytes bytes,
                          const Parameters& parameters) {
    Point point{.operation = std::string(entry.descriptor.name),
                .bytes = bytes,
                .ranks = static_cast<int>(group.ranks.size()),
                .parameters = parameters};
    point.parameters.set(group.parameters);
    if (group.devices && has_both_on_devices(parameters)) {
      point.parameters.set(device_hop_parameter, *group.devices);
    }
    point.hop = group.hop;
    if (group.ranks.size() == 2) point.pair = group.ranks;
    if (entry.descriptor.windowed && !parameters.contains(window_parameter)) {
      point.parameters.set(window_parameter, default_window(bytes));
    }
    return point;
  }

  /// Adds the points of one round.
  void add_points(const CatalogueEntry& entry, const Rounds& only, Bytes bytes,
                  const Parameters& parameters) {
    const GroupRound& groups = workload_.rounds[only.first];
    bool has_slot = false;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      if (groups[group].for_devices && !has_both_on_devices(parameters)) continue;
      Point point = make_point(entry, groups[group], bytes, parameters);
      if (const auto reason = why_left_out(point)) {
        skip(std::move(point), group, *reason);
        continue;
      }
      if (const auto reason = obstacle_to(entry, point, groups[group])) {
        skip(std::move(point), group, *reason);
        continue;
      }
      if (!has_slot || !only.at_once) {
        workload_.slots.push_back({.operation = &entry, .round = only.first});
      }
      has_slot = true;
      workload_.slots.back().points.push_back(workload_.points.size());
      const auto at_work = only.at_once ? std::span(groups) : std::span(&groups[group], 1);
      const Volume volume = entry.volume(point);
      PlannedMeasurement& planned = workload_.points.emplace_back();
      planned.point = std::move(point);
      planned.bytes_per_sample = volume.bytes.value;
      planned.bus_bytes_per_sample = volume.bus_bytes;
      planned.round = only.first;
      planned.group = group;
      if (entry.descriptor.threaded) {
        add_threads(job_, groups[group].ranks, options_.same_cores, planned);
      }
      planned.cache = plan_cache(parameters[cache_parameter], job_, groups[group], at_work);
    }
  }

  /// nullopt if no choice of --leave-out names the point.
  std::optional<std::string> why_left_out(const Point& point) {
    if (options_.left_out.empty()) return std::nullopt;
    const hockney::Point named = recorded(point);
    for (const PointChoice& choice : options_.left_out) {
      if (!choice.names(named)) continue;
      unused_.erase(choice.text());
      return choice.reason.empty() ? "left out by --leave-out" : choice.reason;
    }
    return std::nullopt;
  }

  void skip(Point point, std::size_t group, const std::string& reason) {
    PlannedMeasurement& planned = workload_.points.emplace_back();
    planned.point = std::move(point);
    planned.status = PointStatus::skipped;
    planned.reason = reason;
    planned.group = group;
  }

  void skip_everywhere(const CatalogueEntry& entry, const Parameters& more,
                       const std::string& reason) {
    skip_everywhere(entry, parameters_of(entry.descriptor, options_), more, reason);
  }

  /// Adds all points of an operation, on all ranks, as skipped for a common reason.
  void skip_everywhere(const CatalogueEntry& entry, const std::vector<Parameters>& sets,
                       const Parameters& more, const std::string& reason) {
    for (const Parameters& parameters : sets) {
      for (const Bytes bytes : sizes_of(entry, parameters)) {
        Point point{.operation = std::string(entry.descriptor.name),
                    .bytes = bytes,
                    .ranks = ranks_,
                    .parameters = parameters};
        point.parameters.set(more);
        skip(std::move(point), 0, reason);
      }
    }
  }

  const LaunchOptions& options_;
  const JobPlacement& job_;
  const FloorObstacles& floors_;
  const MemoryFacts& memories_;
  LaunchPlan& workload_;
  int ranks_;
  Rounds pair_rounds_;
  Rounds everybody_;
  std::map<std::pair<Communicator, CutUse>, Rounds> communicators_;
  std::map<int, Rounds> spread_;                       ///< by number of threads
  std::map<CacheState, std::string> cache_obstacles_;  ///< for the current operation
  std::set<std::string> unused_;                       ///< choices of --leave-out without a point
};

}  // namespace

std::vector<PlannedPoint> recorded(const std::vector<PlannedMeasurement>& points) {
  std::vector<PlannedPoint> all;
  all.reserve(points.size());
  for (const PlannedMeasurement& planned : points) {
    all.push_back({.point = recorded(planned.point),
                   .bytes_per_sample = planned.bytes_per_sample,
                   .bus_bytes_per_sample = planned.bus_bytes_per_sample,
                   .status = planned.status,
                   .reason = planned.reason,
                   .thread_cpus = planned.thread_cpus});
  }
  return all;
}

LaunchPlan plan_workload(const LaunchOptions& options, const JobPlacement& job,
                         const FloorObstacles& floors, const MemoryFacts& memories) {
  check_ranks(options, job);
  LaunchPlan workload;
  for (const Site& site : job.sites) workload.local_ranks.push_back(site.local_rank);
  Planner planner(options, job, floors, memories, workload);
  for (const std::string& name : options.operations) planner.add(find_operation(name));
  planner.check_left_out();
  return workload;
}

}  // namespace hockney::benchmarks::programs
