#include "placement/plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"

namespace hockney::placement {
namespace {

using HopSet = std::bitset<16>;

std::size_t bit(Hop hop) { return static_cast<std::size_t>(hop); }

/// A PU that the cover may add, with the classes of its pairs on this machine.
struct CoveringCpu {
  Pu pu;
  HopSet reach;
  int beside_zero = 0;
};

std::vector<CoveringCpu> candidates_of(const Topology& topology) {
  std::vector<CoveringCpu> candidates;
  for (const Pu& pu : topology.pus) {
    CoveringCpu candidate{pu, {}, beside_cpu_zero(topology, pu) ? 1 : 0};
    for (const Pu& other : topology.pus) {
      const std::optional<Hop> hop = hop_class(pu, other);
      if (hop) candidate.reach.set(bit(*hop));
    }
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

/// One or two CPUs to add, so that the pair (a, b) shows a class.
struct CoverStep {
  const CoveringCpu* a = nullptr;
  const CoveringCpu* b = nullptr;
  std::tuple<std::size_t, std::size_t, int> badness;  ///< smaller is better
};

/// The growing cover.
class Coverer {
 public:
  Coverer(const Topology& topology, const std::vector<Hop>& wanted, std::size_t most_cpus)
      : candidates_(candidates_of(topology)), most_cpus_(most_cpus) {
    for (const Hop hop : wanted) missing_.set(bit(hop));
  }

  void cover(Hop hop) {
    if (!missing_.test(bit(hop))) return;
    std::optional<CoverStep> step = one_more(hop);
    if (!step && chosen_.size() + 2 <= most_cpus_) step = two_more(hop);
    if (!step) return;
    if (!chosen(*step->a)) add(*step->a);
    add(*step->b);
  }

  [[nodiscard]] std::vector<int> cpus() const {
    std::vector<int> cpus;
    cpus.reserve(chosen_.size());
    for (const CoveringCpu* candidate : chosen_) cpus.push_back(candidate->pu.os_cpu);
    return cpus;
  }

 private:
  [[nodiscard]] bool chosen(const CoveringCpu& candidate) const {
    return std::ranges::find(chosen_, &candidate) != chosen_.end();
  }

  /// A second PU of a core is used only as the sibling of a chosen one.
  [[nodiscard]] bool may_serve(const CoveringCpu& candidate, Hop hop) const {
    return !chosen(candidate) && (hop == Hop::smt || is_first(candidate));
  }

  [[nodiscard]] bool is_first(const CoveringCpu& candidate) const {
    return &candidate == &candidates_.front() ||
           std::prev(&candidate)->pu.core != candidate.pu.core;
  }

  [[nodiscard]] std::optional<CoverStep> one_more(Hop hop) const {
    std::optional<CoverStep> best;
    if (chosen_.size() + 1 > most_cpus_) return best;
    for (const CoveringCpu* a : chosen_) {
      for (const CoveringCpu& b : candidates_) {
        if (hop_class(a->pu, b.pu) == hop && may_serve(b, hop)) improve(best, *a, b);
      }
    }
    return best;
  }

  [[nodiscard]] std::optional<CoverStep> two_more(Hop hop) const {
    std::optional<CoverStep> best;
    for (auto a = candidates_.begin(); a != candidates_.end(); ++a) {
      if (!may_serve(*a, hop)) continue;
      for (auto b = std::next(a); b != candidates_.end(); ++b) {
        if (hop_class(a->pu, b->pu) == hop && may_serve(*b, hop)) improve(best, *a, *b);
      }
    }
    return best;
  }

  void improve(std::optional<CoverStep>& best, const CoveringCpu& a, const CoveringCpu& b) const {
    const HopSet covered = (shown_by(a) | shown_by(b)) & missing_;
    const HopSet reachable = (reach_ | a.reach | b.reach) & missing_ & ~covered;
    const std::size_t all = missing_.size();
    const CoverStep step{
        &a, &b, {all - covered.count(), all - reachable.count(), a.beside_zero + b.beside_zero}};
    if (!best || step.badness < best->badness) best = step;
  }

  /// The classes of this CPU's pairs with the chosen CPUs.
  [[nodiscard]] HopSet shown_by(const CoveringCpu& candidate) const {
    HopSet shown;
    for (const CoveringCpu* other : chosen_) {
      const std::optional<Hop> hop = hop_class(candidate.pu, other->pu);
      if (hop) shown.set(bit(*hop));
    }
    return shown;
  }

  void add(const CoveringCpu& candidate) {
    missing_ &= ~shown_by(candidate);
    chosen_.push_back(&candidate);
    reach_ |= candidate.reach;
  }

  std::vector<CoveringCpu> candidates_;
  std::size_t most_cpus_;
  std::vector<const CoveringCpu*> chosen_;
  HopSet missing_;  ///< wanted and not shown yet
  HopSet reach_;    ///< of the chosen CPUs
};

std::vector<Hop> by_priority(std::vector<Hop> hops) {
  std::ranges::sort(hops, {}, [](Hop hop) { return std::pair(hop == Hop::smt, hop); });
  return hops;
}

/// The groups of a PU, outermost first, ending with the PU.
using Path = std::vector<std::vector<int>>;

Path path_of(const Pu& pu) {
  return {{pu.package},         pu.numa,   {pu.l3.value_or(-1)},
          {pu.l2.value_or(-1)}, {pu.core}, {pu.os_cpu}};
}

/// The index of each group in its parent group, innermost first: PU in core, core in L2, ...,
/// package in machine.
using Position = std::vector<std::size_t>;

std::vector<Position> positions_of(const std::vector<Pu>& pus) {
  std::map<Path, std::size_t> place_of;
  std::map<Path, std::size_t> members;
  std::vector<Position> positions;
  for (const Pu& pu : pus) {
    Path group;
    Position position;
    for (const std::vector<int>& level : path_of(pu)) {
      const Path around = group;
      group.push_back(level);
      const auto [known, is_new] = place_of.try_emplace(group, members[around]);
      if (is_new) ++members[around];
      position.push_back(known->second);
    }
    std::ranges::reverse(position);
    positions.push_back(position);
  }
  return positions;
}

/// The CPUs, stably sorted by `key` of their positions.
template <class Key>
std::vector<int> ordered(const std::vector<Pu>& pus, Key key) {
  const std::vector<Position> positions = positions_of(pus);
  std::vector<std::size_t> order(pus.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t index) { return key(positions[index]); });
  std::vector<int> cpus;
  cpus.reserve(order.size());
  for (const std::size_t index : order) cpus.push_back(pus[index].os_cpu);
  return cpus;
}

void check_ranks(int local_ranks) {
  if (local_ranks >= 1 && local_ranks <= max_local_ranks) return;
  throw InputError({fmt::format("cannot place {} ranks on a node", local_ranks),
                    fmt::format("1 to {} are possible", max_local_ranks),
                    "choose a number of ranks"});
}

void check_list(const Topology& topology, const std::vector<int>& cpus, std::size_t ranks) {
  const std::vector<int> usable = usable_cpus(topology);
  for (const int cpu : cpus) {
    if (find_pu(topology, cpu) == nullptr) throw InputError(unknown_cpu(topology, cpu));
    if (std::ranges::binary_search(usable, cpu)) continue;
    throw InputError({fmt::format("CPU {} may not be used", cpu),
                      "this process is allowed CPUs " + format_cpus(usable), "name one of them"});
  }
  if (cpus.size() < ranks) {
    throw InputError({fmt::format("{} CPUs are listed for {} ranks", cpus.size(), ranks),
                      "every local rank needs one", "list more CPUs or start fewer ranks"});
  }
}

/// All usable CPUs in the order of the ranks.
std::vector<int> order_of(const Topology& topology, std::size_t ranks, const PlanOptions& options) {
  switch (options.policy) {
    case Policy::listed:
      check_list(topology, options.cpus, ranks);
      return options.cpus;
    case Policy::scatter:
      return scatter_order(topology);
    case Policy::compact:
      return compact_order(topology);
    case Policy::hops:
      break;
  }
  std::vector<int> order = cover_hops(topology, options.hops, ranks);
  for (const int cpu : compact_order(topology)) {
    if (std::ranges::find(order, cpu) == order.end()) order.push_back(cpu);
  }
  return order;
}

/// A class, the first pair that shows it, and the length of the list up to that pair.
struct Showing {
  HopPair pair;
  std::size_t cpus = 0;
};

/// The classes that the CPUs show in the given order, near to far.
std::vector<Showing> showings(const Topology& topology, const std::vector<int>& cpus) {
  std::vector<const Pu*> pus;
  pus.reserve(cpus.size());
  for (const int cpu : cpus) pus.push_back(find_pu(topology, cpu));
  std::vector<Showing> shown;
  for (std::size_t i = 0; i < pus.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::optional<Hop> hop = hop_class(*pus[i], *pus[j]);
      const auto same = [&](const Showing& showing) { return showing.pair.hop == hop; };
      if (!hop || std::ranges::any_of(shown, same)) continue;
      shown.push_back({{*hop, make_pair_of(cpus[i], cpus[j])}, i + 1});
    }
  }
  std::ranges::sort(shown, {}, [](const Showing& showing) { return showing.pair.hop; });
  return shown;
}

std::optional<Showing> find_showing(const std::vector<Showing>& shown, Hop hop) {
  const auto found =
      std::ranges::find(shown, hop, [](const Showing& showing) { return showing.pair.hop; });
  return found == shown.end() ? std::nullopt : std::optional(*found);
}

/// The smallest number above `ranks` whose plan shows a class of the machine. nullopt if a list
/// never shows it.
std::optional<int> ranks_needed(const Topology& topology, std::size_t ranks, Hop hop,
                                const PlanOptions& options) {
  if (options.policy != Policy::hops) {
    const auto showing = find_showing(showings(topology, order_of(topology, ranks, options)), hop);
    return showing ? std::optional(static_cast<int>(showing->cpus)) : std::nullopt;
  }
  std::size_t more = ranks + 1;
  while (!find_showing(showings(topology, cover_hops(topology, options.hops, more)), hop)) ++more;
  return static_cast<int>(more);
}

UncoveredHop explain(const Topology& topology, std::size_t ranks, Hop hop,
                     const PlanOptions& options) {
  if (spread_pairs(topology, hop, 1).empty()) return {hop, Shortfall::absent, std::nullopt};
  const std::optional<int> needed = ranks_needed(topology, ranks, hop, options);
  return {hop, needed ? Shortfall::too_few_ranks : Shortfall::not_listed, needed};
}

/// Whether to report a class without pairs. By default, classes of several kinds of cores are
/// reported only on machines that have them.
bool is_missed(const Topology& topology, Hop hop, const PlanOptions& options) {
  const bool is_of_kinds = hop == Hop::kinds || hop == Hop::l3_efficient;
  if (!is_of_kinds || options.hops != PlanOptions().hops) return true;
  return !spread_pairs(topology, hop, 1).empty();
}

CpuUse use_of(const std::vector<int>& cpus) {
  const std::set<int> different(cpus.begin(), cpus.end());
  return different.size() == cpus.size() ? CpuUse::exclusive : CpuUse::oversubscribed;
}

/// The first CPU of each group of `group_of`; skips CPUs without a group.
template <class Group>
std::vector<int> first_of_groups(const Topology& topology, Group group_of) {
  std::vector<int> cpus;
  std::set<std::decay_t<decltype(*group_of(topology.pus.front()))>> seen;
  for (const Pu& pu : topology.pus) {
    const auto group = group_of(pu);
    if (group && seen.insert(*group).second) cpus.push_back(pu.os_cpu);
  }
  return cpus;
}

}  // namespace

std::vector<int> cover_hops(const Topology& topology, const std::vector<Hop>& wanted,
                            std::size_t most_cpus) {
  Coverer coverer(topology, wanted, most_cpus);
  for (const Hop hop : by_priority(wanted)) coverer.cover(hop);
  return coverer.cpus();
}

std::vector<int> one_per_core(const Topology& topology) {
  return first_of_groups(topology, [](const Pu& pu) { return std::optional(pu.core); });
}

std::vector<int> one_per_numa(const Topology& topology) {
  return first_of_groups(topology, [](const Pu& pu) { return std::optional(pu.numa); });
}

std::vector<int> one_per_l3(const Topology& topology) {
  return first_of_groups(topology, [](const Pu& pu) { return pu.l3; });
}

std::vector<int> compact_order(const Topology& topology) {
  return ordered(topology.pus, [](const Position& position) { return position.front(); });
}

std::vector<int> scatter_order(const Topology& topology) {
  return ordered(topology.pus, [](const Position& position) { return position; });
}

Policy parse_policy(std::string_view name) {
  return parse_word<Policy>(name, fmt::format("unknown placement policy '{}'", name),
                            "ranks cannot be placed by it");
}

Plan make_plan(const Topology& topology, int local_ranks, const PlanOptions& options) {
  check_ranks(local_ranks);
  const auto ranks = static_cast<std::size_t>(local_ranks);
  const std::vector<int> order = order_of(topology, ranks, options);
  Plan plan;
  for (std::size_t rank = 0; rank < ranks; ++rank) plan.cpus.push_back(order[rank % order.size()]);
  plan.use = use_of(plan.cpus);
  const std::vector<int> used(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(std::min(ranks, order.size())));
  const std::vector<Showing> shown = showings(topology, used);
  std::vector<Hop> wanted = options.hops;
  std::ranges::sort(wanted);
  wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
  for (const Hop hop : wanted) {
    if (const auto showing = find_showing(shown, hop)) {
      plan.covered.push_back(showing->pair);
    } else if (is_missed(topology, hop, options)) {
      plan.uncovered.push_back(explain(topology, ranks, hop, options));
    }
  }
  return plan;
}

int ranks_to_cover_all(const Topology& topology) {
  const std::vector<int> cover =
      cover_hops(topology, {node_hops.begin(), node_hops.end()}, topology.pus.size());
  return std::max(1, static_cast<int>(cover.size()));
}

}  // namespace hockney::placement
