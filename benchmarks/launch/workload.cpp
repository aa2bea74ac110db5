#include "benchmarks/launch/workload.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "benchmarks/harness/operators.hpp"
#include "benchmarks/harness/window.hpp"
#include "core/error.hpp"
#include "core/names.hpp"
#include "core/timing_parameter.hpp"
#include "placement/schedule.hpp"

namespace hockney {
namespace {

std::optional<Hop> hop_of(const JobPlacement& job, const RankPair& pair) {
  const auto known = std::ranges::find(job.hops, pair, &RankHop::ranks);
  return known == job.hops.end() ? std::nullopt : known->hop;
}

/// The one distance between any two ranks of the job; nullopt when there are several.
std::optional<Hop> common_hop(const JobPlacement& job) {
  if (job.hops.empty()) return std::nullopt;
  const auto differs = [&](const RankHop& pair) { return pair.hop != job.hops.front().hop; };
  return std::ranges::any_of(job.hops, differs) ? std::nullopt : job.hops.front().hop;
}

std::vector<RankPair> wanted_pairs(const LaunchOptions& options, const JobPlacement& job) {
  const bool all = options.pairs == PairChoice::all;
  std::vector<RankPair> pairs;
  std::vector<std::string> present;
  for (const RankHop& candidate : all ? job.hops : job.representatives) {
    if (candidate.hop) present.push_back(hop_name(*candidate.hop));
    const auto is_wanted = [&](Hop hop) { return candidate.hop == hop; };
    if (options.hops.empty() || std::ranges::any_of(options.hops, is_wanted)) {
      pairs.push_back(candidate.ranks);
    }
  }
  if (pairs.empty() && options.hops.empty()) pairs.push_back({0, 1});
  if (pairs.empty()) {
    throw InputError({"no pair of ranks is of a wanted hop class",
                      "the classes present are: " + (present.empty() ? "none" : join(present)),
                      "start more ranks or ask for another class"});
  }
  return pairs;
}

using Parameters = std::map<std::string, std::string>;

/// One set of parameters for each datatype and operator that an operation is measured with.
std::vector<Parameters> data_parameters(const Descriptor& descriptor,
                                        const LaunchOptions& options) {
  if (!descriptor.sized) return {{}};
  std::vector<std::string> types = options.datatypes;
  std::vector<std::string> operators = options.operators;
  if (types.empty() && !descriptor.reduces) return {{}};
  if (types.empty()) types = {"double"};
  if (operators.empty()) operators = {"sum"};
  std::vector<Parameters> all;
  for (const std::string& type : types) {
    if (!descriptor.reduces) all.push_back({{"datatype", type}});
    for (const std::string& op : operators) {
      if (descriptor.reduces) all.push_back({{"datatype", type}, {"operator", op}});
    }
  }
  return all;
}

/// Every set of parameters with each value of one more; as they are where there are no values.
std::vector<Parameters> combined(const std::vector<Parameters>& sets, const std::string& key,
                                 const std::vector<std::string>& values) {
  if (values.empty()) return sets;
  std::vector<Parameters> all;
  for (const Parameters& parameters : sets) {
    for (const std::string& value : values) {
      all.push_back(parameters);
      all.back()[key] = value;
    }
  }
  return all;
}

std::optional<Suite> suite_of(const Parameters& parameters) {
  const auto name = parameters.find(timing_parameter);
  return name == parameters.end() ? std::nullopt : std::optional(parse_suite(name->second));
}

/// Adds rounds, points and slots to a workload, operation by operation.
class Planner {
 public:
  Planner(const LaunchOptions& options, const JobPlacement& job, Workload& workload)
      : options_(options),
        job_(job),
        workload_(workload),
        ranks_(static_cast<int>(job.sites.size())) {}

  void add(const CatalogueEntry& entry) {
    const TeamShape shape = entry.descriptor.shape;
    if (shape == TeamShape::pairs && ranks_ % 2 != 0) return skip_for_odd_ranks(entry);
    const auto [first, last] = shape == TeamShape::pair ? pair_rounds() : everybody_round();
    for (std::size_t round = first; round < last; ++round) {
      for (const Parameters& parameters : parameters_of(entry.descriptor)) {
        for (const Bytes bytes : sizes_of(entry)) add_points(entry, round, bytes, parameters);
      }
    }
  }

 private:
  [[nodiscard]] std::vector<Bytes> sizes_of(const CatalogueEntry& entry) const {
    return entry.descriptor.sized ? options_.sizes : std::vector<Bytes>{Bytes{0}};
  }

  /// Of data, variants and timings, in all combinations; our own timing comes first.
  [[nodiscard]] std::vector<Parameters> parameters_of(const Descriptor& descriptor) const {
    std::vector<std::string> variants;
    for (const Variant& variant : options_.variants) variants.push_back(variant.name);
    std::vector<Parameters> all =
        combined(data_parameters(descriptor, options_), "variant", variants);
    if (options_.compat.empty()) return all;
    std::vector<std::string> suites;
    for (const Suite suite : options_.compat) suites.push_back(suite_name(suite));
    const std::vector<Parameters> others = combined(all, timing_parameter, suites);
    all.insert(all.end(), others.begin(), others.end());
    return all;
  }

  [[nodiscard]] double slow_down_of(const Parameters& parameters) const {
    const auto name = parameters.find("variant");
    if (name == parameters.end()) return 0;
    return std::ranges::find(options_.variants, name->second, &Variant::name)->slow_down;
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
    const double slow_down = slow_down_of(parameters);
    for (std::size_t team = 0; team < teams.size(); ++team) {
      Point point = make_point(entry, teams[team], bytes, parameters);
      if (const auto reason = obstacle(point)) {
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
    }
  }

  void skip(Point point, std::size_t team, const std::string& reason) {
    workload_.points.push_back(
        {.point = std::move(point), .status = PointStatus::skipped, .reason = reason});
    workload_.teams.push_back(team);
    workload_.slow_downs.push_back(0);
    workload_.suites.emplace_back();
  }

  void skip_for_odd_ranks(const CatalogueEntry& entry) {
    for (const Parameters& parameters : parameters_of(entry.descriptor)) {
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
  Workload& workload_;
  int ranks_;
  Rounds pair_rounds_;
  Rounds everybody_;
};

}  // namespace

Workload plan_workload(const LaunchOptions& options, const JobPlacement& job) {
  if (job.sites.size() < 2) {
    throw InputError({"one rank cannot communicate", "every operation needs at least two",
                      "start with mpirun -n 2 or more"});
  }
  Workload workload;
  Planner planner(options, job, workload);
  for (const std::string& name : options.operations) planner.add(find_operation(name));
  return workload;
}

}  // namespace hockney
