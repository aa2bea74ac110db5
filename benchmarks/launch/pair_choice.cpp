#include "benchmarks/launch/pair_choice.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/names.hpp"

namespace hockney {

std::optional<Hop> hop_of(const JobPlacement& job, const RankPair& pair) {
  const auto known = std::ranges::find(job.hops, pair, &RankHop::ranks);
  return known == job.hops.end() ? std::nullopt : known->hop;
}

void require_two_ranks(const JobPlacement& job, const std::string& operation) {
  if (job.sites.size() >= 2) return;
  throw InputError({"one rank cannot communicate", operation + " needs at least two",
                    "start with mpirun -n 2 or more"});
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

}  // namespace hockney
