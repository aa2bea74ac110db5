#include "verdicts/multiplicity.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace hockney::verdicts {
namespace {

/// Places of p from the smallest value to the largest.
std::vector<std::size_t> ascending_order(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t place) { return p[place]; });
  return order;
}

}  // namespace

std::string_view describe(Correction correction) {
  if (correction == Correction::none) return "not corrected";
  if (correction == Correction::max_t) return "corrected by max-T over launches";
  return correction == Correction::holm ? "corrected by Holm" : "corrected by Benjamini-Hochberg";
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<double> adjusted(p.size());
  double largest = 0;
  std::size_t left = p.size();
  for (const std::size_t place : ascending_order(p)) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(left--) * p[place]));
    adjusted[place] = largest;
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<double> adjusted(p.size());
  std::vector<std::size_t> order = ascending_order(p);
  std::ranges::reverse(order);
  const auto m = static_cast<double>(p.size());
  double smallest = 1;
  std::size_t rank = p.size();
  for (const std::size_t place : order) {
    smallest = std::min(smallest, m / static_cast<double>(rank--) * p[place]);
    adjusted[place] = smallest;
  }
  return adjusted;
}

std::vector<double> adjust(std::span<const double> p, Correction correction) {
  if (correction == Correction::holm) return holm(p);
  if (correction == Correction::benjamini_hochberg) return benjamini_hochberg(p);
  return {p.begin(), p.end()};
}

}  // namespace hockney::verdicts
