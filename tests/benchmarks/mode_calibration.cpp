// Quantiles of the statistic of verdicts/variability.hpp where launches have one mode, for
// verdicts/variability.cpp: of each distribution, and the largest of all.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include "tests/support/synthetic.hpp"
#include "verdicts/variability.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::array names{"normal", "student3", "laplace", "exponential", "uniform"};
constexpr std::array tails{0.05, 0.01, 0.001, 0.0001};
constexpr double wide = 1e3;  // beside the least deviation that the statistic knows

double logarithm(std::size_t distribution, Noise& noise) {
  switch (distribution) {
    case 0:
      return noise.normal();
    case 1: {
      double squares = 0;
      for (int i = 0; i < 3; ++i) squares += std::pow(noise.normal(), 2);
      return noise.normal() * std::sqrt(3 / squares);
    }
    case 2:
      return (noise.uniform() < 0.5 ? -1 : 1) * std::log(noise.uniform());
    case 3:
      return -std::log(noise.uniform());
    default:
      return noise.uniform();
  }
}

std::vector<double> quantiles(std::size_t distribution, std::size_t launches, std::size_t draws) {
  Noise noise(1000 * launches + distribution);
  std::vector<double> statistics(draws);
  std::vector<double> logarithms(launches);
  for (double& statistic : statistics) {
    for (double& one : logarithms) one = wide * logarithm(distribution, noise);
    statistic = verdicts::largest_gap(logarithms)->statistic;
  }
  std::ranges::sort(statistics);
  std::vector<double> found;
  for (const double tail : tails) {
    found.push_back(statistics[static_cast<std::size_t>((1 - tail) * static_cast<double>(draws))]);
  }
  return found;
}

void print(std::size_t launches, const std::string& name, const std::vector<double>& found) {
  std::cout << launches << ' ' << name;
  for (const double quantile : found) std::cout << ' ' << quantile;
  std::cout << '\n';
}

}  // namespace
}  // namespace hockney::benchmarks

int main(int argc, char** argv) {
  const std::size_t draws = argc > 1 ? std::stoul(argv[1]) : 1'000'000;
  for (std::size_t launches = hockney::verdicts::fewest_launches_of_modes; launches <= 30;
       ++launches) {
    std::vector<double> largest(hockney::benchmarks::tails.size(), 0.0);
    for (std::size_t i = 0; i < hockney::benchmarks::names.size(); ++i) {
      const auto found = hockney::benchmarks::quantiles(i, launches, draws);
      hockney::benchmarks::print(launches, hockney::benchmarks::names.at(i), found);
      for (std::size_t k = 0; k < found.size(); ++k) largest[k] = std::max(largest[k], found[k]);
    }
    hockney::benchmarks::print(launches, "largest", largest);
  }
  return 0;
}
