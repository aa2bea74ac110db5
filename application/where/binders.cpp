#include "application/where/binders.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/binding.hpp"

namespace hockney::where {
namespace {

/// "CPU 0", "CPUs 0-1".
std::string cpus_text(const std::string& cpus) {
  const bool is_one = cpus.find_first_of(",-") == std::string::npos;
  return (is_one ? "CPU " : "CPUs ") + cpus;
}

/// "both ranks", "all 4 ranks", "rank 0".
std::string all_ranks_text(std::size_t ranks) {
  if (ranks == 1) return "rank 0";
  return ranks == 2 ? "both ranks" : "all " + std::to_string(ranks) + " ranks";
}

/// What a wrapper did to ranks: "both ranks to CPU 0", "rank 0 to CPU 0, rank 1 to CPU 1".
std::string bound_text(const Whereabouts& all, std::size_t wrapper) {
  const auto& first = all.ranks.front().started_on.at(wrapper + 1);
  const bool is_same = std::ranges::all_of(
      all.ranks, [&](const RankPlace& rank) { return rank.started_on.at(wrapper + 1) == first; });
  if (is_same) return all_ranks_text(all.ranks.size()) + " to " + cpus_text(first);
  constexpr std::size_t most = 3;
  std::vector<std::string> parts;
  for (const RankPlace& rank : all.ranks) {
    if (parts.size() == most) break;
    parts.push_back("rank " + std::to_string(rank.rank) + " to " +
                    cpus_text(rank.started_on.at(wrapper + 1)));
  }
  const std::string more =
      all.ranks.size() > most ? " and " + std::to_string(all.ranks.size() - most) + " more" : "";
  return join(parts) + more;
}

/// Whether each rank noted its CPUs at each wrapper: some clear the environment.
bool is_noted(const PlacedCommand& command, const Whereabouts& all) {
  return std::ranges::all_of(all.ranks, [&](const RankPlace& rank) {
    return rank.started_on.size() == command.wrappers.size() + 1;
  });
}

/// The ranks with all their threads on other CPUs.
Whereabouts moved(Whereabouts all, const auto& cpus_of_rank) {
  for (RankPlace& rank : all.ranks) {
    const std::vector<int> cpus = cpus_of_rank(rank);
    for (ThreadPlace& thread : rank.threads) thread.allowed_cpus = cpus;
  }
  return all;
}

/// Whether the worst fault is gone.
bool is_better(const Whereabouts& all, const std::vector<Fault>& faults) {
  const std::vector<Fault> left = find_faults(all);
  return std::ranges::count(left, faults.front().kind, &Fault::kind) == 0;
}

void mark_before(PlacedCommand& command) {
  bool has_name = false;
  for (Wrapper& wrapper : command.wrappers_before) {
    wrapper.binds = is_binder_by_name(command.before, wrapper);
    has_name = has_name || wrapper.binds;
  }
  if (!has_name && !command.wrappers_before.empty()) command.wrappers_before.back().binds = true;
}

void add_before(const PlacedCommand& command, const std::vector<int>& cpus, Binders& binders) {
  for (const Wrapper& wrapper : command.wrappers_before) {
    if (!wrapper.binds) continue;
    binders.wrappers.push_back(wrapper_text(command.before, wrapper));
    binders.texts.push_back("`" + binders.wrappers.back() +
                            "` binds the launcher and its ranks to " +
                            cpus_text(placement::format_cpus(cpus)));
  }
}

}  // namespace

bool launcher_is_bound(const PlacedCommand& command, const Whereabouts& all,
                       const std::string& own_host, const std::vector<int>& own_cpus) {
  if (command.wrappers_before.empty()) return false;
  return std::ranges::any_of(all.nodes, [&](const NodeCpus& node) {
    return node.host == own_host && !node.launcher_cpus.empty() && node.launcher_cpus != own_cpus &&
           std::ranges::includes(own_cpus, node.launcher_cpus);
  });
}

Binders find_binders(PlacedCommand& command, const Whereabouts& all,
                     const std::vector<Fault>& faults, bool bound_launcher,
                     const std::vector<int>& own_cpus) {
  Binders binders;
  if (faults.empty()) return binders;
  if (bound_launcher && stays_on_its_cpus(all, all.nodes.front())) {
    Whereabouts without = moved(all, [&](const RankPlace&) { return own_cpus; });
    if (is_better(without, faults)) {
      mark_before(command);
      add_before(command, all.nodes.front().launcher_cpus, binders);
      binders.without = std::move(without);
      return binders;
    }
  }
  if (!is_noted(command, all)) return binders;
  for (std::size_t i = 0; i < command.wrappers.size(); ++i) {
    Wrapper& wrapper = command.wrappers[i];
    wrapper.binds = std::ranges::any_of(all.ranks, [&](const RankPlace& rank) {
      return rank.started_on[i] != rank.started_on[i + 1];
    });
    if (!wrapper.binds) continue;
    if (binders.wrappers.empty()) {
      binders.without = moved(
          all, [&](const RankPlace& rank) { return placement::parse_cpus(rank.started_on[i]); });
    }
    binders.wrappers.push_back(wrapper_text(command.words, wrapper));
    binders.texts.push_back("`" + binders.wrappers.back() + "` binds " + bound_text(all, i));
  }
  if (binders.wrappers.empty() || is_better(binders.without, faults)) return binders;
  for (Wrapper& wrapper : command.wrappers) wrapper.binds = false;
  return {};
}

}  // namespace hockney::where
