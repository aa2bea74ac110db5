#include "application/analysis/grids.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <span>

namespace hockney::applications {
namespace {

constexpr std::size_t most_dimensions = 3;

using Sizes = std::vector<int>;

/// All ways to write `count` as a product of factors from 2, in every order.
void add_factorisations(int count, Sizes& begun, std::vector<Sizes>& all) {
  if (count == 1 && !begun.empty()) all.push_back(begun);
  if (begun.size() == most_dimensions) return;
  for (int factor = 2; factor <= count; ++factor) {
    if (count % factor != 0) continue;
    begun.push_back(factor);
    add_factorisations(count / factor, begun, all);
    begun.pop_back();
  }
}

/// Distance in vertices between neighbours along a dimension.
int stride_of(const Sizes& sizes, std::size_t dimension) {
  int stride = 1;
  for (std::size_t k = dimension + 1; k < sizes.size(); ++k) stride *= sizes[k];
  return stride;
}

/// Edges between vertices of so many numbers apart.
using Distances = std::map<int, int>;

/// A look at the distances alone, which sorts nearly all grids out.
bool may_fit(const Sizes& sizes, const Distances& distances, int vertices) {
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const auto found = distances.find(stride_of(sizes, k));
    const double wanted = static_cast<double>(vertices) / sizes[k] * (sizes[k] - 1);
    if (found == distances.end() || found->second < least_coverage * wanted) return false;
  }
  return true;
}

/// How an edge lies in a grid: the dimensions along which it goes one step, and those of them in
/// which the step is from one end to the other. A bit for each.
struct Step {
  unsigned along = 0;
  unsigned around = 0;
};

std::optional<Step> step_of(const RankEdge& edge, const Sizes& sizes) {
  Step step;
  int a = edge.a;
  int b = edge.b;
  for (std::size_t k = sizes.size(); k-- > 0;) {
    const int apart = std::abs(b % sizes[k] - a % sizes[k]);
    const bool is_around = apart == sizes[k] - 1 && apart > 1;
    if (apart > 1 && !is_around) return std::nullopt;
    if (apart > 0) step.along |= 1U << k;
    if (is_around) step.around |= 1U << k;
    a /= sizes[k];
    b /= sizes[k];
  }
  return step;
}

struct Tally {
  int edges = 0;  ///< that stand out
  double weight = 0;
};

/// The edges of a graph by how they lie in a grid.
class GridTally {
 public:
  GridTally(const RankGraph& graph, const Sizes& sizes)
      : sizes_(sizes), vertices_(graph.size()), weight_(graph.weight) {
    for (const RankEdge& edge : graph.edges) {
      const auto step = step_of(edge, sizes);
      if (!step) continue;
      Tally& tally = tallies_.at(step->along).at(step->around);
      if (edge.stands_out) ++tally.edges;
      tally.weight += edge.weight();
    }
  }

  [[nodiscard]] std::optional<GridFit> fit() const {
    GridFit fit{.sizes = sizes_, .periodic = std::vector<bool>(sizes_.size())};
    unsigned around = 0;  // dimensions that are periodic
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      const unsigned bit = 1U << k;
      if (!is_covered(bit, 0)) return std::nullopt;
      fit.periodic[k] = sizes_[k] > 2 && is_covered(bit, bit);
      if (fit.periodic[k]) around |= bit;
    }
    fit.diagonals = has_diagonals();
    fit.explained = weight_explained(around, fit.diagonals) / weight_;
    if (fit.explained < least_explained) return std::nullopt;
    return fit;
  }

 private:
  /// Edges that a full grid has.
  [[nodiscard]] double wanted(unsigned along, unsigned around) const {
    double edges = vertices_;
    int dimensions = 0;
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      if ((along >> k & 1U) == 0) continue;
      const bool is_around = (around >> k & 1U) != 0;
      edges *= static_cast<double>(is_around ? 1 : sizes_[k] - 1) / sizes_[k];
      if (++dimensions > 1) edges *= 2;  // both diagonals of a cell
    }
    return edges;
  }

  [[nodiscard]] bool is_covered(unsigned along, unsigned around) const {
    return tallies_.at(along).at(around).edges >= least_coverage * wanted(along, around);
  }

  [[nodiscard]] bool has_diagonals() const {
    bool any = false;
    for (unsigned along = 0; along < 1U << sizes_.size(); ++along) {
      if ((along & (along - 1)) == 0) continue;
      if (!is_covered(along, 0)) return false;
      any = true;
    }
    return any;
  }

  [[nodiscard]] double weight_explained(unsigned periodic, bool diagonals) const {
    double weight = 0;
    for (unsigned along = 1; along < 1U << sizes_.size(); ++along) {
      const bool is_diagonal = (along & (along - 1)) != 0;
      if (is_diagonal && !diagonals) continue;
      for (unsigned around = 0; around < 1U << sizes_.size(); ++around) {
        if ((around & ~periodic) == 0) weight += tallies_.at(along).at(around).weight;
      }
    }
    return weight;
  }

  static constexpr std::size_t kinds = 1U << most_dimensions;

  const Sizes& sizes_;
  int vertices_;
  double weight_;
  std::array<std::array<Tally, kinds>, kinds> tallies_{};
};

/// Row by row, the last dimension counting fastest.
std::vector<std::vector<int>> places_in_rows(const Sizes& sizes, int vertices) {
  std::vector<std::vector<int>> places;
  places.reserve(static_cast<std::size_t>(vertices));
  for (int vertex = 0; vertex < vertices; ++vertex) {
    std::vector<int>& place = places.emplace_back();
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      place.push_back(vertex / stride_of(sizes, k) % sizes[k]);
    }
  }
  return places;
}

}  // namespace

std::optional<GridFit> grid_in_order(const RankGraph& graph) {
  Distances distances;
  for (const RankEdge& edge : graph.edges) {
    if (edge.stands_out) ++distances[edge.b - edge.a];
  }
  std::vector<Sizes> candidates;
  Sizes begun;
  add_factorisations(graph.size(), begun, candidates);
  std::ranges::stable_sort(candidates, {}, &Sizes::size);
  std::optional<GridFit> best;
  for (const Sizes& sizes : candidates) {
    if (!may_fit(sizes, distances, graph.size())) continue;
    const auto fit = GridTally(graph, sizes).fit();
    if (fit && (!best || fit->explained > best->explained)) best = fit;
  }
  if (best) best->places = places_in_rows(best->sizes, graph.size());
  return best;
}

}  // namespace hockney::applications
