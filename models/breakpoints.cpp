#include "models/breakpoints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <ranges>
#include <span>

#include "core/shuffle.hpp"
#include "models/noise_floor.hpp"
#include "models/pooled_curve.hpp"

namespace hockney::models {
namespace {

constexpr long double unreachable = std::numeric_limits<long double>::infinity();

/// costs.cost(first, last) of every admissible range, computed once and read by every layer.
class CostTable {
 public:
  CostTable(const LineCosts& costs, std::size_t shortest)
      : sizes_(costs.size()), cells_((sizes_ + 1) * (sizes_ + 1), unreachable) {
    for (std::size_t first = 0; first < sizes_; ++first) {
      for (std::size_t last = first + shortest; last <= sizes_; ++last) {
        cells_[first * (sizes_ + 1) + last] = costs.cost(first, last);
      }
    }
  }

  [[nodiscard]] long double operator()(std::size_t first, std::size_t last) const {
    return cells_[first * (sizes_ + 1) + last];
  }
  [[nodiscard]] std::size_t sizes() const { return sizes_; }

 private:
  std::size_t sizes_;
  std::vector<long double> cells_;
};

/// Best costs of the first e sizes in k segments, and where the last of these segments starts.
struct Layer {
  explicit Layer(std::size_t sizes) : cost(sizes + 1, unreachable), start(sizes + 1, 0) {}
  std::vector<long double> cost;
  std::vector<std::size_t> start;
};

Layer first_layer(const CostTable& costs) {
  Layer layer(costs.sizes());
  for (std::size_t end = 1; end <= costs.sizes(); ++end) layer.cost[end] = costs(0, end);
  return layer;
}

Layer next_layer(const CostTable& costs, const Layer& before) {
  Layer layer(costs.sizes());
  for (std::size_t end = 2 * sizes_per_segment; end <= costs.sizes(); ++end) {
    for (std::size_t start = sizes_per_segment; start + sizes_per_segment <= end; ++start) {
      const long double cost = before.cost[start] + costs(start, end);
      if (cost >= layer.cost[end]) continue;
      layer.cost[end] = cost;
      layer.start[end] = start;
    }
  }
  return layer;
}

Segmentation trace_back(const std::vector<Layer>& layers, std::size_t sizes) {
  Segmentation segmentation{.cost = static_cast<double>(layers.back().cost[sizes])};
  std::size_t end = sizes;
  for (const Layer& layer : std::ranges::reverse_view(layers)) {
    end = layer.start[end];
    segmentation.starts.push_back(end);
  }
  std::ranges::reverse(segmentation.starts);
  return segmentation;
}

}  // namespace

std::vector<Segmentation> best_segmentations(const LineCosts& costs, std::size_t most) {
  const std::size_t sizes = costs.size();
  if (sizes < 2) return {};
  most = std::clamp<std::size_t>(most, 1, std::max<std::size_t>(1, sizes / sizes_per_segment));
  const CostTable table(costs, std::min(sizes, sizes_per_segment));
  std::vector<Layer> layers{first_layer(table)};
  std::vector<Segmentation> best{trace_back(layers, sizes)};
  while (best.size() < most) {
    layers.push_back(next_layer(table, layers.back()));
    best.push_back(trace_back(layers, sizes));
  }
  return best;
}

double information_criterion(const Segmentation& segmentation, std::size_t sizes, double floor) {
  const auto n = static_cast<double>(sizes);
  const auto k = static_cast<double>(segmentation.segments());
  return n * std::log(std::max(segmentation.cost / n, floor * floor)) + (3 * k - 1) * std::log(n);
}

const Segmentation& choose_segmentation(const std::vector<Segmentation>& candidates,
                                        std::size_t sizes, double floor) {
  return *std::ranges::min_element(candidates, {}, [&](const Segmentation& candidate) {
    return information_criterion(candidate, sizes, floor);
  });
}

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

}  // namespace hockney::models
