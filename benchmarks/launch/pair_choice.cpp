#include "benchmarks/launch/pair_choice.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/names.hpp"

namespace hockney {

std::optional<Hop> hop_of(const JobPlacement& job, const RankPair& pair) {
  // Thousands of nodes have millions of pairs; rank_hops gives them in order.
  const auto place = [](const RankPair& ranks) { return std::pair(ranks.first, ranks.second); };
  const auto known = std::ranges::lower_bound(job.hops, place(pair), {},
                                              [&](const RankHop& hop) { return place(hop.ranks); });
  return known == job.hops.end() || known->ranks != pair ? std::nullopt : known->hop;
}

void require_two_ranks(const JobPlacement& job, const std::string& operation) {
  if (job.sites.size() >= 2) return;
  throw InputError({"one rank cannot communicate", operation + " needs at least two",
                    "start with mpirun -n 2 or more"});
}

namespace {

bool is_wanted(const LaunchOptions& options, std::optional<Hop> hop) {
  return options.hops.empty() || std::ranges::find(options.hops, hop) != options.hops.end();
}

void require_some(bool some, const std::vector<std::string>& present) {
  if (some) return;
  throw InputError({"no pair of ranks is of a wanted hop class",
                    "the classes present are: " + (present.empty() ? "none" : join(present)),
                    "start more ranks or ask for another class"});
}

std::vector<int> first_ranks(const JobPlacement& job) {
  std::vector<int> first;
  std::vector<int> all;
  for (const Site& site : job.sites) {
    if (site.local_rank == 0) first.push_back(site.rank);
    all.push_back(site.rank);
  }
  return first.size() > 1 ? first : all;
}

std::vector<Round> sparse_rounds(const LaunchOptions& options, const JobPlacement& job) {
  const std::vector<int> players = first_ranks(job);
  const auto count = static_cast<int>(players.size());
  SparseDesign design = options.sparse;
  design.rounds = std::min(design.rounds, std::max(1, tournament_rounds(count)));
  std::vector<Round> rounds = sparse_tournament(count, design);
  std::set<std::string> present;
  for (Round& round : rounds) {
    std::erase_if(round, [&](RankPair& pair) {
      pair = {players[static_cast<std::size_t>(pair.first)],
              players[static_cast<std::size_t>(pair.second)]};
      const auto hop = hop_of(job, pair);
      if (hop) present.insert(hop_name(*hop));
      return !is_wanted(options, hop);
    });
  }
  std::erase_if(rounds, [](const Round& round) { return round.empty(); });
  require_some(!rounds.empty(), {present.begin(), present.end()});
  return rounds;
}

}  // namespace

std::vector<RankPair> wanted_pairs(const LaunchOptions& options, const JobPlacement& job) {
  const bool all = options.pairs == PairChoice::all;
  std::vector<RankPair> pairs;
  std::vector<std::string> present;
  for (const RankHop& candidate : all ? job.hops : job.representatives) {
    if (candidate.hop) present.push_back(hop_name(*candidate.hop));
    if (is_wanted(options, candidate.hop)) pairs.push_back(candidate.ranks);
  }
  if (pairs.empty() && options.hops.empty()) pairs.push_back({0, 1});
  require_some(!pairs.empty(), present);
  return pairs;
}

std::vector<Round> wanted_rounds(const LaunchOptions& options, const JobPlacement& job) {
  if (options.pairs == PairChoice::sparse) return sparse_rounds(options, job);
  const bool listed = options.pairs == PairChoice::listed;
  return tournament(static_cast<int>(job.sites.size()),
                    listed ? options.listed : wanted_pairs(options, job));
}

}  // namespace hockney
