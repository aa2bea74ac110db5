#include "models/breakpoints.hpp"

#include <algorithm>
#include <random>
#include <span>

#include "core/shuffle.hpp"
#include "models/noise_floor.hpp"
#include "models/pooled_curve.hpp"

namespace hockney {
namespace {

constexpr std::size_t complementary_pairs = 50;
constexpr std::uint64_t seed = 20130101;

/// Where the segments of the pooled launches start, as indices into the curve's sizes.
struct Proposal {
  std::vector<std::size_t> starts;
  double floor = 0;
};

class Proposer {
 public:
  Proposer(const Curve& curve, std::size_t most)
      : curve_(curve), most_(most), cell_noise_(cell_noise(curve)) {}

  [[nodiscard]] Proposal propose(std::span<const std::size_t> launches) const {
    const PooledCurve pooled = pool_levelled(curve_, launches);
    Proposal proposal{.floor = noise_floor(cell_noise_, launches.size(), pooled.points)};
    const auto candidates = best_segmentations(LineCosts(pooled.points), most_);
    if (candidates.empty()) return proposal;
    const auto& chosen = choose_segmentation(candidates, pooled.points.size(), proposal.floor);
    for (const std::size_t start : chosen.starts) {
      proposal.starts.push_back(pooled.places[start]);
    }
    return proposal;
  }

 private:
  const Curve& curve_;
  std::size_t most_;
  std::optional<double> cell_noise_;
};

bool within_one_step(std::size_t place, const std::vector<std::size_t>& starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::size_t start) {
    return start > 0 && start <= place + 1 && place <= start + 1;
  });
}

/// The proposals of both halves of many random divisions of the launches.
std::vector<Proposal> replicate(const Proposer& proposer, std::vector<std::size_t> launches) {
  std::mt19937_64 engine(seed);
  std::vector<Proposal> replicates;
  const std::size_t half = launches.size() / 2;
  for (std::size_t pair = 0; pair < complementary_pairs; ++pair) {
    shuffle(launches, engine);
    const std::span<const std::size_t> drawn(launches);
    replicates.push_back(proposer.propose(drawn.first(half)));
    replicates.push_back(proposer.propose(drawn.subspan(half, half)));
  }
  return replicates;
}

double recurrence(std::size_t place, const std::vector<Proposal>& replicates) {
  const auto hits = std::ranges::count_if(replicates, [&](const Proposal& replicate) {
    return within_one_step(place, replicate.starts);
  });
  return static_cast<double>(hits) / static_cast<double>(replicates.size());
}

}  // namespace

Segments find_segments(const Curve& curve, std::size_t most) {
  const std::vector<std::size_t> launches = all_launches(curve);
  const Proposer proposer(curve, most);
  const Proposal proposal = proposer.propose(launches);
  Segments segments{.starts = {0}, .noise_floor = proposal.floor};
  if (proposal.starts.size() < 2) return segments;
  const bool replicable = launches.size() > 1;
  segments.confirmed_by = replicable ? Confirmation::launches : Confirmation::bic;
  std::vector<Proposal> replicates;
  if (replicable) replicates = replicate(proposer, launches);
  for (const std::size_t place : std::span(proposal.starts).subspan(1)) {
    const Breakpoint found{
        place, replicable ? std::optional(recurrence(place, replicates)) : std::nullopt};
    const bool accepted = found.recurrence.value_or(1) >= least_recurrence;
    (accepted ? segments.accepted : segments.rejected).push_back(found);
    if (accepted) segments.starts.push_back(place);
  }
  return segments;
}

}  // namespace hockney
