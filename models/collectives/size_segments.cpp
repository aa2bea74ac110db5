#include "models/collectives/size_segments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hockney::collectives {
namespace {

constexpr std::size_t fewest_sizes = 3;
constexpr std::size_t most_segments = 4;
constexpr double impossible = std::numeric_limits<double>::infinity();

/// Least cost of the sizes before `end` in some number of segments, and where the last one begins.
struct Best {
  double cost = impossible;
  std::size_t begin = 0;
};

double cost_between(const std::vector<SizeEquations>& sizes, std::size_t first, std::size_t last) {
  const auto equations = equations_between(sizes, first, last);
  const bool enough = !equations.empty() && equations.size() > equations.front().row.size();
  if (!enough) return impossible;
  const auto fit = fit_non_negative(equations);
  if (!fit) return impossible;
  return fit->cost;
}

/// table[k][end] with k+1 segments.
std::vector<std::vector<Best>> divide(const std::vector<SizeEquations>& sizes,
                                      std::size_t segments) {
  const std::size_t count = sizes.size();
  std::vector<std::vector<Best>> table(segments, std::vector<Best>(count + 1));
  std::vector<std::vector<double>> costs(count + 1, std::vector<double>(count + 1, impossible));
  for (std::size_t first = 0; first < count; ++first) {
    for (std::size_t last = first + fewest_sizes; last <= count; ++last) {
      costs[first][last] = cost_between(sizes, first, last);
    }
  }
  for (std::size_t last = 1; last <= count; ++last) table[0][last] = {costs[0][last], 0};
  for (std::size_t k = 1; k < segments; ++k) {
    for (std::size_t last = 1; last <= count; ++last) {
      for (std::size_t first = 1; first < last; ++first) {
        const double cost = table[k - 1][first].cost + costs[first][last];
        if (cost < table[k][last].cost) table[k][last] = {cost, first};
      }
    }
  }
  return table;
}

}  // namespace

std::vector<Equation> equations_between(const std::vector<SizeEquations>& sizes, std::size_t first,
                                        std::size_t last) {
  std::vector<Equation> all;
  for (std::size_t i = first; i < last; ++i) {
    all.insert(all.end(), sizes[i].equations.begin(), sizes[i].equations.end());
  }
  return all;
}

std::vector<std::size_t> size_segments(const std::vector<SizeEquations>& sizes,
                                       double noise_floor) {
  const std::size_t most = std::min(most_segments, sizes.size() / fewest_sizes);
  if (most < 2) return {0};
  const auto table = divide(sizes, most);
  const auto all = static_cast<double>(equations_between(sizes, 0, sizes.size()).size());
  const auto columns = static_cast<double>(sizes.front().equations.front().row.size());
  std::size_t best = 0;
  double least = impossible;
  for (std::size_t k = 0; k < most; ++k) {
    const double residual = std::max(table[k].back().cost / all, noise_floor * noise_floor);
    const auto segments = static_cast<double>(k + 1);
    const double criterion =
        all * std::log(residual) + ((columns + 1) * segments - 1) * std::log(all);
    if (criterion < least) best = k;
    least = std::min(least, criterion);
  }
  std::vector<std::size_t> starts;
  for (std::size_t end = sizes.size(), k = best + 1; k > 0; --k) {
    end = table[k - 1][end].begin;
    starts.insert(starts.begin(), end);
  }
  return starts;
}

}  // namespace hockney::collectives
