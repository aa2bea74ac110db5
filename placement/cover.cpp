#include "placement/cover.hpp"

#include <algorithm>
#include <bitset>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

namespace hockney::placement {
namespace {

using HopSet = std::bitset<16>;

std::size_t bit(Hop hop) { return static_cast<std::size_t>(hop); }

/// A PU the cover may add, with the classes of the pairs it can form on this machine.
struct Candidate {
  Pu pu;
  HopSet reach;
  int beside_zero = 0;
};

std::vector<Candidate> candidates_of(const Topology& topology) {
  std::vector<Candidate> candidates;
  for (const Pu& pu : topology.pus) {
    Candidate candidate{pu, {}, beside_cpu_zero(topology, pu) ? 1 : 0};
    for (const Pu& other : topology.pus) {
      const std::optional<Hop> hop = hop_class(pu, other);
      if (hop) candidate.reach.set(bit(*hop));
    }
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

/// One or two CPUs to add so that the pair (a, b) stands for a class.
struct Step {
  const Candidate* a = nullptr;
  const Candidate* b = nullptr;
  std::tuple<std::size_t, std::size_t, int> badness;  ///< of two steps the smaller is better
};

/// The cover while it grows.
class Coverer {
 public:
  Coverer(const Topology& topology, const std::vector<Hop>& wanted, std::size_t most_cpus)
      : candidates_(candidates_of(topology)), most_cpus_(most_cpus) {
    for (const Hop hop : wanted) missing_.set(bit(hop));
  }

  void cover(Hop hop) {
    if (!missing_.test(bit(hop))) return;
    std::optional<Step> step = one_more(hop);
    if (!step && chosen_.size() + 2 <= most_cpus_) step = two_more(hop);
    if (!step) return;
    if (!chosen(*step->a)) add(*step->a);
    add(*step->b);
  }

  [[nodiscard]] std::vector<int> cpus() const {
    std::vector<int> cpus;
    cpus.reserve(chosen_.size());
    for (const Candidate* candidate : chosen_) cpus.push_back(candidate->pu.os_cpu);
    return cpus;
  }

 private:
  [[nodiscard]] bool chosen(const Candidate& candidate) const {
    return std::ranges::find(chosen_, &candidate) != chosen_.end();
  }

  /// A second PU of a core is of use only as the sibling of a chosen one.
  [[nodiscard]] bool may_serve(const Candidate& candidate, Hop hop) const {
    return !chosen(candidate) && (hop == Hop::smt || is_first(candidate));
  }

  [[nodiscard]] bool is_first(const Candidate& candidate) const {
    return &candidate == &candidates_.front() ||
           std::prev(&candidate)->pu.core != candidate.pu.core;
  }

  [[nodiscard]] std::optional<Step> one_more(Hop hop) const {
    std::optional<Step> best;
    if (chosen_.size() + 1 > most_cpus_) return best;
    for (const Candidate* a : chosen_) {
      for (const Candidate& b : candidates_) {
        if (hop_class(a->pu, b.pu) == hop && may_serve(b, hop)) improve(best, *a, b);
      }
    }
    return best;
  }

  [[nodiscard]] std::optional<Step> two_more(Hop hop) const {
    std::optional<Step> best;
    for (auto a = candidates_.begin(); a != candidates_.end(); ++a) {
      if (!may_serve(*a, hop)) continue;
      for (auto b = std::next(a); b != candidates_.end(); ++b) {
        if (hop_class(a->pu, b->pu) == hop && may_serve(*b, hop)) improve(best, *a, *b);
      }
    }
    return best;
  }

  void improve(std::optional<Step>& best, const Candidate& a, const Candidate& b) const {
    const HopSet covered = (shown_by(a) | shown_by(b)) & missing_;
    const HopSet reachable = (reach_ | a.reach | b.reach) & missing_ & ~covered;
    const std::size_t all = missing_.size();
    const Step step{
        &a, &b, {all - covered.count(), all - reachable.count(), a.beside_zero + b.beside_zero}};
    if (!best || step.badness < best->badness) best = step;
  }

  /// The classes of the pairs this CPU forms with those chosen so far.
  [[nodiscard]] HopSet shown_by(const Candidate& candidate) const {
    HopSet shown;
    for (const Candidate* other : chosen_) {
      const std::optional<Hop> hop = hop_class(candidate.pu, other->pu);
      if (hop) shown.set(bit(*hop));
    }
    return shown;
  }

  void add(const Candidate& candidate) {
    missing_ &= ~shown_by(candidate);
    chosen_.push_back(&candidate);
    reach_ |= candidate.reach;
  }

  std::vector<Candidate> candidates_;
  std::size_t most_cpus_;
  std::vector<const Candidate*> chosen_;
  HopSet missing_;  ///< wanted and not shown yet
  HopSet reach_;    ///< of the chosen CPUs
};

std::vector<Hop> by_priority(std::vector<Hop> hops) {
  std::ranges::sort(hops, {}, [](Hop hop) { return std::pair(hop == Hop::smt, hop); });
  return hops;
}

}  // namespace

std::vector<int> cover_hops(const Topology& topology, const std::vector<Hop>& wanted,
                            std::size_t most_cpus) {
  Coverer coverer(topology, wanted, most_cpus);
  for (const Hop hop : by_priority(wanted)) coverer.cover(hop);
  return coverer.cpus();
}

}  // namespace hockney::placement
