#include "verdicts/variance_components.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace hockney::verdicts {
namespace {

ValueGroup group_of(const std::vector<double>& values, std::vector<int> levels) {
  ValueGroup group{.levels = std::move(levels)};
  group.count = static_cast<double>(values.size());
  for (const double value : values) group.mean += value / group.count;
  for (const double value : values) {
    group.squares += (value - group.mean) * (value - group.mean);
  }
  return group;
}

}  // namespace

TEST_CASE("in a balanced nested design variances are those of the analysis of variance") {
  // Means of the levels 1, 3 and 8, whose mean is 4; mean squares 2 * (9 + 1 + 16) / 2 = 26 and 2.
  const std::vector<ValueGroup> groups{group_of({0, 2}, {0}), group_of({2, 4}, {1}),
                                       group_of({7, 9}, {2})};
  const std::vector<double> found = variance_components(groups, 1);
  REQUIRE(found.size() == 2);
  CHECK(found[0] == Approx((26 - 2) / 2.0));
  CHECK(found[1] == Approx(2));
}

TEST_CASE("variances are unbiased in a design that is crossed, nested and not balanced") {
  std::mt19937_64 engine(20261124);
  std::normal_distribution<double> normal;
  std::vector<double> sums(4);
  std::vector<double> squares(4);
  constexpr int trials = 600;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> places(4);
    for (double& place : places) place = 2 * normal(engine);
    std::vector<ValueGroup> groups;
    for (int launch = 0; launch < 9; ++launch) {
      const double of_launch = 3 * normal(engine);
      for (int place = 0; place < 4; ++place) {
        if ((launch + place) % 5 == 0) continue;  // not measured in all launches
        for (int block = 0; block < 2 + launch % 3; ++block) {
          const double of_block = normal(engine);
          std::vector<double> values(static_cast<std::size_t>(1 + (launch + block) % 4));
          for (double& value : values) {
            value = of_launch + places[static_cast<std::size_t>(place)] + of_block +
                    1.5 * normal(engine);
          }
          const int number = static_cast<int>(groups.size());
          groups.push_back(group_of(values, {launch, place, number}));
        }
      }
    }
    const std::vector<double> found = variance_components(groups, 3);
    REQUIRE(found.size() == sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += found[i];
      squares[i] += found[i] * found[i];
    }
  }
  const std::vector<double> truth{9, 4, 1, 1.5 * 1.5};
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double mean = sums[i] / trials;
    const double error = std::sqrt((squares[i] / trials - mean * mean) / trials);
    INFO(mean << " +- " << error << ", in truth " << truth[i]);
    CHECK(std::abs(mean - truth[i]) < 4 * error);
    CHECK(error < 0.1 * truth[i]);
  }
}

TEST_CASE("factors that cannot be told apart have no variances") {
  const std::vector<ValueGroup> alike{group_of({0, 2}, {0, 5}), group_of({2, 4}, {1, 6})};
  CHECK(variance_components(alike, 1).size() == 2);
  CHECK(variance_components(alike, 2).empty());
  const std::vector<ValueGroup> single{group_of({0, 2}, {0}), group_of({2, 4}, {0})};
  CHECK(variance_components(single, 1).empty());
  CHECK(variance_components({}, 0).empty());
  const std::vector<ValueGroup> one_each{group_of({1}, {0}), group_of({2}, {1})};
  CHECK(variance_components(one_each, 1).empty());
}

}  // namespace hockney::verdicts
